/** Data sources of a project: the five operations. */
import Type from 'typebox';
import { dataSources } from '../model/resources.ts';
import { endpoint } from './endpoint.ts';
import { memberHandlers, oneQuery, writeQuery } from './handlers.ts';
import { listParameters } from './list-query.ts';

const handle = memberHandlers('data_sources', 'data_source_id');

export const dataSourcesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/data-sources',
    summary: 'List data sources',
    ...listParameters(dataSources),
    answer: Type.Array(dataSources.schema),
    handle: handle.list,
  }),
  endpoint({
    method: 'POST',
    path: '/projects/:project_id/data-sources',
    summary: 'Create a data source',
    query: writeQuery,
    body: dataSources.bodies.create,
    answer: dataSources.schema,
    handle: handle.create,
  }),
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/data-sources/:data_source_id',
    summary: 'Get a data source',
    query: oneQuery,
    answer: dataSources.schema,
    handle: handle.get,
  }),
  endpoint({
    method: 'PATCH',
    path: '/projects/:project_id/data-sources/:data_source_id',
    summary: 'Change members of a data source',
    query: writeQuery,
    body: dataSources.bodies.update,
    answer: dataSources.schema,
    handle: handle.update,
  }),
  endpoint({
    method: 'DELETE',
    path: '/projects/:project_id/data-sources/:data_source_id',
    summary: 'Delete a data source',
    query: writeQuery,
    answer: undefined,
    handle: handle.delete,
  }),
];
