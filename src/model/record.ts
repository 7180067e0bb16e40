/**
 * A record: the changes of one request, as msgpack `[schema version, time, changes]`. Each change is an array that starts with its
 * operation's number. Members are stored as rows (see generate.ts), never as msgpack maps: so no member name in a record comes from a client.
 */

import { idLength } from '../lib/text/ids.ts';
import { limitsFromRow, limitsRow, storedRate } from './account-limits.ts';
import { sliceElements } from './bodies/check-body.ts';
import type { Access, Account, Change, CollectionPath, Key, KeyKind } from './change.ts';
import { msgpackArray, msgpackEnd } from './msgpack.ts';
import { publicationFromRow, publicationRow } from './publication.ts';
import type { CollectionName } from './resource.ts';
import { collectionNames, projects, resourceOf } from './resources.ts';
import { pack, RecordFormatError, stored, unpack } from './stored.ts';
import { responseFromRow, responseRow } from './stored-response.ts';
import type { Row } from './value.ts';

/**
 * The newest version of records and rows that this program reads. Raise it when an older program would misread a record. Every earlier
 * version stays readable, and a later one is refused with a clear message. It is also the version of the rows in a snapshot.
 */
export const schemaVersion = 1;

/**
 * The version of the records and snapshots that this program writes. A program with a lower number here reads the newer records
 * already. The nodes of a cluster can be updated to it one by one, before one of them writes such a record.
 */
export const schemaVersionWritten: number = schemaVersion;

/** The versions that can be read, for messages. */
export const schemaVersionsRead = `up to version ${schemaVersion}`;

export function isSchemaVersionRead(version: unknown): boolean {
  return Number.isInteger(version) && (version as number) >= 1 && (version as number) <= schemaVersion;
}

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
  'put-response',
  'start-run',
  'put-publication',
  'delete-publication',
  'delete-key',
] as const satisfies Change['op'][];

export interface ChangeSet {
  /** When the write was decided: Unix time in milliseconds. */
  readonly time: number;
  readonly changes: readonly Change[];
}

/** A record of a later program version. This is not damage: no older record may replace it. */
export class SchemaVersionError extends RecordFormatError {}

/** Words of {@link Access}; append, never reorder. */
const accesses = ['write', 'read'] as const satisfies Access[];
const kinds = ['key', 'session', 'link'] as const satisfies KeyKind[];

export function encodeRecord({ time, changes }: ChangeSet): Buffer {
  return pack([schemaVersionWritten, time, changes.map(encodeChange)]);
}

/** Memory of the members in one change, in bytes: encoding them takes several times as much for a moment. */
const changeBytesMax = 256 * 1024;

/** Whether members that are encoded as one change are enough for it, so that a long record can be built in slices. */
export function isFullChange(members: number, bytes: number): boolean {
  return members >= sliceElements || bytes > changeBytesMax;
}

/**
 * Encodes a record change by change, over several turns: for a record that is too large for one turn, or whose size must be known while
 * it grows.
 */
export class RecordBuilder {
  readonly changes: Change[] = [];
  readonly #encoded: Buffer[] = [];
  #bytes = headBytesMax;

  /** Size of the record so far, in bytes; at most a few bytes too high. */
  get bytes(): number {
    return this.#bytes;
  }

  add(change: Change): void {
    this.changes.push(change);
    const bytes = pack(encodeChange(change));
    this.#encoded.push(bytes);
    this.#bytes += bytes.byteLength;
  }

