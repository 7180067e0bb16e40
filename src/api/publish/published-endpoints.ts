/**
 * What is public: the page of a published map, the pointer to its newest version, and the map itself. These need no key, and name no
 * account. Any page may read them.
 */
import { blobOf } from '../../engine/files/published-maps.ts';
import { Problem } from '../../http/problem.ts';
import type { GzipReply, Reply } from '../../http/response/reply.ts';
import { type ApiRequest, type PublicEndpoint, paramOf } from '../../http/route.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import { liveFile, seenFile } from '../../model/publication.ts';
import { projectPublishedAt, type Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { newestVersion, type Publication } from '../../store/stored-publication.ts';
import { conditional, etagOfContent } from '../crud/etag.ts';
import { type Api, publicEndpoint } from '../declaration.ts';
import { fileHeaders, replyWithBytes } from '../files/file-bytes.ts';
import { storedFilesOf } from '../files/file-endpoints.ts';
import { livePublished } from '../live/live-access.ts';
import { orNote } from '../pages/note-page.ts';
import { publicHeaders } from '../pages/viewer-endpoint.ts';
import { oembedEndpoint } from './oembed-endpoint.ts';
import { type NamedMap, PageReplies, pageReply, pictureName, shortLived } from './page-replies.ts';
import { disabled } from './publication-endpoints.ts';
import type { Note } from './published-page.ts';
import { seenEndpoint } from './visits/seen-endpoint.ts';

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
    (show: (publication: Publication, request: PublicRequest, project: StoredProject) => Reply | Promise<Reply>) =>
    (request: PublicRequest): Reply | Promise<Reply> => {
      if (api.publishing === undefined) throw disabled('not_found');
      const slug = paramOf(request, 'slug');
      const seen = api.engine.reader.read((state) => findPublishedProject(state, slug));
      const reply = ({ value }: Versioned<StoredProject>): Reply | Promise<Reply> => {
        if (value?.publication === undefined) throw notPublic();
        return show(value.publication, request, value);
      };
      const waits = gate();
      return waits === undefined && !(seen instanceof Promise)
        ? reply(seen)
        : Promise.all([seen, waits]).then(([found]) => reply(found));
    };
  // Another start of the server may have others.
  const tilesTag = etagOfContent(JSON.stringify(api.tiles)).slice(1, 9);
  const named = (publication: Publication, { accountId, id }: StoredProject): NamedMap => ({
    ...{ publication, accountId, name: api.engine.state.names.ofProject(accountId, id) },
  });
  const find = async (address: string): Promise<NamedMap> => {
    if (api.publishing === undefined) throw disabled('not_found');
    const { value } = await api.engine.reader.read((state) => findPublishedProject(state, address));
    await gate();
    if (value?.publication === undefined) throw notPublic();
    return named(value.publication, value);
  };
  return [
    oembedEndpoint({ api, pages, find, notPublic }),
    open(
      '/p/:slug',
      orNote(
        gone,
        withPublication((publication, request, project) => page(api, pages, named(publication, project), request)),
      ),
    ),
    open(
      '/p/:slug/map.json',
      withPublication((publication, request) => pointer(api, tilesTag, publication, request)),
    ),
    seenEndpoint(api),
    open(`/p/:slug/${liveFile}`, (request) => liveResult(api, request, gate)),
    open(
      '/p/:slug/:file',
      withPublication((publication, request, { accountId }) => besidePage(api, publication, accountId, request)),
    ),
  ];
}

const gone: Note = { title: 'This map is not public (any more).', text: 'Ask the person who gave you the link.' };

/** One text for a slug that never existed, one that is forgotten, and a version that is not kept. */
const notPublic = () => new Problem('not_found', 'There is no such public map, or it is not public any more.');

async function page(api: Api, pages: PageReplies, map: NamedMap, request: PublicRequest): Promise<Reply> {
  const reply = pageReply(await pages.of(map), api, request.headers.host);
  return conditional(request, reply.etag, reply.headers, () => reply);
}

function pointer(api: Api, tilesTag: string, publication: Publication, request: PublicRequest): Reply {
  const { version, digest } = newestVersion(publication);
  const { visits } = api;
  const live = api.live && publication.live;
  const parts = [version, digest, ...(live === undefined ? [] : [live.refresh]), ...(visits === undefined ? ['uncounted'] : [])];
  const etag = `"${[...parts, tilesTag].join('-')}"`;
  return conditional(request, etag, shortLived, () => {
    const json = JSON.stringify({
      ...{ version, map: `${digest}.json` },
      ...(live && { live: liveFile, refresh: live.refresh }),
      tiles: api.tiles,
      ...(visits && { seen: seenFile }),
    });
    return { kind: 'json', status: 200, json, etag, headers: shortLived };
  });
}

/** A map, or the picture of one. */
function besidePage(api: Api, publication: Publication, accountId: string, request: PublicRequest): Reply | Promise<Reply> {
  const file = paramOf(request, 'file');
  const digest = digestFile.exec(file)?.[1];
  if (digest !== undefined) return map(api, publication, accountId, request, digest);
  const picture = publication.versions.find(
    ({ picture: each }) => each !== undefined && file === pictureName(each.digest),
  )?.picture;
  if (picture === undefined) throw notPublic();
  return replyWithBytes(api, request, { accountId, ...picture, type: 'image/png' }, { ...immutable, ...fileHeaders });
}

function map(
  api: Api,
  { versions }: Publication,
  accountId: string,
  request: PublicRequest,
  digest: string,
): Reply | Promise<Reply> {
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

/** @param address the slug or the name of a map */
function findPublishedProject(state: State, address: string): Versioned<StoredProject> {
  const project = projectPublishedAt(state, address);
  return { value: project, version: project?.publication?.lsn ?? state.publicationsVersion };
}

const still = () =>
  new Problem('not_found', 'This map is still: map.json names no "live". Publish it with a "refresh" to make it live.');
