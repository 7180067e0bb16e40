/**
 * Publishes a project: stores a compressed copy of it, which is public from then on, and for a live map a copy of its rules, which is not.
 * The project may be changed meanwhile: the copies show the version at which publishing began. Publishing again without a change stores
 * nothing. A publication remembers the files that its maps show: their addresses work as long as it shows them.
 */
import { runCooperatively } from '../../lib/async/cooperative.ts';
import {
  anyOrigin,
  type BesideMap,
  bytesOfFile,
  type LivePublication,
  newLiveSecret,
  newSlug,
  type PublishedVersion,
  refreshOf,
  refreshRange,
  type ShownFile,
} from '../../model/publication.ts';
import { fileAddress } from '../../model/references/file-references.ts';
import type { Value } from '../../model/value.ts';
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import { findProject } from '../../store/find.ts';
import type { Change } from '../../store/operations/operations.ts';
import { RecordBuilder } from '../../store/operations/record.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { newestVersion, type Publication } from '../../store/stored-publication.ts';
import type { Command, ProjectName } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import { memoryGrowth } from '../memory/change-estimate.ts';
import { giveUpName, NameTakenError } from '../write/map-names.ts';
import type { WriteOutcome } from '../write/write.ts';
import { checkName, commitNamed, keepsName, type Naming } from './commit-named.ts';
import { findPublished, type Published, publishedOf } from './find-publications.ts';
import { copied, type Ended, finish } from './project-writer.ts';
import { compressRules, storeBeside, storeMap } from './store-map.ts';

/** @param version LSN of the newest record about the publication; `undefined` if there is none */
type Allows = (version: number | undefined) => boolean;

interface PublishRequest extends Naming {
  /** Origins that may show the map in a frame; `undefined` keeps those of the publication, or allows any. */
  readonly origins?: readonly string[] | undefined;
  /** Seconds between two evaluations, 0 for a still map; `undefined` keeps that of the publication. At first a project with actions is live. */
  readonly refresh?: number | undefined;
  /** The shard that the slug names. */
  readonly shard: number;
  readonly allows: Allows;
  /** The JSON of the public part of the project. Captures its version when it is called. */
  json(project: StoredProject): Iterable<string | Buffer>;
  /** Collects the slugs of the files that the public part names, as {@link json}. */
  shows(project: StoredProject): Generator<void, ReadonlySet<string>>;
  /** The JSON of its rules, as {@link json}. */
  rules(project: StoredProject): Iterable<string | Buffer>;
  /**
   * Makes the content of the page of a map; `undefined` if there is none. Without it, maps have no pages of their own.
   *
   * @param map its JSON, compressed with gzip
   */
  page?(map: Uint8Array): Promise<Uint8Array | undefined>;
}

/**
 * Publishes the current version of a project, durably. Rejects with {@link MapTooLargeError} if the map is too large, with
 * {@link NameTakenError} or TooManyNamesError if it cannot have the name, and as {@link Writer.execute} does, with nothing changed.
 */
export async function publishProject(engine: Engine, request: PublishRequest): Promise<WriteOutcome<Published>> {
  const { accountId, projectId } = request;
  const { state, files: stored } = engine;
  if (stored === undefined) throw new Error('publishing needs a store of blobs');
  engine.memory.refuseUnlessFits(1);
  // An account publishes one project at a time: compressing a large one takes seconds of a thread.
  const publishing = engine.publishing.within(accountId, async () => {
    const { value: project, version } = findProject(state, accountId, projectId);
    if (project === undefined) return finish(engine, accountId, () => missing(version));
    const before = project.publication;
    if (!request.allows(before?.lsn)) return finish(engine, accountId, () => stale(state, request));
    checkName(engine, request);
    const origins = request.origins ?? before?.origins ?? [anyOrigin];
    const refresh = request.refresh ?? (before === undefined ? firstRefresh(project) : refreshOf(before));
    const projectVersion = project.version;
    const isPublished = before?.projectVersion === projectVersion && isWhole(stored, request, newestVersion(before));
    const hasSettings = isPublished && refresh === refreshOf(before) && sameOrigins(origins, before.origins);
    if (hasSettings && keepsName(engine, request)) return finish(engine, accountId, () => present(state, request));
    // All of them capture the version here, before anything is awaited.
    const content = isPublished ? undefined : contentOf(request, project);
    const rulesJson = refresh === 0 || (isPublished && before.live !== undefined) ? undefined : request.rules(project);
    const rules = rulesJson && (await compressRules(engine, rulesJson));
    try {
      const live = liveWith(refresh, before, rules);
      if (content === undefined)
        return await commit(engine, request, headChange(request, before as Publication, { origins, projectVersion, live }));
      return await publishMap(engine, stored, request, before, content, { origins, projectVersion, live });
    } finally {
      engine.memory.release(rules?.byteLength ?? 0);
    }
  });
  try {
    return await publishing;
  } catch (error) {
    // The refusal shows who has a name, which must not be undone by a crash.
    if (error instanceof NameTakenError) await engine.journal.durable(state.lsn);
    throw error;
  }
}

