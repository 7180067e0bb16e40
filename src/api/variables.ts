/** Variables of a project: the five operations. */
import Type from 'typebox';
import { variables } from '../model/resources.ts';
import { endpoint } from './endpoint.ts';
import { memberHandlers, oneQuery, writeQuery } from './handlers.ts';
import { listParameters } from './list-query.ts';

const handle = memberHandlers('variables', 'variable_id');

export const variablesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/variables',
    summary: 'List variables',
    ...listParameters(variables),
    answer: Type.Array(variables.schema),
    handle: handle.list,
  }),
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/variables',
    summary: 'Create a variable',
    query: writeQuery,
    body: variables.bodies.create,
    answer: variables.schema,
    handle: handle.create,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/variables/:variable_id',
    summary: 'Get a variable',
    query: oneQuery,
    answer: variables.schema,
    handle: handle.get,
  }),
  endpoint({
    method: 'PATCH',
    path: '/projects/:project_id/variables/:variable_id',
    summary: 'Change members of a variable',
    query: writeQuery,
    body: variables.bodies.update,
    answer: variables.schema,
    handle: handle.update,
  }),
  endpoint({
    method: 'DELETE',
    path: '/projects/:project_id/variables/:variable_id',
    summary: 'Delete a variable',
    query: writeQuery,
    answer: undefined,
    handle: handle.delete,
  }),
];