  /** The record in pieces: concatenated, the same bytes as {@link encodeRecord} returns. */
  pieces(time: number): readonly Buffer[] {
    return [arrayHead(3), pack(schemaVersionWritten), pack(time), arrayHead(this.changes.length), ...this.#encoded];
  }
}

/** Size limit of the part before the changes: three array headers, a small number and a time. */
const headBytesMax = 16;

/** The msgpack header of an array. */
function arrayHead(length: number): Buffer {
  if (length < 0x10) return Buffer.of(0x90 | length);
  const head = Buffer.alloc(length < 0x1_0000 ? 3 : 5);
  head[0] = length < 0x1_0000 ? 0xdc : 0xdd;
  head.writeUIntBE(length, 1, head.length - 1);
  return head;
}

/** Part of every change that publishes a project: the number of the operation, and the head of an identifier. Other records rarely have it. */
export const publicationMark: Buffer = pack([ops.indexOf('put-publication'), 'x'.repeat(idLength)]).subarray(1, 4);

/** Decodes a record; throws {@link RecordFormatError} for anything but the output of {@link encodeRecord}. */
export function decodeRecord(bytes: Uint8Array): ChangeSet {
  const [version, time, changes] = unpack(bytes);
  // Only a scalar can be part of the message: an array may be nested without limit.
  if (typeof version === 'object' && version !== null) throw new RecordFormatError('the schema version is not a number');
  if (!isSchemaVersionRead(version)) {
    throw new SchemaVersionError(`schema version ${version}; this mapwright reads ${schemaVersionsRead}`);
  }
  return { time: stored.number(time, 'the time'), changes: stored.list(changes, 'the list of changes').map(decodeChange) };
}

/** Size from which a record is decoded change by change, in bytes: all changes at a time would take too much memory. */
export const largeRecordBytes = 1024 * 1024;

/** As {@link decodeRecord}, but decodes each change of a large record when it is iterated, and reports its errors only then. */
export function readRecord(bytes: Buffer): { readonly time: number; readonly changes: Iterable<Change> } {
  return bytes.byteLength < largeRecordBytes ? decodeRecord(bytes) : { time: headOf(bytes).time, changes: changesIn(bytes) };
}

/** The time of a record, and the position of its changes. */
function headOf(bytes: Buffer): { readonly time: number; readonly changesAt: number } {
  const { count, at } = msgpackArray(bytes, 0);
  if (count < 3 || msgpackEnd(bytes, 0) !== bytes.byteLength)
    throw new RecordFormatError('a record must be one array of 3 items');
  const changesAt = msgpackEnd(bytes, msgpackEnd(bytes, at));
  const { time } = decodeRecord(Buffer.concat([arrayHead(3), bytes.subarray(at, changesAt), arrayHead(0)]));
  return { time, changesAt };
}

/** The changes of a record, decoded one by one. Throws as {@link decodeRecord} does. */
export function* changesIn(bytes: Buffer): Generator<Change, void> {
  const { count, at } = msgpackArray(bytes, headOf(bytes).changesAt);
  let start = at;
  for (let i = 0; i < count; i++) {
    const end = msgpackEnd(bytes, start);
    yield decodeChange(unpack(bytes.subarray(start, end)));
    start = end;
  }
}

/** Number of columns in a key's row: without a rate, with one, and of what the console made. */
const keyRowLengths = [10, 11, 13] as const;

export const accountRow = ({ id, name, created, limits }: Account): Row => [id, name, created, ...limitsRow(limits)];
export const accountFromRow = (row: unknown): Account => {
  const [id, name, created, limits] = stored.list(row, 'an account');
  return {
    id: stored.text(id, 'the id of an account'),
    name: stored.text(name, 'the name of an account'),
    created: stored.text(created, 'the time of an account'),
    ...(limits === undefined ? {} : { limits: limitsFromRow(limits) }),
  };
};

export function keyRow(key: Key): Row {
  const { id, accountId, digest, created, revoked, expires, access, projects, label, replacedBy, rate, kind, maker } = key;
  const row = [id, accountId, digest, created, revoked, expires, accesses.indexOf(access), projects, label, replacedBy];
  if (kind !== 'key' || maker !== '') return [...row, rate, kinds.indexOf(kind), maker];
  return rate === '' ? row : [...row, rate];
}

/** Decodes the row of a key. A shorter row could widen the access of a key, so other lengths are rejected. */
export function keyFromRow(item: unknown): Key {
  const row = stored.list(item, 'a key');
  if (!keyRowLengths.some((length) => length === row.length))
    throw new RecordFormatError(`the row of a key has ${row.length} items, not ${keyRowLengths.join(', ')}`);
  const [id, accountId, digest, created, revoked, expires, access, projects, label, replacedBy, rate = '', kind = 0, maker = ''] =
    row;
  return {
    id: stored.text(id, 'the id of a key'),
    accountId: stored.text(accountId, 'the account of a key'),
    digest: stored.text(digest, 'the digest of a key'),
    created: stored.text(created, 'the time of a key'),
    revoked: stored.text(revoked, 'the end of a key'),
    expires: stored.text(expires, 'the expiry of a key'),
    access: stored.word(accesses, access, 'the access of a key'),
    projects: stored.texts(projects, 'the projects of a key'),
    label: stored.text(label, 'the label of a key'),
    replacedBy: stored.text(replacedBy, 'the successor of a key'),
    rate: storedRate(rate, ['']),
    kind: stored.word(kinds, kind, 'the kind of a key'),
    maker: stored.text(maker, 'the maker of a key'),
  };
}

/** Size of a run's id, in bytes. */
export const runIdLength = 8;

export const runIdBytes = (id: string): Buffer => Buffer.from(id, 'hex');

/** Throws {@link RecordFormatError} for anything but the output of {@link runIdBytes}. */
export function runIdFrom(item: unknown): string {
  const bytes = stored.bytes(item, 'the id of a run');
  if (bytes.byteLength !== runIdLength)
    throw new RecordFormatError(`the id of a run has ${bytes.byteLength} bytes, not ${runIdLength}`);
  return Buffer.from(bytes).toString('hex');
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
      return withCreated([op, change.accountId, projects.toRow(change.value)], change);
    case 'delete-project':
      return [op, change.accountId, change.projectId];
    case 'put':
      return withCreated([op, ...pathRow(change.path), change.values.map(resourceOf[change.path.collection].toRow)], change);
    case 'delete':
    case 'order':
      return [op, ...pathRow(change.path), change.ids];
    case 'delete-account':
      return [op, change.accountId];
    case 'put-response':
      return [op, change.accountId, responseRow(change.response)];
    case 'start-run':
      return [op, runIdBytes(change.id)];
    case 'put-publication':
      return [op, change.accountId, change.projectId, publicationRow(change.head), change.created];
    case 'delete-publication':
      return [op, change.accountId, change.projectId];
    case 'delete-key':
      return [op, change.accountId, change.keyId];
  }
}

