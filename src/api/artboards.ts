/** Artboards of a project: the five operations. */
import Type from 'typebox';
import { artboards } from '../model/resources.ts';
import { endpoint } from './endpoint.ts';
import { memberHandlers, oneQuery, writeQuery } from './handlers.ts';
import { listParameters } from './list-query.ts';

const handle = memberHandlers('artboards', 'artboard_id');

export const artboardsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards',
    summary: 'List artboards',
    ...listParameters(artboards),
    answer: Type.Array(artboards.schema),
    handle: handle.list,
  }),
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/artboards',
    summary: 'Create an artboard',
    query: writeQuery,
    body: artboards.bodies.create,
    answer: artboards.schema,
    handle: handle.create,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards/:artboard_id',
    summary: 'Get an artboard',
    query: oneQuery,
    answer: artboards.schema,
    handle: handle.get,
  }),
  endpoint({
    method: 'PATCH',
    path: '/projects/:project_id/artboards/:artboard_id',
    summary: 'Change members of an artboard',
    query: writeQuery,
    body: artboards.bodies.update,
    answer: artboards.schema,
    handle: handle.update,
  }),
  endpoint({
    method: 'DELETE',
    path: '/projects/:project_id/artboards/:artboard_id',
    summary: 'Delete an artboard',
    query: writeQuery,
    answer: undefined,
    handle: handle.delete,
  }),
];
