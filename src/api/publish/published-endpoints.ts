/**
 * What is public: the page of a published map, the pointer to its newest version, and the map itself. These need no key, and name no
 * account. Any page may read them.
 */
import { blobOf } from '../../engine/files/published-maps.ts';
import { Problem } from '../../http/problem.ts';
import type { GzipReply, Reply } from '../../http/response/reply.ts';
import { type ApiRequest, type PublicEndpoint, paramOf } from '../../http/route.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import { liveFile } from '../../model/publication.ts';
import type { Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { newestVersion, type Publication } from '../../store/stored-publication.ts';
import { conditional } from '../crud/etag.ts';
import { type Api, publicEndpoint } from '../declaration.ts';
import { storedFilesOf } from '../files/file-endpoints.ts';
import { livePublished } from '../live/live-access.ts';
import { publicHeaders } from '../pages/viewer-endpoint.ts';
import { PageReplies, pageHeaders, shortLived } from './page-replies.ts';
import { disabled } from './publication-endpoints.ts';
import { notePage, pagePolicy } from './published-page.ts';

/** The name of a map is the digest of its bytes. */
const immutable = { ...publicHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

const digestFile = /^([0-9a-f]{64})\.json$/;

type PublicRequest = ApiRequest<undefined>;

/** An endpoint that pages of every origin use. */
const open = (path: string, handle: PublicEndpoint['handle']): PublicEndpoint => publicEndpoint(path, handle, publicHeaders);

/** @param gate see ListenerOptions.responseGate: the owner of a cluster must prove that it still is */
export function publishedEndpoints(api: Api, gate: () => Promise<void> | undefined): PublicEndpoint[] {
  const pages = new PageReplies(api);
  const withPublication =
    (show: (publication: Publication, request: PublicRequest, accountId: string) => Reply | Promise<Reply>) =>
    (request: PublicRequest): Reply | Promise<Reply> => {
      if (api.publishing === undefined) throw disabled('not_found');
      const slug = paramOf(request, 'slug');
      const seen = api.engine.reader.read((state) => findPublishedProject(state, slug));
      const reply = ({ value }: Versioned<StoredProject>): Reply | Promise<Reply> => {
        if (value?.publication === undefined) throw notPublic();
        return show(value.publication, request, value.accountId);
      };
      const waits = gate();
      return waits === undefined && !(seen instanceof Promise)
        ? reply(seen)
        : Promise.all([seen, waits]).then(([found]) => reply(found));
    };
  return [
    open('/p/:slug', orPage(withPublication((publication, request, accountId) => page(pages, publication, accountId, request)))),
    open(
      '/p/:slug/map.json',
      withPublication((publication, request) => pointer(api, publication, request)),
    ),
    open(`/p/:slug/${liveFile}`, (request) => liveResult(api, request, gate)),
    open(
      '/p/:slug/:file',
      withPublication((publication, request, accountId) => map(api, publication, accountId, request)),
    ),
  ];
}

/** A browser gets a page instead of the problem that there is no such map. */
function orPage(show: PublicEndpoint['handle']): PublicEndpoint['handle'] {
  return async (request) => {
    try {
      return await show(request);
    } catch (error) {
      const isBrowser = request.headers.accept?.includes('text/html');
      if (!isBrowser || !(error instanceof Problem) || error.code !== 'not_found') throw error;
      return {
        kind: 'text',
        status: 404,
        text: notePage('This map is not public (any more).', 'Ask the person who gave you the link.'),
        contentType: 'text/html; charset=utf-8',
        headers: pageHeaders(pagePolicy(undefined, '*')),
      };
    }
  };
}

/** One text for a slug that never existed, one that is forgotten, and a version that is not kept. */
const notPublic = () => new Problem('not_found', 'There is no such public map, or it is not public any more.');

async function page(pages: PageReplies, publication: Publication, accountId: string, request: PublicRequest): Promise<Reply> {
  const reply = await pages.of(publication, accountId);
  return conditional(request, reply.etag, reply.headers, () => reply);
}

function pointer({ live: service }: Api, publication: Publication, request: PublicRequest): Reply {
  const { version, digest } = newestVersion(publication);
  const live = service && publication.live;
  const etag = live === undefined ? `"${version}-${digest}"` : `"${version}-${digest}-${live.refresh}"`;
  return conditional(request, etag, shortLived, () => {
    const json = JSON.stringify({
      ...{ version, map: `${digest}.json` },
      ...(live && { live: liveFile, refresh: live.refresh }),
    });
    return { kind: 'json', status: 200, json, etag, headers: shortLived };
  });
}

function map(api: Api, { versions }: Publication, accountId: string, request: PublicRequest): Reply | Promise<Reply> {
  const digest = digestFile.exec(paramOf(request, 'file'))?.[1];
  const found = versions.find((version) => version.digest === digest);
  if (found === undefined) throw notPublic();
  const etag = `"${found.digest}"`;
  // With spreads of object literals, a quarter fewer requests are served.
  const replyWith = (gzip: GzipReply['gzip']): Reply => ({
    kind: 'gzip',
    status: 200,
    gzip,
    length: found.jsonBytes,
    contentType: 'application/json; charset=utf-8',
    etag,
    headers: immutable,
  });
  const files = storedFilesOf(api);
  return conditional(request, etag, immutable, (): Reply | Promise<Reply> => {
    const kept = files.maps.find(found);
    if (kept !== undefined) return replyWith(kept);
    return orDamaged(() => files.reading(blobOf(found), () => files.maps.open(found, accountId))).then(replyWith);
  });
}

const damagedText =
  'The map is damaged or missing on the disk of the server. Publish the project again, or restore the map from a backup.';

/** Reads a map. Throws the problem of a damaged one. */
async function orDamaged<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof BlobDamagedError ? new Problem('internal_error', damagedText) : error;
  }
}

/** The newest evaluation. Its request is what keeps the map evaluated. */
async function liveResult(api: Api, request: ApiRequest<unknown>, gate: () => Promise<void> | undefined): Promise<Reply> {
  if (api.publishing === undefined) throw disabled('not_found');
  const slug = paramOf(request, 'slug');
  const { value: project } = await api.engine.reader.read((state) => findPublishedProject(state, slug));
  if (project?.publication === undefined) throw notPublic();
  const published = livePublished(api, project);
  if (api.live === undefined || published === undefined) throw still();
  const { live, version } = published;
  const { maps } = api.live;
  const result = await orDamaged(() => maps.result(published));
  await gate();
  const etag = `"${version}-${result.digest}"`;
  const headers = {
    ...publicHeaders,
    'Cache-Control': result.isComplete ? `public, max-age=${live.refresh}` : 'no-store',
  };
  return conditional(request, etag, headers, () => ({
    kind: 'gzip',
    status: 200,
    gzip: result.gzip,
    length: result.jsonBytes,
    contentType: 'application/json; charset=utf-8',
    etag,
    headers,
  }));
}

function findPublishedProject(state: State, slug: string): Versioned<StoredProject> {
  const project = state.publications.get(slug);
  return { value: project, version: project?.publication?.lsn ?? state.publicationsVersion };
}

const still = () =>
  new Problem('not_found', 'This map is still: map.json names no "live". Publish it with a "refresh" to make it live.');
