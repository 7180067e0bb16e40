/**
 * Publishes a project: stores a compressed copy of it, which is public from then on, and for a live map a copy of its rules, which is not.
 * The project may be changed meanwhile: the copies show the version at which publishing began. Publishing again without a change stores
 * nothing.
 */
import { createHash } from 'node:crypto';
import { createGzip } from 'node:zlib';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { runToEnd } from '../../lib/async/run-to-end.ts';
import { RecordTooLargeError } from '../../lib/errors.ts';
import type { Change } from '../../model/change.ts';
import {
  anyOrigin,
  type LivePublication,
  newLiveSecret,
  newSlug,
  publicationBytesMax,
  publicationJsonBytesMax,
  refreshOf,
  refreshRange,
  rulesBytesMax,
  rulesJsonBytesMax,
} from '../../model/publication.ts';
import { RecordBuilder } from '../../model/record.ts';
import { findAccount, findProject, type Versioned } from '../../store/find.ts';
import { projectsAfter } from '../../store/list/views.ts';
import type { AccountState, State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { newestVersion, type Publication } from '../../store/stored-publication.ts';
import type { ProjectName } from '../command.ts';
import type { Engine } from '../engine.ts';
import { memoryGrowth } from '../memory/change-estimate.ts';
import type { WriteOutcome } from '../write/write.ts';
import { copied, type Ended, finish } from './project-writer.ts';

/** A publication, and whether the project has changed since. */
export interface Published {
  readonly publication: Publication;
  readonly stale: boolean;
}

/** @param version LSN of the newest record about the publication; `undefined` if there is none */
type Allows = (version: number | undefined) => boolean;

interface PublishRequest extends ProjectName {
  /** Origins that may show the map in a frame; `undefined` keeps those of the publication, or allows any. */
  readonly origins?: readonly string[] | undefined;
  /** Seconds between two evaluations, 0 for a still map; `undefined` keeps that of the publication. At first a project with actions is live. */
  readonly refresh?: number | undefined;
  /** The shard that the slug names. */
  readonly shard: number;
  readonly allows: Allows;
  /** The JSON of the public part of the project. Captures its version when it is called. */
  json(project: StoredProject): Iterable<string | Buffer>;
  /** The JSON of its rules, as {@link json}. */
  rules(project: StoredProject): Iterable<string | Buffer>;
}

/** The publication of a project; the value is `undefined` if the project is missing, and its publication if it is not public. */
export function findPublished(
  state: State,
  { accountId, projectId }: ProjectName,
): Versioned<{ readonly published: Published | undefined }> {
  const { value: project, version } = findProject(state, accountId, projectId);
  if (project === undefined) return { value: undefined, version };
  const { publication } = project;
  return {
    value: { published: publication && publishedOf(project, publication) },
    version: Math.max(version, publication?.lsn ?? state.publicationsVersion),
  };
}

/** Some publications of an account, in the order of their projects. */
export interface PublicationPage {
  readonly page: readonly ({ readonly projectId: string } & Published)[];
  /** Whether others follow. */
  readonly more: boolean;
}

/** The version of the list of publications of an account: a change of a project may make its publication stale. */
export function publicationsVersion(state: State, accountId: string): Versioned<AccountState> {
  const { value: account, version } = findAccount(state, accountId);
  return { value: account, version: Math.max(version, account?.publicationsVersion ?? 0) };
}

/** Publications between two turns of the event loop. */
const sliceLength = 1000;

/**
 * Lists publications of an account; the value is `undefined` if the account is missing. A query for {@link Reader.search}.
 *
 * @param only identifiers of the projects that the key may read; `undefined` for all
 * @param after identifier of the project before the page; '' for none
 */
export function* searchPublications(
  state: State,
  accountId: string,
  only: ReadonlySet<string> | undefined,
  after: string,
  limit = Number.POSITIVE_INFINITY,
): Generator<void, Versioned<PublicationPage>> {
  const { value: account, version } = publicationsVersion(state, accountId);
  if (account === undefined) return { value: undefined, version };
  const page: PublicationPage['page'][number][] = [];
  for (const project of projectsAfter(account.published, only, after)) {
    if (page.length === limit) return { value: { page, more: true }, version };
    page.push({ projectId: project.id, ...publishedOf(project, project.publication as Publication) });
    if (page.length % sliceLength > 0) continue;
    yield;
    // The list shows one version: after a change meanwhile, it is made again, in one turn.
    const now = publicationsVersion(state, accountId);
    if (now.value !== account || now.version !== version)
      return runToEnd(searchPublications(state, accountId, only, after, limit));
  }
  return { value: { page, more: false }, version };
}

const publishedOf = (project: StoredProject, publication: Publication): Published => ({
  publication,
  stale: publication.projectVersion !== project.version,
});

/**
 * Publishes the current version of a project, durably. Rejects with {@link RecordTooLargeError} if the map is too large, and as
 * {@link Writer.execute} does, with nothing changed.
 */
export async function publishProject(engine: Engine, request: PublishRequest): Promise<WriteOutcome<Published>> {
  const { accountId, projectId } = request;
  engine.memory.refuseUnlessFits(1);
  return await inTurn(engine, accountId, async () => {
    const { state } = engine;
    const { value: project, version } = findProject(state, accountId, projectId);
    if (project === undefined) return finish(engine, accountId, () => missing(version));
    const before = project.publication;
    if (!request.allows(before?.lsn)) return finish(engine, accountId, () => stale(state, request));
    const origins = request.origins ?? before?.origins ?? [anyOrigin];
    const refresh = request.refresh ?? (before === undefined ? firstRefresh(project) : refreshOf(before));
    const projectVersion = project.version;
    const isPublished = before?.projectVersion === projectVersion;
    if (isPublished && refresh === refreshOf(before) && sameOrigins(origins, before.origins))
      return finish(engine, accountId, () => present(state, request));
    // Both capture the version here, before anything is awaited.
    const json = isPublished ? undefined : request.json(project);
    const rulesJson = refresh === 0 || (isPublished && before.live !== undefined) ? undefined : request.rules(project);
    const rules = rulesJson && (await compressed(rulesJson, engine, rulesLimits));
    try {
      const live = liveWith(refresh, before, rules?.content);
      if (json === undefined)
        return await commit(engine, headChange(request, before as Publication, { origins, projectVersion, live }));
      return await publishMap(engine, request, before, json, { origins, projectVersion, live });
    } finally {
      engine.memory.release(rules?.content.byteLength ?? 0);
    }
  });
}

type Head = Extract<Change, { op: 'put-publication' }>['head'];
type Settings = Pick<Head, 'origins' | 'projectVersion' | 'live'>;

/** Stores a new version, unless it is equal to the newest one. */
async function publishMap(
  engine: Engine,
  request: PublishRequest,
  before: Publication | undefined,
  json: Iterable<string | Buffer>,
  settings: Settings,
): Promise<WriteOutcome<Published>> {
  const { accountId, projectId } = request;
  const map = await compressed(json, engine, mapLimits);
  try {
    if (before !== undefined && newestVersion(before).digest === map.digest)
      return await commit(engine, headChange(request, before, settings));
    const { content, digest, jsonBytes } = map;
    const published = new Date(engine.writer.context().now).toISOString();
    const number = before === undefined ? 1 : newestVersion(before).version + 1;
    const newest = { version: number, digest, published, jsonBytes, bytes: content.byteLength };
    const head = { slug: before?.slug ?? newSlug(request.shard), ...settings, newest };
    return await commit(engine, { op: 'put-publication', accountId, projectId, head, content });
  } finally {
    engine.memory.release(map.content.byteLength);
  }
}

const firstRefresh = (project: StoredProject): number =>
  (project.collection('actions', '')?.size ?? 0) > 0 ? refreshRange.ofLiveMap : refreshRange.ofStillMap;

/** @param rules new rules; `undefined` keeps those of the publication */
function liveWith(refresh: number, before: Publication | undefined, rules: Uint8Array | undefined): LivePublication | undefined {
  if (refresh === 0) return undefined;
  const kept = rules ?? before?.live?.rules;
  if (kept === undefined) throw new Error('a live map has no rules');
  return { refresh, secret: before?.live?.secret ?? newLiveSecret(), rules: kept };
}

/** Makes a project private again, durably: its slug and all versions are forgotten. Missing if it was not public. */
export async function unpublishProject(
  engine: Engine,
  request: ProjectName & { readonly allows: Allows },
): Promise<WriteOutcome<undefined>> {
  const { accountId, projectId } = request;
  return await inTurn(engine, accountId, () =>
    finish(engine, accountId, () => {
      const { value, version } = findPublished(engine.state, request);
      if (value?.published === undefined) return missing(version);
      if (!request.allows(value.published.publication.lsn)) return { outcome: { outcome: 'stale' }, version };
      const lsn = engine.writer.commit([{ op: 'delete-publication', accountId, projectId }]);
      return { outcome: { outcome: 'done', shown: undefined }, version: lsn };
    }),
  );
}

/** An account publishes one project at a time: compressing a large one takes seconds of a thread. */
async function inTurn<T>({ publishing }: Engine, accountId: string, work: () => Promise<T>): Promise<T> {
  const wait = publishing.acquire(accountId);
  if (wait !== undefined) await wait;
  try {
    return await work();
  } finally {
    publishing.release(accountId);
  }
}

const missing = (version: number): Ended<never> => ({ outcome: { outcome: 'missing' }, version });

const stale = (state: State, name: ProjectName): Ended<never> => ({
  outcome: { outcome: 'stale' },
  version: findPublished(state, name).version,
});

/** The publication as it is. */
function present(state: State, name: ProjectName): Ended<Published> {
  const { value, version } = findPublished(state, name);
  return value?.published === undefined ? missing(version) : { outcome: { outcome: 'done', shown: value.published }, version };
}

type PutPublication = Extract<Change, { op: 'put-publication' }>;

/** The same map is public, with other settings or for a later version of the project. */
function headChange({ accountId, projectId }: ProjectName, before: Publication, settings: Settings): PutPublication {
  const { content: _, ...newest } = newestVersion(before);
  return { op: 'put-publication', accountId, projectId, head: { slug: before.slug, ...settings, newest } };
}

const sameOrigins = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((origin, i) => origin === others[i]);

/** Commits a change of a publication, unless its project is deleted meanwhile. A large one is written before its turn. */
async function commit(engine: Engine, change: PutPublication): Promise<WriteOutcome<Published>> {
  const { journal, state, writer } = engine;
  const { accountId } = change;
  const { runStart } = writer;
  const record = new RecordBuilder();
  record.add(change);
  if (runStart !== undefined) record.add(runStart);
  const pieces = record.pieces(writer.context().now);
  const byteLength = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const built = { changes: record.changes, weight: memoryGrowth(state, [change]) };
  const end = (encoded: Parameters<typeof writer.commit>[1] & object) => (): Ended<Published> => {
    const { value: project, version } = findProject(state, accountId, change.projectId);
    if (project === undefined) return missing(version);
    const lsn = writer.commit([change], encoded);
    return { outcome: { outcome: 'done', shown: publishedOf(project, project.publication as Publication) }, version: lsn };
  };
  if (byteLength <= journal.recordBytesMax)
    return finish(engine, accountId, end({ ...built, encoded: Buffer.concat(pieces, byteLength) }));
  writer.refuseChangesBeyondQuota([change]);
  const prepared = await journal.prepare(byteLength, async (into) => runCooperatively(copied(pieces, into)));
  try {
    return await finish(engine, accountId, end({ ...built, encoded: prepared }));
  } finally {
    journal.abort(prepared);
  }
}

interface CompressedMap {
  readonly content: Buffer;
  /** SHA-256 of the JSON, 64 hex digits. */
  readonly digest: string;
  readonly jsonBytes: number;
}

/** Size of the pieces that a thread compresses, in bytes. */
const pieceBytes = 64 * 1024;

/** The map, or its rules, are too large to be public. The message says which limit they exceed. */
export class MapTooLargeError extends RecordTooLargeError {
  /** What makes it smaller. */
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.advice = advice;
  }
}

