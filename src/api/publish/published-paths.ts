/** The description of what is public (published-endpoints.ts); `--no-publish` disables it. */
import { liveFile } from '../../model/publication.ts';
import { answered, headersOf, jsonContent, pathParameter } from '../openapi/openapi-parts.ts';
import { type JsonObject, referenceTo } from '../openapi/openapi-schemas.ts';
import { publicGet } from '../openapi/public-operation.ts';

const pointerSchema: JsonObject = {
  type: 'object',
  required: ['version', 'map'],
  properties: {
    version: { type: 'integer', description: 'Version of the map' },
    map: { type: 'string', description: 'Address of the map, relative to this one' },
    live: { type: 'string', description: 'Address of the newest evaluation of a live map, relative to this one' },
    refresh: { type: 'integer', description: 'Seconds after which a live map is evaluated again' },
    tiles: {
      type: 'array',
      description: 'Sources of map tiles, of which the first is the default; artboards name the others',
      items: {
        type: 'object',
        required: ['url', 'attribution'],
        properties: { name: { type: 'string' }, url: { type: 'string' }, attribution: { type: 'string' } },
      },
    },
    seen: { type: 'string', description: 'Address that counts visits, relative to this one; missing if they are not counted' },
  },
};

const changedMembers = (what: string): JsonObject => ({
  type: 'object',
  description: `Changed members of ${what}, by identifier`,
  additionalProperties: { type: 'object' },
});

const liveSchema: JsonObject = {
  type: 'object',
  required: ['version', 'at', 'objects', 'popups', 'created'],
  properties: {
    version: { type: 'integer', description: 'Version of the map to which it belongs' },
    at: { type: 'string', description: 'When this result was made first: RFC 3339' },
    objects: changedMembers('objects'),
    popups: changedMembers('popups'),
    created: {
      type: 'array',
      description: 'Created objects with their popups; members with their defaults are left out',
      items: {
        type: 'object',
        properties: { artboard_id: { type: 'string' }, object: { type: 'object' }, popup: { type: ['object', 'null'] } },
      },
    },
  },
};

const slugParameter = pathParameter('slug', 'Last part of the public address: the slug or the name of the map');
const digestParameter = pathParameter('digest', 'SHA-256 of the map, as `map.json` says');

const published = (id: string, summary: string, type: string, schema: JsonObject, others: JsonObject = {}): JsonObject =>
  publicGet({
    ...{ id, tag: 'Publications', summary },
    parameters: id === 'getMap' ? [slugParameter, digestParameter] : [slugParameter],
    responses: { '200': answered('What is public; any page may read it.', type, schema, ['ETag']), ...others },
    refusals: ['not_found'],
    isConditional: true,
  });

/** The 404 is a page for clients that accept HTML. */
const notPublic: JsonObject = {
  description: 'There is no such public map: a page for a client that accepts `text/html`, otherwise a problem.',
  headers: headersOf(['RequestId']),
  content: {
    'text/html': { schema: { type: 'string' } },
    ...jsonContent(referenceTo('Problem'), undefined, 'application/problem+json'),
  },
};

export const publishedPaths = {
  '/p/{slug}': published('showMap', 'Page of a published map', 'text/html', { type: 'string' }, { '404': notPublic }),
  '/p/{slug}/picture-{digest}.png': publicGet({
    ...{ id: 'getMapPicture', tag: 'Publications', summary: 'Picture of a published map for previews' },
    parameters: [slugParameter, pathParameter('digest', 'SHA-256 of the picture')],
    responses: {
      '200': answered('A PNG of 1200 × 630 pixels.', 'image/png', { type: 'string', format: 'binary' }, ['ETag']),
      '206': answered('The bytes that `Range` names.', 'image/png', { type: 'string', format: 'binary' }, ['ETag']),
    },
    refusals: ['not_found', 'range_not_satisfiable'],
    isConditional: true,
  }),
  '/p/{slug}/map.json': published('getMapPointer', 'Address of the newest published map', 'application/json', pointerSchema),
  '/p/{slug}/{digest}.json': published('getMap', 'A published map', 'application/json', {
    type: 'object',
    description:
      'The project without account, thumbnail, data sources, variables, actions, and settings other than `max_bounds`, `legend` and `labels`',
  }),
  [`/p/{slug}/${liveFile}`]: published('getLiveMap', 'Newest evaluation of a live map', 'application/json', liveSchema),
};
