/** Popups of a project: the five operations. */
import Type from 'typebox';
import { popups } from '../model/resources.ts';
import { endpoint } from './endpoint.ts';
import { memberHandlers, oneQuery, writeQuery } from './handlers.ts';
import { listParameters } from './list-query.ts';

const handle = memberHandlers('popups', 'popup_id');

export const popupsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/popups',
    summary: 'List popups',
    ...listParameters(popups),
    answer: Type.Array(popups.schema),
    handle: handle.list,
  }),
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/popups',
    summary: 'Create a popup',
    query: writeQuery,
    body: popups.bodies.create,
    answer: popups.schema,
    handle: handle.create,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/popups/:popup_id',
    summary: 'Get a popup',
    query: oneQuery,
    answer: popups.schema,
    handle: handle.get,
  }),
  endpoint({
    method: 'PATCH',
    path: '/projects/:project_id/popups/:popup_id',
    summary: 'Change members of a popup',
    query: writeQuery,
    body: popups.bodies.update,
    answer: popups.schema,
    handle: handle.update,
  }),
  endpoint({
    method: 'DELETE',
    path: '/projects/:project_id/popups/:popup_id',
    summary: 'Delete a popup',
    query: writeQuery,
    answer: undefined,
    handle: handle.delete,
  }),
];
