/** Examples of all resources, for the OpenAPI description: request bodies, and their responses. */
import type { Resource } from '../../model/resource.ts';
import type { Body } from '../../model/value.ts';
import type { JsonObject } from './openapi-schemas.ts';

const idOf = (n: number): string => `01938f2e-7c1a-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** An account, and a resource of each title. */
export const exampleIds = {
  ...{ account: idOf(1), Project: idOf(2), Artboard: idOf(3), Object: idOf(4) },
  ...{ Popup: idOf(5), DataSource: idOf(6), Variable: idOf(7), Action: idOf(8), File: idOf(9) },
  Version: idOf(10),
} as const;

/** By the title of the resource; from the project Office of `data/examples`, unless a comment names another one. */
const bodies: Readonly<Record<string, Body>> = {
  // Countries of the world
  Project: {
    name: 'Examples/Countries of the world',
    settings: { attribution: 'Natural Earth', projection: 'Web Mercator' },
  },
  // Largest cities of the world
  Artboard: {
    name: 'Cities',
    type: 'osm',
    width: 2048,
    height: 1360,
    bg_color: '#e2e8f0',
    osm_lat: 28,
    osm_lng: 0,
    osm_zoom: 3,
  },
  Object: { name: 'Bus stop', type: 'spot', x: 200, y: 674, color: '#b91c1c' },
  Popup: {
    name: 'About Reception',
    attachedTo: exampleIds.Object,
    maxWidth: 280,
    title: 'Reception',
    content: '<p>Ground floor, 4 seats</p>',
    buttonText: '',
    buttonAction: 'none',
    buttonLink: '',
  },
  DataSource: {
    name: 'Occupancy',
    url: 'https://sensors.example.com/v2/occupancy?building=1',
    method: 'GET',
    headers: [{ name: 'Accept', value: 'application/json' }],
  },
  Variable: {
    name: 'Desks taken',
    type: 'primitive',
    data_source_id: exampleIds.DataSource,
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
  Action: {
    name: 'Light the building during an evacuation',
    type: 'modify-object',
    object_id: exampleIds.Object,
    conditions: [{ variable_id: exampleIds.Variable, operator: 'equals', value: true }],
    style_color: { name: 'color', type: 'custom', value: '#f87171' },
    style_opacity: { name: 'opacity', type: 'variable', variable_id: exampleIds.Variable },
  },
  File: { name: 'ground-floor.png' },
  Version: { name: 'Before the summer' },
};

/** Members that the server sets, of what is beside the document. */
const setByServer: Readonly<Record<string, Body>> = {
  File: {
    ...{ type: 'image/png', bytes: 89_604, width: 1280, height: 800 },
    url: '/f/02q8cj3t3g934njbcb0y5f93fsy/ground-floor.png',
  },
  Version: {
    ...{ kind: 'named', key_label: 'Ana', bytes: 3180 },
    counts: { artboards: 2, objects: 41, popups: 12, data_sources: 1, variables: 4, actions: 5, files: 1 },
  },
};

/** A resource that a client sends, and the response, in which its collections are empty. */
export function exampleOf({ title, collections, members, create }: Resource): { body: JsonObject; response: JsonObject } {
  const body = bodies[title] as JsonObject;
  const fixed = { user_id: exampleIds.account, created: '2026-11-21T09:30:00.000Z', ...setByServer[title] };
  const value = create(exampleIds[title as keyof typeof exampleIds], fixed, body);
  const nested = new Set<string>(collections.map(({ name }) => name));
  const shown = members.map((member) => [member, nested.has(member) ? [] : value[member]]);
  return { body, response: JSON.parse(JSON.stringify(Object.fromEntries(shown))) };
}
