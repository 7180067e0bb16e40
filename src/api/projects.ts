/** Projects of the account: the five operations. */
import Type from 'typebox';
import { projects } from '../model/resources.ts';
import { endpoint } from './endpoint.ts';
import { oneQuery, projectHandlers, writeQuery } from './handlers.ts';
import { listParameters } from './list-query.ts';

const handle = projectHandlers;

export const projectsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects',
    summary: 'List projects',
    ...listParameters(projects),
    answer: Type.Array(projects.schema),
    handle: handle.list,
  }),
  endpoint({
    method: 'POST',
    path: '/projects',
    summary: 'Create a project',
    query: writeQuery,
    body: projects.bodies.create,
    answer: projects.schema,
    handle: handle.create,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id',
    summary: 'Get a project',
    query: oneQuery,
    answer: projects.schema,
    handle: handle.get,
  }),
  endpoint({
    method: 'PATCH',
    path: '/projects/:project_id',
    summary: 'Change members of a project',
    query: writeQuery,
    body: projects.bodies.update,
    answer: projects.schema,
    handle: handle.update,
  }),
  endpoint({
    method: 'DELETE',
    path: '/projects/:project_id',
    summary: 'Delete a project',
    query: writeQuery,
    answer: undefined,
    handle: handle.delete,
  }),
];
