/** `GET /failing-sources`: which data sources of the account fail now, in one request. */
import Type from 'typebox';
import type { Reply } from '../../http/response/reply.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { exampleIds } from '../openapi/resource-examples.ts';
import { narrowed } from '../publish/publication-endpoints.ts';
import { failingMax, failingSources } from './failing-sources.ts';

const FailingSourceSchema = Type.Object(
  {
    project_id: Type.String({ description: 'Identifier of the project' }),
    data_source_id: Type.String({
      description: 'Identifier of the data source; with `published`, it may be deleted in the project',
    }),
    name: Type.String({ description: 'Its name' }),
    published: Type.Boolean({
      description:
        'True if it fails as it was published, with other settings than the project has now: publish the project again to use these',
    }),
    code: Type.String({ description: 'Kind of the problem, for programs' }),
    detail: Type.String({ description: 'What is wrong, and what to do' }),
    since: Type.String({ description: 'When the first fetch failed since the last good response: RFC 3339' }),
    body_at: Type.Union([Type.String(), Type.Null()], {
      description: 'When the last good response arrived, which stays in use: RFC 3339; null if there is none',
    }),
  },
  { title: 'FailingSource', description: 'A data source whose newest fetch failed.', additionalProperties: false },
);

export const failingSourcesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/failing-sources',
    id: 'listFailingSources',
    tag: 'Live maps',
    summary: 'List the data sources that fail',
    description: `The data sources whose newest fetch failed, of the projects that the key may read, sorted by project and data source: as the project has them now, and as they were published. Also those that are not fetched at this moment, as long as the server remembers the failure. At most ${failingMax.ofProject} of a project and ${failingMax.inAll} in all. Empty on a server that runs with \`--no-live\`.`,
    query: { project_id: Type.String({ description: 'Return only those of this project' }) },
    isUnversioned: true,
    response: Type.Array(FailingSourceSchema),
    example: () => ({
      response: [
        {
          ...{ project_id: exampleIds.Project, data_source_id: exampleIds.DataSource, name: 'Occupancy', published: false },
          ...{ code: 'invalid_json', detail: 'The response is not JSON. Check that the URL leads to data, not to a page.' },
          ...{ since: '2026-11-24T09:30:00.000Z', body_at: '2026-11-24T09:27:00.000Z' },
        },
      ],
    }),
    handle: list,
  }),
];

async function list(api: Api, { query, scope }: Request): Promise<Reply> {
  const listed = await failingSources(api, scope.accountId, narrowed(scope.projects, query['project_id']));
  return { kind: 'json', status: 200, json: JSON.stringify(listed) };
}
