/**
 * Examples for the operations of each resource: request bodies from `data/examples`, and their responses. The tests send them all.
 */
import type { CollectionName, Resource } from '../../model/resource.ts';
import { projects, resourceOf } from '../../model/resources.ts';
import type { Body } from '../../model/value.ts';
import type { Json, JsonObject } from './openapi-schemas.ts';

/** Request and response of an operation. */
export interface EndpointExample {
  readonly body?: Json;
  readonly response?: Json;
}

/** An example of an identifier. */
const idOf = (n: number): string => `01938f2e-7c1a-7000-8000-${n.toString(16).padStart(12, '0')}`;

const ids = {
  ...{ account: idOf(1), projects: idOf(2), artboards: idOf(3), objects: idOf(4) },
  ...{ popups: idOf(5), data_sources: idOf(6), variables: idOf(7), actions: idOf(8), files: idOf(9) },
  versions: idOf(10),
} as const;

/** From the project Office, unless a comment names another one. */
const bodies: Readonly<Record<CollectionName | 'projects', Body>> = {
  // Largest cities of the world
  projects: {
    name: 'Largest cities of the world',
    settings: { attribution: '© GeoNames, CC BY 4.0', projection: 'Web Mercator' },
  },
  // Largest cities of the world
  artboards: {
    name: 'Cities',
    type: 'osm',
    width: 2048,
    height: 1360,
    bg_color: '#e2e8f0',
    osm_lat: 28,
    osm_lng: 0,
    osm_zoom: 3,
  },
  objects: { name: 'Bus stop', type: 'spot', x: 200, y: 690, color: '#dc2626' },
  popups: {
    name: 'About Reception',
    attachedTo: ids.objects,
    maxWidth: 280,
    title: 'Reception',
    content: '<p>Ground floor, 4 seats</p>',
    buttonText: '',
    buttonAction: 'none',
    buttonLink: '',
  },
  data_sources: {
    name: 'Occupancy',
    url: 'https://sensors.example.com/v2/occupancy?building=1',
    method: 'GET',
    headers: [{ name: 'Accept', value: 'application/json' }],
  },
  variables: {
    name: 'Desks taken',
    type: 'primitive',
    data_source_id: ids.data_sources,
    data_path: {
      nodes: [
        { id: 'n0', key: 'totals' },
        { id: 'n1', key: 'taken', parent: 'n0' },
      ],
      node_id: 'n1',
      filters: [],
      collapsed_nodes: [],
    },
  },
  actions: {
    name: 'Colour engineering by use',
    type: 'modify-object',
    object_id: ids.objects,
    conditions: [{ variable_id: ids.variables, operator: 'greater-than', value: 0 }],
    style_color: { name: 'color', type: 'variable', variable_id: ids.variables },
    style_opacity: { name: 'opacity', type: 'custom', value: 0.8 },
  },
  files: { name: 'ground-floor.png' },
  versions: { name: 'Before the summer' },
};

const publication = {
  slug: '03v8k2m9q4x7n5d1r6t0w8y3z5b',
  url: 'https://maps.example.com/p/03v8k2m9q4x7n5d1r6t0w8y3z5b',
  version: 2,
  published: '2026-11-23T09:30:00.000Z',
  bytes: 18_432,
  stale: false,
  origins: ['https://www.example.com'],
  refresh: 60,
};

const { url: _, origins: __, ...publicationParts } = publication;
const listedPublication = { project_id: idOf(1), ...publicationParts };

const sourceResponse = {
  ...{ at: '2026-11-24T09:30:00.000Z', status: 200, ms: 84, bytes: 23, pushed: false, problem: null },
  body: { totals: { taken: 61 } },
};

/** Examples of operations on a whole project. */
const ofProjects: Readonly<Record<string, EndpointExample>> = {
  batch: {
    body: {
      operations: [
        { method: 'POST', path: '/popups', body: { title: 'Reception' }, as: 'reception' },
        { method: 'PATCH', path: '/popups/{reception}', body: { content: '<p>Ground floor, 4 seats</p>' } },
        { method: 'PATCH', path: '/', body: { name: 'Office, ground floor' } },
      ],
    },
  },
  getPublication: { response: publication },
  listPublications: { response: [listedPublication] },
  publishProject: { body: { origins: publication.origins }, response: publication },
  evaluateProject: {
    body: { responses: { [ids.data_sources]: { totals: { taken: 61 } } }, now: '2026-11-24T09:30:00Z' },
  },
  fetchDataSourceResponse: { response: sourceResponse },
  getDataSourceResponse: { response: sourceResponse },
  pushDataSourceResponse: { body: sourceResponse.body },
  listPublishedSources: {
    response: [
      { data_source_id: ids.data_sources, name: 'Occupancy', host: 'sensors.example.com', at: sourceResponse.at, problem: null },
    ],
  },
  duplicateProject: { body: { name: 'Office, next year' } },
  importProject: {
    body: { format: 'mapwright-project', version: 1, project: { name: 'Office', popups: [{ title: 'Reception' }] } },
  },
};

const change: Body = { name: 'Another name' };

/** By operation id. */
export function examplesOf(): Readonly<Record<string, EndpointExample>> {
  const examples: Record<string, EndpointExample> = { ...ofProjects };
  const all: [CollectionName | 'projects', Resource][] = [
    ['projects', projects],
    ...(Object.entries(resourceOf) as [CollectionName, Resource][]),
  ];
  for (const [name, resource] of all) {
    const { title } = resource;
    const response = responseOf(resource, name, bodies[name]);
    examples[`list${title}s`] = { response: [response] };
    examples[`create${title}`] = { body: bodies[name] as JsonObject, response };
    examples[`get${title}`] = { response };
    examples[`update${title}`] = { body: change as JsonObject, response: { ...response, ...change } as JsonObject };
  }
  return examples;
}

/** Members that the server sets, of what is beside the document. */
const setByServer: Readonly<Partial<Record<CollectionName | 'projects', Body>>> = {
  files: {
    ...{ type: 'image/png', bytes: 89_604, width: 1280, height: 800 },
    url: '/f/02q8cj3t3g934njbcb0y5f93fsy/ground-floor.png',
  },
  versions: {
    ...{ kind: 'named', key_label: 'Ana', bytes: 3180 },
    counts: { artboards: 2, objects: 41, popups: 12, data_sources: 1, variables: 4, actions: 5, files: 1 },
  },
};

function responseOf(resource: Resource, name: CollectionName | 'projects', body: Body): JsonObject {
  const fixed = { user_id: ids.account, created: '2026-11-21T09:30:00.000Z', ...setByServer[name] };
  const value = resource.create(ids[name], fixed, body);
  const held = new Set<string>(resource.collections.map((each) => each.name));
  const members = resource.members.map((member) => [member, held.has(member) ? [] : value[member]]);
  return JSON.parse(JSON.stringify(Object.fromEntries(members))) as JsonObject;
}
