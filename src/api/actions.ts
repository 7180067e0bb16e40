/** Actions of a project: the five operations. */
import Type from 'typebox';
import { actions } from '../model/resources.ts';
import { endpoint } from './endpoint.ts';
import { memberHandlers, oneQuery, writeQuery } from './handlers.ts';
import { listParameters } from './list-query.ts';

const handle = memberHandlers('actions', 'action_id');

export const actionsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/actions',
    summary: 'List actions',
    ...listParameters(actions),
    answer: Type.Array(actions.schema),
    handle: handle.list,
  }),
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/actions',
    summary: 'Create an action',
    query: writeQuery,
    body: actions.bodies.create,
    answer: actions.schema,
    handle: handle.create,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/actions/:action_id',
    summary: 'Get an action',
    query: oneQuery,
    answer: actions.schema,
    handle: handle.get,
  }),
  endpoint({
    method: 'PATCH',
    path: '/projects/:project_id/actions/:action_id',
    summary: 'Change members of an action',
    query: writeQuery,
    body: actions.bodies.update,
    answer: actions.schema,
    handle: handle.update,
  }),
  endpoint({
    method: 'DELETE',
    path: '/projects/:project_id/actions/:action_id',
    summary: 'Delete an action',
    query: writeQuery,
    answer: undefined,
    handle: handle.delete,
  }),
];