/** False for a version that publishing again repairs: its bytes are damaged, or it has no page yet. */
function isWhole({ collector }: StoredFiles, request: PublishRequest, { blob, page }: PublishedVersion): boolean {
  if (collector.isDamaged(blob) || (page !== undefined && collector.isDamaged(page.digest))) return false;
  return page !== undefined || request.page === undefined;
}

type Head = Extract<Change, { op: 'put-publication' }>['head'];
type Settings = Pick<Head, 'origins' | 'projectVersion' | 'live'>;

/** What becomes public, at one version of the project. */
interface Content {
  readonly json: Iterable<string | Buffer>;
  readonly slugs: Generator<void, ReadonlySet<string>>;
  /** The files of the project. */
  readonly files: readonly Value[];
}

const contentOf = ({ json, shows }: PublishRequest, project: StoredProject): Content => ({
  ...{ json: json(project), slugs: shows(project) },
  files: Array.from(project.collection('files', '')?.capture() ?? [], ({ value }) => value),
});

/** Stores a new version, unless it is equal to the newest one: its bytes first, then the record. */
async function publishMap(
  engine: Engine,
  stored: StoredFiles,
  request: PublishRequest,
  before: Publication | undefined,
  { json, ...shown }: Content,
  settings: Settings,
): Promise<WriteOutcome<Published>> {
  const { accountId, projectId } = request;
  const files = await shownFiles(shown, before);
  // A file that is deleted meanwhile is still shown.
  const holds = files.map(({ digest }) => stored.blobs.hold(digest));
  try {
    const { blob, digest, jsonBytes } = await storeMap(stored, accountId, json);
    holds.push(blob.hold);
    const bytesOf = { bytes: blob.bytes, blob: blob.digest };
    const last = before && newestVersion(before);
    const page = await storePage(engine, stored, request, blob);
    if (page !== undefined) holds.push(page.hold);
    const beside = page && { page: { digest: page.digest, bytes: page.bytes } };
    if (before !== undefined && last?.digest === digest)
      return await commit(engine, request, headChange(request, before, settings, { ...bytesOf, files, ...beside }));
    const published = new Date(engine.writer.context().now).toISOString();
    const newest = { version: (last?.version ?? 0) + 1, digest, published, jsonBytes, ...bytesOf, files, ...beside };
    const head = { slug: before?.slug ?? newSlug(request.shard), ...settings, newest };
    return await commit(engine, request, { op: 'put-publication', accountId, projectId, head, created: before === undefined });
  } finally {
    for (const hold of holds) hold.release();
  }
}

/** Stores the content of the page of a map that is stored; `undefined` if there is none. */
async function storePage(
  { memory }: Engine,
  stored: StoredFiles,
  { accountId, page }: PublishRequest,
  map: BlobName,
): Promise<StoredBlob | undefined> {
  if (page === undefined) return undefined;
  memory.hold(map.bytes);
  try {
    const content = await page(await stored.blobs.read(map.digest, map.bytes, accountId));
    return content && (await storeBeside(stored, accountId, content));
  } finally {
    memory.release(map.bytes);
  }
}

