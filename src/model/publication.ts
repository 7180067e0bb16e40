/**
 * Publications: the public copy of a project. Its map is JSON, whose SHA-256 is its public name. It is stored as a blob: compressed with gzip,
 * and named by the SHA-256 of these bytes.
 */
import { randomBytes } from 'node:crypto';
import { RecordFormatError, stored } from './stored.ts';
import type { Row, Value } from './value.ts';

/** Size limit of one compressed map, in bytes. */
export const publicationBytesMax = 32 * 1024 * 1024;

/** Size limit of one map before compression, in bytes: clients that do not accept gzip get it so. */
export const publicationJsonBytesMax = 64 * 1024 * 1024;

/** Size limit of the compressed rules of a live map, in bytes: they are part of each record and each snapshot index about it. */
export const rulesBytesMax = 1024 * 1024;

/** Size limit of the rules before compression, in bytes. */
export const rulesJsonBytesMax = 4 * 1024 * 1024;

/** How many versions of a map are kept: pages that are open read an older one. */
export const publishedVersionsMax = 3;

/**
 * The members of a project that are public, with their collections. The others may hold secrets, or say whose project it is. Of `settings`,
 * a map has those that {@link publicSettings} selects.
 */
export const publicMembers = ['id', 'created', 'name', 'artboards', 'popups'] as const;

/** The members of a project that decide what a live map shows. Never public: they may hold secrets. */
export const ruleMembers = ['data_sources', 'variables', 'actions'] as const;

/** Seconds between two evaluations of a live map; 0 for a still map. */
export const refreshRange = { least: 5, most: 86_400, ofLiveMap: 60, ofStillMap: 0 } as const;

/** Whether a publication may have this refresh, in seconds. */
export const isRefresh = (value: number): boolean =>
  value === refreshRange.ofStillMap || (Number.isInteger(value) && value >= refreshRange.least && value <= refreshRange.most);

/** Name of the result of the newest evaluation, next to the map. */
export const liveFile = 'live.json';

/** Name of what counts visits, next to the map. */
export const seenFile = 'seen';

/** Any site may show the map in a frame. */
export const anyOrigin = '*';

/** The bytes of a file. */
export interface FileBytes {
  /** Name of the blob, 64 hex digits. */
  readonly digest: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Media type. */
  readonly type: string;
}

/** A file that a published map shows: its address works although the file is deleted from the project. */
export interface ShownFile extends FileBytes {
  /** In its address. */
  readonly slug: string;
}

/** The name and size of a blob that belongs to a version. */
export interface BesideMap {
  /** Name of the blob, 64 hex digits: the SHA-256 of its bytes. */
  readonly digest: string;
  /** Size in bytes. */
  readonly bytes: number;
}

/** One version of a published map. Its bytes are a blob. */
export interface PublishedVersion {
  /** Counts from 1. */
  readonly version: number;
  /** SHA-256 of the JSON, 64 hex digits. */
  readonly digest: string;
  /** RFC 3339 */
  readonly published: string;
  /** Length of the JSON, in bytes. */
  readonly jsonBytes: number;
  /** Length of the compressed JSON, in bytes. */
  readonly bytes: number;
  /** SHA-256 of the compressed JSON, 64 hex digits: the name of its blob. */
  readonly blob: string;
  /** The files that the map shows, each once. */
  readonly files: readonly ShownFile[];
  /** The content of its page, JSON compressed with gzip; `undefined` if there is none, as for versions of before. */
  readonly page?: BesideMap | undefined;
  /** A picture of it, PNG, for programs that show a link to it; `undefined` if there is none. */
  readonly picture?: BesideMap | undefined;
}

/** What makes a publication a live map. */
export interface LivePublication {
  /** Seconds between two evaluations, see {@link refreshRange}. */
  readonly refresh: number;
  /** Random, 64 hex digits: hides the keys of items in the identifiers of created objects. */
  readonly secret: string;
  /** The {@link ruleMembers} as published: JSON, compressed with gzip. */
  readonly rules: Uint8Array;
}

/** A publication as a record has it: with its newest version only. */
export interface PublicationHead {
  /** The last part of the public address; see {@link newSlug}. */
  readonly slug: string;
  /** Origins whose pages may show the map in a frame; `*` alone for any. */
  readonly origins: readonly string[];
  /** LSN of the version of the project that the newest map shows. */
  readonly projectVersion: number;
  /** `undefined` for a still map. */
  readonly live: LivePublication | undefined;
  readonly newest: PublishedVersion;
}

/** Digits of a slug: no letters that are easily confused. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Digits for 128 random bits, after the digit of the shard. */
const randomDigits = 26;
const shardDigits = 36;

const slugForm = new RegExp(`^[0-9a-z][${alphabet}]{${randomDigits}}$`);

/**
 * A new slug: a digit that names the shard of a cluster (0 to 9, a to z), and 128 random bits.
 *
 * @param shard 0 on one machine
 */
export function newSlug(shard: number): string {
  if (!(Number.isInteger(shard) && shard >= 0 && shard < shardDigits)) throw new RangeError(`no digit for shard ${shard}`);
  let bits = BigInt(`0x${randomBytes(16).toString('hex')}`);
  let digits = '';
  for (let i = 0; i < randomDigits; i++) {
    digits = alphabet[Number(bits & 31n)] + digits;
    bits >>= 5n;
  }
  return shard.toString(shardDigits) + digits;
}