function decodeChange(change: unknown): Change {
  const [number, ...parts] = stored.list(change, 'a change');
  const op = stored.word(ops, number, 'the operation of a change');
  switch (op) {
    case 'put-account':
      return { op, account: accountFromRow(parts[0]) };
    case 'put-key':
      return { op, key: keyFromRow(parts[0]) };
    case 'put-project':
      return {
        op,
        accountId: stored.text(parts[0], 'an account'),
        value: projects.fromRow(stored.list(parts[1], 'a project')),
        ...createdIn(parts[2]),
      };
    case 'delete-project':
      return { op, accountId: stored.text(parts[0], 'an account'), projectId: stored.text(parts[1], 'a project') };
    case 'put': {
      const path = decodePath(parts);
      const { fromRow } = resourceOf[path.collection];
      return {
        op,
        path,
        values: stored.list(parts[4], 'the list of members').map((row) => fromRow(stored.list(row, 'a member'))),
        ...createdIn(parts[5]),
      };
    }
    case 'delete':
    case 'order':
      return { op, path: decodePath(parts), ids: stored.texts(parts[4], 'an identifier') };
    case 'delete-account':
      return { op, accountId: stored.text(parts[0], 'an account') };
    case 'put-response':
      return { op, accountId: stored.text(parts[0], 'an account'), response: responseFromRow(parts[1]) };
    case 'start-run':
      return { op, id: runIdFrom(parts[0]) };
    case 'put-publication':
      return {
        op,
        accountId: stored.text(parts[0], 'an account'),
        projectId: stored.text(parts[1], 'a project'),
        head: publicationFromRow(parts[2]),
        created: stored.flag(parts[3], 'whether a publication is new'),
      };
    case 'delete-publication':
      return { op, accountId: stored.text(parts[0], 'an account'), projectId: stored.text(parts[1], 'a project') };
    case 'delete-key':
      return { op, accountId: stored.text(parts[0], 'an account'), keyId: stored.text(parts[1], 'a key') };
  }
}

function withCreated(row: unknown[], { created }: { readonly created?: boolean }): unknown[] {
  if (created !== undefined) row.push(created);
  return row;
}

/** Absent in a change that both creates and replaces members. */
function createdIn(item: unknown): { created?: boolean } {
  return item === undefined ? {} : { created: stored.flag(item, 'whether members are new') };
}

function decodePath([accountId, projectId, number, parentId]: unknown[]): CollectionPath {
  return {
    accountId: stored.text(accountId, 'an account'),
    projectId: stored.text(projectId, 'a project'),
    ...collectionAt(number, parentId),
  };
}

/** A collection by its number and parent: objects are in an artboard, all others in the project itself. */
export function collectionAt(number: unknown, parentId: unknown): { collection: CollectionName; parentId: string } {
  const collection = stored.word(collectionNames, number, 'a collection');
  const parent = stored.text(parentId, 'the parent of a collection');
  if ((collection === 'objects') !== (parent !== '')) throw new RecordFormatError(`${collection} in "${parent}"`);
  return { collection, parentId: parent };
}
