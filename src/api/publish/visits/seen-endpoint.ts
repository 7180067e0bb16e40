/**
 * `POST /p/:slug/seen`: a page with a published map says that it was opened, or which places were. The answer is always 204 and empty, so it tells
 * nothing. Nothing of the sender is stored.
 */
import type { Visit, VisitCounts } from '../../../engine/visits/visit-counts.ts';
import type { Reply } from '../../../http/response/reply.ts';
import { type ApiRequest, type PublicEndpoint, paramOf } from '../../../http/route.ts';
import { parseJson } from '../../../lib/json/json.ts';
import { seenFile } from '../../../model/publication.ts';
import { projectPublishedAt } from '../../../store/find.ts';
import { newestVersion } from '../../../store/stored-publication.ts';
import type { Api } from '../../declaration.ts';
import { jsonContent, pathParameter } from '../../openapi/openapi-parts.ts';
import { publicHeaders } from '../../pages/viewer-endpoint.ts';
import { hasPlace } from '../page/public-places.ts';
import { AddressLimit, beaconsPerMinute } from './address-limit.ts';
import { PublishedPlaces } from './published-places.ts';

/** Size limit of a beacon, in bytes. */
const beaconBytesMax = 2048;
/** Places, and searches without a result, in one beacon. */
const placesMax = 20;
const searchesMax = 20;

export const seenPaths = {
  '/p/{slug}/seen': {
    parameters: [pathParameter('slug', 'Last part of the public address')],
    post: {
      ...{ operationId: 'countVisit', tags: ['Publications'], summary: 'Count a visit of a published map', security: [] },
      description: `For pages that show a map. The body is JSON, as browsers send it without asking the server first: \`{"opened": true}\` for an opening, \`{"places": [...], "searches": 2}\` for up to ${placesMax} identifiers of objects of the newest published version that were opened, and up to ${searchesMax} searches without a result; each member is optional. The answer is 204 for everything, also for what is not counted: a body with anything else, or of more than 2 kB, more than ${beaconsPerMinute} requests a minute of an address, \`Sec-GPC: 1\`, \`--no-counts\`.`,
      requestBody: { content: jsonContent({ type: 'string' }, '{"opened":true}', 'text/plain') },
      responses: { '204': { description: 'Always.' } },
    },
  },
};

const always: Reply = { kind: 'empty', status: 204, headers: publicHeaders };

export function seenEndpoint(api: Api): PublicEndpoint {
  const { visits } = api;
  const limit = new AddressLimit();
  const places = new PublishedPlaces(api);
  return {
    ...{ public: true, method: 'POST', path: `/p/:slug/${seenFile}`, prefixes: [''] },
    streamsBody: 'beacon',
    problemHeaders: publicHeaders,
    async handle(request) {
      const body = await bodyOf(request);
      const isWelcome = request.headers['sec-gpc'] !== '1' && api.publishing !== undefined;
      if (visits !== undefined && isWelcome && limit.admits(request.caller.address, api.engine.writer.context().now))
        await count({ api, visits, places }, paramOf(request, 'slug'), body);
      return always;
    },
  };
}

const noPlaces = new Uint8Array();

interface Counting {
  readonly api: Api;
  readonly visits: VisitCounts;
  readonly places: PublishedPlaces;
}

/** @param address the slug or the name of a map */
async function count({ api, visits, places }: Counting, address: string, body: Buffer): Promise<void> {
  const { state } = api.engine;
  const visit = visitIn(body);
  const project = projectPublishedAt(state, address);
  if (visit === undefined || project?.publication === undefined) return;
  const known = visit.places.length === 0 ? noPlaces : await places.of(newestVersion(project.publication), project.accountId);
  // It may have been made private meanwhile.
  if (projectPublishedAt(state, address) === project)
    visits.add(project, { ...visit, places: visit.places.filter((id) => hasPlace(known, id)) });
}

/** The whole body; an empty one if it is too large, or does not arrive. */
async function bodyOf({ pieces }: ApiRequest<unknown>): Promise<Buffer> {
  const read: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces ?? []) {
      bytes += piece.byteLength;
      if (bytes > beaconBytesMax) return Buffer.alloc(0);
      read.push(piece);
    }
  } catch {
    return Buffer.alloc(0);
  }
  return Buffer.concat(read);
}

/** The visit in a beacon; `undefined` for anything else. */
function visitIn(body: Buffer): Visit | undefined {
  const parsed = parseJson(body);
  if (parsed.failure !== undefined || parsed.fieldErrors.length > 0) return undefined;
  const { value } = parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { opened, places = [], searches = 0, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0 || !(opened === undefined || opened === true)) return undefined;
  if (!Number.isInteger(searches) || (searches as number) < 0 || (searches as number) > searchesMax) return undefined;
  if (!Array.isArray(places) || places.length > placesMax || places.some((id) => typeof id !== 'string')) return undefined;
  return { opened: opened === true ? 1 : 0, searches: searches as number, places: [...new Set(places as string[])] };
}