/** The shard that a slug names; `undefined` for a text that is no slug. */
export function shardOfSlug(slug: string): number | undefined {
  return slugForm.test(slug) ? Number.parseInt(slug.charAt(0), shardDigits) : undefined;
}

const digestForm = /^[0-9a-f]{64}$/;

function digestFrom(item: unknown, what: string): string {
  const text = stored.text(item, what);
  if (!digestForm.test(text)) throw new RecordFormatError(`${what} is not 64 hex digits`);
  return text;
}

/** @param file of a project */
export const bytesOfFile = (file: Value): FileBytes => ({
  ...{ digest: file['digest'] as string, bytes: file['bytes'] as number, type: file['type'] as string },
});

const shownFileRow = ({ slug, digest, bytes, type }: ShownFile): Row => [slug, digest, bytes, type];

function shownFileFromRow(item: unknown): ShownFile {
  const [slug, digest, bytes, type] = stored.list(item, 'a file of a published map');
  return {
    slug: slugFrom(slug),
    digest: digestFrom(digest, 'the digest of a file of a published map'),
    bytes: stored.count(bytes, 'the size of a file of a published map'),
    type: stored.text(type, 'the type of a file of a published map'),
  };
}

/** The last columns are omitted where there is nothing beside the map. */
export function publishedVersionRow(all: PublishedVersion): Row {
  const { version, digest, published, jsonBytes, bytes, blob, files, page, picture } = all;
  const row = [version, digest, published, jsonBytes, bytes, blob, files.map(shownFileRow)];
  return page === undefined && picture === undefined ? row : [...row, besideRow(page), besideRow(picture)];
}

const besideRow = (beside: BesideMap | undefined): Row => (beside === undefined ? [] : [beside.digest, beside.bytes]);

function besideFromColumn(item: unknown, what: string): BesideMap | undefined {
  const [digest, bytes] = item === undefined ? [] : stored.list(item, what);
  if (digest === undefined) return undefined;
  return { digest: digestFrom(digest, what), bytes: stored.count(bytes, `the size of ${what}`) };
}

export function publishedVersionFromRow(item: unknown): PublishedVersion {
  const [version, digest, published, jsonBytes, bytes, blob, files, pageColumn, pictureColumn] = stored.list(
    item,
    'a version of a publication',
  );
  const page = besideFromColumn(pageColumn, 'the page of a published map');
  const picture = besideFromColumn(pictureColumn, 'the picture of a published map');
  return {
    version: stored.count(version, 'the version of a publication'),
    digest: digestFrom(digest, 'the digest of a publication'),
    published: stored.text(published, 'the time of a publication'),
    jsonBytes: stored.count(jsonBytes, 'the length of a published map'),
    bytes: stored.count(bytes, 'the size of a published map', publicationBytesMax),
    blob: digestFrom(blob, 'the blob of a published map'),
    files: stored.list(files, 'the files of a published map').map(shownFileFromRow),
    ...(page && { page }),
    ...(picture && { picture }),
  };
}

export function publicationRow({ slug, origins, projectVersion, newest, live }: PublicationHead): Row {
  return [slug, origins, projectVersion, publishedVersionRow(newest), ...liveColumns(live)];
}

/** The last column of a publication: omitted for a still map. */
export const liveColumns = (live: LivePublication | undefined): Row =>
  live === undefined ? [] : [[live.refresh, Buffer.from(live.secret, 'hex'), live.rules]];

/** Seconds between two evaluations; 0 for a still map. */
export const refreshOf = ({ live }: Pick<PublicationHead, 'live'>): number => live?.refresh ?? refreshRange.ofStillMap;

export const newLiveSecret = (): string => randomBytes(secretBytes).toString('hex');

const secretBytes = 32;

/** @param item the column of {@link liveColumns}; `undefined` for a still map */
export function liveFromColumn(item: unknown): LivePublication | undefined {
  if (item === undefined) return undefined;
  const [refresh, secret, rules] = stored.list(item, 'the live part of a publication');
  const secretFound = stored.bytes(secret, 'the secret of a publication');
  if (secretFound.byteLength !== secretBytes)
    throw new RecordFormatError(`the secret of a publication has ${secretFound.byteLength} bytes, not ${secretBytes}`);
  const rulesFound = stored.bytes(rules, 'the rules of a publication');
  if (rulesFound.byteLength > rulesBytesMax)
    throw new RecordFormatError(`the rules of a publication have ${rulesFound.byteLength} bytes, more than ${rulesBytesMax}`);
  return {
    refresh: stored.count(refresh, 'the refresh of a publication', refreshRange.most),
    secret: Buffer.from(secretFound).toString('hex'),
    // A copy: the bytes are part of a record or of an index, which they would keep in memory.
    rules: rulesFound.slice(),
  };
}

export function publicationFromRow(item: unknown): PublicationHead {
  const [slug, origins, projectVersion, newest, live] = stored.list(item, 'a publication');
  return {
    slug: slugFrom(slug),
    origins: stored.texts(origins, 'the origins of a publication'),
    projectVersion: stored.count(projectVersion, 'the version of a published project'),
    newest: publishedVersionFromRow(newest),
    live: liveFromColumn(live),
  };
}

export function slugFrom(item: unknown): string {
  const slug = stored.text(item, 'the slug of a publication');
  if (shardOfSlug(slug) === undefined) throw new RecordFormatError('the slug of a publication has the wrong form');
  return slug;
}