const mebibyte = 1024 * 1024;

interface SizeLimits {
  readonly what: string;
  readonly advice: string;
  /** After compression, in bytes. */
  readonly bytesMax: number;
  /** Before compression, in bytes. */
  readonly jsonBytesMax: number;
}

const mapLimits: SizeLimits = {
  what: 'map',
  advice:
    'Make texts and pictures smaller, use addresses of pictures instead of "data:", or write files: npx mapwright publish PROJECT --out FOLDER',
  bytesMax: publicationBytesMax,
  jsonBytesMax: publicationJsonBytesMax,
};
const rulesLimits: SizeLimits = {
  what: 'set of data sources, variables and actions',
  advice: 'Delete those that the map does not need, or publish it as a still map, with "refresh": 0.',
  bytesMax: rulesBytesMax,
  jsonBytesMax: rulesJsonBytesMax,
};

/** Compresses a text in a thread, piece by piece. Reserves memory for the result, which the caller must release. */
async function compressed(
  json: Iterable<string | Buffer>,
  { memory }: Engine,
  { what, advice, bytesMax, jsonBytesMax }: SizeLimits,
): Promise<CompressedMap> {
  const gzip = createGzip();
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  let bytes = 0;
  let jsonBytes = 0;
  let heldBytes = 0;
  gzip.on('data', (part: Buffer) => {
    parts.push(part);
    bytes += part.byteLength;
  });
  const ended = new Promise<void>((resolve, reject) => void gzip.once('end', resolve).once('error', reject));
  // The error is that of the piece being written.
  ended.catch(() => undefined);
  const hold = (): void => {
    if (bytes > bytesMax) throw new MapTooLargeError(`The compressed ${what} has more than ${bytesMax / mebibyte} MiB`, advice);
    memory.hold(bytes - heldBytes);
    heldBytes = bytes;
  };
  try {
    for (const piece of inPieces(json)) {
      hash.update(piece);
      jsonBytes += piece.byteLength;
      if (jsonBytes > jsonBytesMax)
        throw new MapTooLargeError(`The ${what} has more than ${jsonBytesMax / mebibyte} MiB before compression`, advice);
      await new Promise<void>((resolve, reject) => {
        gzip.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      hold();
    }
    gzip.end();
    await ended;
    hold();
  } catch (error) {
    memory.release(heldBytes);
    throw error;
  } finally {
    gzip.destroy();
  }
  const content = Buffer.allocUnsafeSlow(bytes);
  await runCooperatively(copied(parts, content));
  return { content, digest: hash.digest('hex'), jsonBytes };
}

function* inPieces(json: Iterable<string | Buffer>): Generator<Buffer, void> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (const part of json) {
    const buffer = typeof part === 'string' ? Buffer.from(part) : part;
    waiting.push(buffer);
    bytes += buffer.byteLength;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(waiting, bytes);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting, bytes);
}
