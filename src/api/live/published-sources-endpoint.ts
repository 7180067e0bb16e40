/** `GET …/publication/sources`: which data sources a live map asks, and what each answered last. */
import Type, { type Static } from 'typebox';
import { problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import { findProject } from '../../store/find.ts';
import { type Api, endpoint, type Request } from '../declaration.ts';
import { exampleIds } from '../openapi/resource-examples.ts';
import { publishedOf } from '../publish/publication-endpoints.ts';
import { liveOf, livePublished } from './live-access.ts';
import { problemSchema } from './response-endpoints.ts';

const PublishedSourceSchema = Type.Object(
  {
    data_source_id: Type.String({ description: 'Identifier of the data source, which may be deleted or changed in the project' }),
    name: Type.String({ description: 'Its name as published' }),
    host: Type.String({ description: 'Host that the server asks; empty if responses are pushed' }),
    at: Type.Union([Type.String(), Type.Null()], {
      description: 'When the newest response arrived: RFC 3339; null before the first',
    }),
    problem: problemSchema,
  },
  { title: 'PublishedSource', description: 'A data source of a live map, as published.', additionalProperties: false },
);

export const publishedSourcesEndpoints = [
  endpoint({
    method: 'GET',
    path: '/projects/:project_id/publication/sources',
    id: 'listPublishedSources',
    tag: 'Publications',
    summary: 'List the data sources of a live map',
    description:
      'A live map asks its data sources as they were published: a data source that was changed or deleted since is asked in its published form until the next publication. It asks the first 1,000 that variables read. Empty for a still map.',
    isUnversioned: true,
    response: Type.Array(PublishedSourceSchema),
    example: () => ({
      response: [
        {
          ...{ data_source_id: exampleIds.DataSource, name: 'Occupancy', host: 'sensors.example.com' },
          ...{ at: '2026-11-24T09:30:00.000Z', problem: null },
        },
      ],
    }),
    handle: list,
  }),
];

async function list(api: Api, request: Request): Promise<Reply> {
  const { scope } = request;
  await publishedOf(api, request);
  const { value: project } = findProject(api.engine.state, scope.accountId, scope.projectId);
  if (project === undefined) throw problems.notFound();
  const { maps, sources } = liveOf(api, request);
  const live = livePublished(api, project);
  const dataSources = live === undefined ? [] : await maps.dataSources(live);
  const shown = dataSources.map((source): Static<typeof PublishedSourceSchema> => {
    const sourceId = String(source['id']);
    const newest = sources.newest({ accountId: scope.accountId, projectId: scope.projectId, sourceId }, source);
    const url = String(source['url'] ?? '');
    return {
      ...{ data_source_id: sourceId, name: String(source['name']) },
      host: URL.canParse(url) ? new URL(url).host : '',
      ...{ at: newest?.at ?? null, problem: newest?.problem ?? null },
    };
  });
  return { kind: 'json', status: 200, json: JSON.stringify(shown) };
}
