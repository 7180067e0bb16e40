/**
 * A record: the changes of one request, as msgpack `[schema version, time, changes]`. Each change is an array that starts with its
 * operation's number. Members are stored as rows (model/generate.ts), never as msgpack maps: so no member name in a record comes from a client.
 */
import { idLength, isUuid } from '../../lib/text/ids.ts';
import { sliceElements } from '../../model/bodies/check-body.ts';
import { msgpackArray, msgpackEnd } from '../../model/msgpack.ts';
import { isSchemaVersionRead, SchemaVersionError, schemaVersionsRead, schemaVersionWritten } from '../../model/schema-version.ts';
import { pack, RecordFormatError, stored, unpack } from '../../model/stored.ts';
import { type Change, numberOf, operationOf, operations } from './operations.ts';

export interface ChangeSet {
  /** When the write was decided: Unix time in milliseconds. */
  readonly time: number;
  readonly changes: readonly Change[];
}

/** The changes of a record, and whose they are, if a person makes them. @param by the person, or the key; '' for none */
export const signed = (changes: readonly Change[], by: string): readonly Change[] =>
  isUuid(by) ? [{ op: 'sign', personId: by }, ...changes] : changes;

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

  /** @param by as for {@link signed} */
  constructor(by: string) {
    for (const change of signed([], by)) this.add(change);
  }

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
export const publicationMark: Buffer = pack([numberOf('put-publication'), 'x'.repeat(idLength)]).subarray(1, 4);

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

function encodeChange(change: Change): unknown[] {
  return [numberOf(change.op), ...operationOf(change).encode(change)];
}

function decodeChange(change: unknown): Change {
  const [number, ...items] = stored.list(change, 'a change');
  const { op, decode } = stored.word(operations, number, 'the operation of a change');
  return Object.assign({ op }, decode(items));
}