/** The files that the map names: those of the project, and those of the publication that the project does not have any more. */
async function shownFiles({ slugs, files }: Omit<Content, 'json'>, before: Publication | undefined): Promise<ShownFile[]> {
  const named = await runCooperatively(slugs);
  const shown = new Map<string, ShownFile>();
  const add = (file: ShownFile) => void (named.has(file.slug) && shown.set(file.slug, file));
  for (const version of before?.versions ?? []) version.files.forEach(add);
  for (const file of files) {
    const slug = fileAddress(String(file['url']))?.slug;
    if (slug !== undefined) add({ slug, ...bytesOfFile(file) });
  }
  return [...shown.values()];
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

/** Gives the newest version of a publication a picture, durably. The caller holds its blob. Missing if the project is not public. */
export async function putPicture(
  engine: Engine,
  request: ProjectName & Pick<Command, 'by'> & { readonly allows: Allows; readonly picture: BesideMap },
): Promise<WriteOutcome<Published>> {
  const { accountId } = request;
  return await engine.publishing.within(accountId, async () => {
    const { value, version } = findPublished(engine.state, request);
    const before = value?.published?.publication;
    if (before === undefined) return finish(engine, accountId, () => missing(version));
    if (!request.allows(before.lsn)) return finish(engine, accountId, () => stale(engine.state, request));
    const { digest, bytes } = request.picture;
    return await commitChanges(engine, request, [headChange(request, before, before, { picture: { digest, bytes } })]);
  });
}

/** Makes a project private again, durably: its slug and all versions are forgotten, and its name is given up. Missing if it was not public. */
export async function unpublishProject(
  engine: Engine,
  request: ProjectName & Pick<Command, 'by'> & { readonly allows: Allows },
): Promise<WriteOutcome<undefined>> {
  const { accountId, projectId, by = '' } = request;
  return await engine.publishing.within(accountId, () =>
    finish(engine, accountId, () => {
      const { value, version } = findPublished(engine.state, request);
      if (value?.published === undefined) return missing(version);
      if (!request.allows(value.published.publication.lsn)) return { outcome: { outcome: 'stale' }, version };
      const { now } = engine.writer.context();
      const named = giveUpName(engine.state, request, now);
      const lsn = engine.writer.commit([{ op: 'delete-publication', accountId, projectId }, ...named], undefined, {
        ...{ by, replaces: false },
      });
      return { outcome: { outcome: 'done', shown: undefined }, version: lsn };
    }),
  );
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
function headChange(
  { accountId, projectId }: ProjectName,
  before: Publication,
  settings: Settings,
  stored?: Partial<Pick<PublishedVersion, 'blob' | 'bytes' | 'files' | 'page' | 'picture'>>,
): PutPublication {
  const { origins, projectVersion, live } = settings;
  const newest = { ...newestVersion(before), ...stored };
  const head = { slug: before.slug, origins, projectVersion, live, newest };
  return { op: 'put-publication', accountId, projectId, head, created: false };
}

const sameOrigins = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((origin, i) => origin === others[i]);

/** Commits a change of a publication, and of the name of its map. */
const commit = (engine: Engine, request: Naming, change: PutPublication): Promise<WriteOutcome<Published>> =>
  commitNamed(engine, request, [change], (changes, mayCommit) => commitChanges(engine, request, changes, mayCommit));

/** Commits changes of a publication, unless its project is deleted meanwhile. A large record is written before its turn. */
async function commitChanges(
  engine: Engine,
  { accountId, projectId, by = '' }: ProjectName & Pick<Command, 'by'>,
  changes: readonly Change[],
  mayCommit: () => void = () => undefined,
): Promise<WriteOutcome<Published>> {
  const { journal, state, writer } = engine;
  const { runStart } = writer;
  const record = new RecordBuilder(by);
  for (const change of changes) record.add(change);
  if (runStart !== undefined) record.add(runStart);
  const pieces = record.pieces(writer.context().now);
  const byteLength = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const built = { changes: record.changes, weight: memoryGrowth(state, changes) };
  const end = (encoded: Parameters<typeof writer.commit>[1] & object) => (): Ended<Published> => {
    const { value: project, version } = findProject(state, accountId, projectId);
    if (project === undefined) return missing(version);
    mayCommit();
    const lsn = writer.commit(changes, encoded);
    return { outcome: { outcome: 'done', shown: publishedOf(state, project, project.publication as Publication) }, version: lsn };
  };
  if (byteLength <= journal.recordBytesMax)
    return finish(engine, accountId, end({ ...built, encoded: Buffer.concat(pieces, byteLength) }));
  writer.refuseChangesBeyondQuota(changes);
  const prepared = await journal.prepare(byteLength, async (into) => runCooperatively(copied(pieces, into)));
  try {
    return await finish(engine, accountId, end({ ...built, encoded: prepared }));
  } finally {
    journal.abort(prepared);
  }
}
