/**
 * A record: the changes of one request, as msgpack. `[schema version, time, changes]`; each change is an array that starts with its
 * operation's number. Members travel as rows (see generate.ts), never as msgpack maps: an array has no names that a client chose.
 */
import { Packr } from 'msgpackr';
import type { Access, Account, Change, CollectionPath, Key } from './change.ts';
import { collectionNames, projects, resourceOf } from './resources.ts';
import type { Row } from './value.ts';

/**
 * The version of rows and records that this program writes; it reads those before it as well, and refuses a later one by name.
 *
 * 1: the first. 2: keys have expiry, access, projects and a label, and accounts can be deleted. Rows only grew, so the numbers differ for
 * one reason: a program that knows version 1 would take a restricted key for a full one.
 */
export const schemaVersion = 2;

/** Which versions are read, as a refusal says it. */
export const schemaVersionsRead = `versions 1 to ${schemaVersion}`;

export function isSchemaVersionRead(version: unknown): boolean {
  return Number.isInteger(version) && (version as number) >= 1 && (version as number) <= schemaVersion;
}

/** Arrays, strings, numbers, booleans and null only: no msgpack extension is written, and so none depends on the library. */
const packr = new Packr({ useRecords: false, moreTypes: false });

/** Numbers of the operations; append, never reorder. */
const ops = [
  'put-account',
  'put-key',
  'put-project',
  'delete-project',
  'put',
  'delete',
  'order',
  'delete-account',
] as const satisfies Change['op'][];

export interface ChangeSet {
  /** When it was decided: milliseconds since 1970, UTC. */
  readonly time: number;
  readonly changes: readonly Change[];
}

export class RecordFormatError extends Error {
  override readonly name = 'RecordFormatError';
}

/** A record of a later program: no damage, and nothing older may stand in for it. */
export class SchemaVersionError extends RecordFormatError {}

/** Words of {@link Access}; append, never reorder. */
const accesses = ['write', 'read'] as const satisfies Access[];

/** msgpack of arrays; the bytes are the caller's. */
export function pack(value: unknown): Buffer {
  return packr.pack(value);
}

/** Reads what {@link pack} wrote; throws {@link RecordFormatError} on anything else. */
export function unpack(bytes: Uint8Array): unknown[] {
  let value: unknown;
  try {
    value = packr.unpack(bytes);
  } catch (error) {
    throw new RecordFormatError(`not msgpack: ${(error as Error).message}`);
  }
  if (!Array.isArray(value)) throw new RecordFormatError('not an array');
  return value;
}

export function encodeRecord({ time, changes }: ChangeSet): Buffer {
  return pack([schemaVersion, time, changes.map(encodeChange)]);
}

export function decodeRecord(bytes: Uint8Array): ChangeSet {
  const [version, time, changes] = unpack(bytes);
  if (!isSchemaVersionRead(version)) {
    throw new SchemaVersionError(`schema version ${version}; this mapwright reads ${schemaVersionsRead}`);
  }
  if (typeof time !== 'number' || !Array.isArray(changes)) throw new RecordFormatError('not a record');
  return { time, changes: changes.map(decodeChange) };
}

/** Columns in the row of a key, in versions 1 and 2. */
const keyRowLengths = [5, 10] as const;

export const accountRow = ({ id, name, created }: Account): Row => [id, name, created];
export const accountFromRow = ([id, name, created]: string[]) => ({ id, name, created }) as Account;

export function keyRow(key: Key): Row {
  const { id, accountId, digest, created, revoked, expires, access, projects, label, replacedBy } = key;
  return [id, accountId, digest, created, revoked, expires, accesses.indexOf(access), projects, label, replacedBy];
}

/** A row of version 1 ends after `revoked`: its key may do everything, for ever. Anything else that is short or unknown is refused. */
export function keyFromRow(row: Row): Key {
  const [id, accountId, digest, created, revoked] = row as string[];
  const [expires, number, projects, label, replacedBy] =
    row.length === keyRowLengths[0] ? ['', 0, [], '', ''] : row.slice(keyRowLengths[0]);
  const access = accesses[number as number];
  const known = row.length === keyRowLengths[0] || row.length === keyRowLengths[1];
  if (!known || access === undefined || !Array.isArray(projects)) throw new RecordFormatError('the row of a key is not whole');
  return { id, accountId, digest, created, revoked, expires, access, projects, label, replacedBy } as Key;
}

const pathRow = ({ accountId, projectId, collection, parentId }: CollectionPath) => [
  accountId,
  projectId,
  collectionNames.indexOf(collection),
  parentId,
];

function encodeChange(change: Change): unknown[] {
  const op = ops.indexOf(change.op);
  switch (change.op) {
    case 'put-account':
      return [op, accountRow(change.account)];
    case 'put-key':
      return [op, keyRow(change.key)];
    case 'put-project':
      return [op, change.accountId, projects.toRow(change.value)];
    case 'delete-project':
      return [op, change.accountId, change.projectId];
    case 'put':
      return [op, ...pathRow(change.path), change.values.map(resourceOf[change.path.collection].toRow)];
    case 'delete':
    case 'order':
      return [op, ...pathRow(change.path), change.ids];
    case 'delete-account':
      return [op, change.accountId];
  }
}

// Rows come from our own encoder behind a checksum; what is checked here is that this program knows them.
// biome-ignore lint/suspicious/noExplicitAny: positional arrays of mixed types
function decodeChange([number, ...parts]: any[]): Change {
  const op = ops[number];
  switch (op) {
    case 'put-account':
      return { op, account: accountFromRow(parts[0]) };
    case 'put-key':
      return { op, key: keyFromRow(parts[0]) };
    case 'put-project':
      return { op, accountId: parts[0], value: projects.fromRow(parts[1]) };
    case 'delete-project':
      return { op, accountId: parts[0], projectId: parts[1] };
    case 'put': {
      const path = decodePath(parts);
      return { op, path, values: parts[4].map(resourceOf[path.collection].fromRow) };
    }
    case 'delete':
    case 'order':
      return { op, path: decodePath(parts), ids: parts[4] };
    case 'delete-account':
      return { op, accountId: parts[0] };
    default:
      throw new RecordFormatError(`unknown operation ${number}`);
  }
}

function decodePath([accountId, projectId, number, parentId]: unknown[]): CollectionPath {
  const collection = collectionNames[number as number];
  if (collection === undefined) throw new RecordFormatError(`unknown collection ${number}`);
  return { accountId: accountId as string, projectId: projectId as string, collection, parentId: parentId as string };
}
