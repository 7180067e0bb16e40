/** Objects on an artboard: the five operations. */
import Type from 'typebox';
import { objects } from '../model/resources.ts';
import { endpoint } from './endpoint.ts';
import { memberHandlers, oneQuery, writeQuery } from './handlers.ts';
import { listParameters } from './list-query.ts';

const handle = memberHandlers('objects', 'object_id');

export const objectsEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards/:artboard_id/objects',
    summary: 'List objects',
    ...listParameters(objects),
    answer: Type.Array(objects.schema),
    handle: handle.list,
  }),
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/artboards/:artboard_id/objects',
    summary: 'Create an object',
    query: writeQuery,
    body: objects.bodies.create,
    answer: objects.schema,
    handle: handle.create,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/artboards/:artboard_id/objects/:object_id',
    summary: 'Get an object',
    query: oneQuery,
    answer: objects.schema,
    handle: handle.get,
  }),
  endpoint({
    method: 'PATCH',
    path: '/projects/:project_id/artboards/:artboard_id/objects/:object_id',
    summary: 'Change members of an object',
    query: writeQuery,
    body: objects.bodies.update,
    answer: objects.schema,
    handle: handle.update,
  }),
  endpoint({
    method: 'DELETE',
    path: '/projects/:project_id/artboards/:artboard_id/objects/:object_id',
    summary: 'Delete an object',
    query: writeQuery,
    answer: undefined,
    handle: handle.delete,
  }),
];
