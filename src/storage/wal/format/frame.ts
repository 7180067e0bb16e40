/**
 * A frame: one batch on disk, written with one write. Little endian; it starts at a multiple of 512 bytes, and zeros fill it up
 * to the next one, so that no two frames ever share a sector.
 *
 *     byte  size
 *        0     4  magic "mwF1"
 *        4     1  type: 1 batch, 2 mark, 3 seal
 *        5     3  zero
 *        8     8  LSN of the first record; in a mark or a seal, which have none, the LSN that comes next
 *       16     4  records
 *       20     4  bytes of payload
 *       24     4  CRC-32 of the payload
 *       28     4  CRC of the frame before it; 0 in the first frame of a history
 *       32     8  wall clock, milliseconds since 1970 (float)
 *       40    20  zero
 *       60     4  CRC of the frame: CRC-32 of the 60 bytes above, begun with the segment's salt
 *       64        payload
 *
 * | type  | payload                                                                              |
 * | ----- | ------------------------------------------------------------------------------------ |
 * | batch | for each record its length (4 bytes) and its bytes                                    |
 * | mark  | none: it vouches for the frame before it                                               |
 * | seal  | names the successor: its first LSN (8), its salt (4), zero (4); the segment ends here |
 *
 * Reasons:
 * - The CRC of the frame covers the CRC of the payload, so it names the whole frame, and the next frame repeats it: frames of
 *   another history, or a frame that was lost in the middle, break the chain.
 * - The salt is random and never leaves the server: neither bytes a client put into a record nor those of a file's earlier life
 *   can look like a frame, wherever a search may come across them.
 * - Marks and seals take no LSN: a server that only starts and stops does not use up numbers.
 */
import { crc32 } from 'node:zlib';
import { readUint53, writeUint53 } from '../../../lib/bytes.ts';
import type { Lsn } from '../journal.ts';

/** Frames start at multiples of this many bytes: the sector, which a disk writes whole or not at all. */
export const frameAlignBytes = 512;
export const frameHeaderBytes = 64;
/** Bytes of the length before each record. */
export const recordLengthBytes = 4;
const sealPayloadBytes = 16;
const magic = 0x3146776d;

const typeCodes = { batch: 1, mark: 2, seal: 3 } as const;
type FrameType = keyof typeof typeCodes;
const typeNames: Readonly<Record<number, FrameType>> = { 1: 'batch', 2: 'mark', 3: 'seal' };

export interface FrameHeader {
  readonly type: FrameType;
  /** LSN of the first record; in a mark or a seal the LSN that comes next. */
  readonly firstLsn: Lsn;
  readonly count: number;
  readonly payloadBytes: number;
  readonly payloadCrc: number;
  /** CRC of the frame before it. */
  readonly previousCrc: number;
  /** Wall clock when it was written. */
  readonly timeMs: number;
}

/** What a seal names. */
export interface Successor {
  readonly firstLsn: Lsn;
  readonly salt: number;
}

/** A frame as it is written. */
export interface WholeFrame {
  readonly bytes: Buffer;
  readonly crc: number;
}

/** Bytes that a frame with this payload takes on disk. */
export function frameBytes(payloadBytes: number): number {
  return alignUp(frameHeaderBytes + payloadBytes);
}

/** The next multiple of the sector. */
function alignUp(bytes: number): number {
  return Math.ceil(bytes / frameAlignBytes) * frameAlignBytes;
}

/** Writes a header at the start of `into` and returns the frame's CRC. */
export function writeFrameHeader(into: Buffer, header: FrameHeader, salt: number): number {
  into.fill(0, 0, frameHeaderBytes);
  into.writeUInt32LE(magic, 0);
  into.writeUInt8(typeCodes[header.type], 4);
  writeUint53(into, header.firstLsn, 8);
  into.writeUInt32LE(header.count, 16);
  into.writeUInt32LE(header.payloadBytes, 20);
  into.writeUInt32LE(header.payloadCrc, 24);
  into.writeUInt32LE(header.previousCrc, 28);
  into.writeDoubleLE(header.timeMs, 32);
  const crc = crc32(into.subarray(0, 60), salt);
  into.writeUInt32LE(crc, 60);
  return crc;
}

/** Whether a frame's header stands at `offset`: right magic, right CRC under this salt. Says nothing of its payload. */
export function isFrameHeader(bytes: Buffer, offset: number, salt: number): boolean {
  if (offset + frameHeaderBytes > bytes.byteLength || bytes.readUInt32LE(offset) !== magic) return false;
  return crc32(bytes.subarray(offset, offset + 60), salt) === bytes.readUInt32LE(offset + 60);
}

/**
 * Reads the header at `offset`, where {@link isFrameHeader} holds, with the CRC of the frame; or returns a description of the first invalid
 * field. No crash explains an invalid field, because the CRC is valid.
 */
export function readFrameHeader(bytes: Buffer, offset: number): (FrameHeader & { readonly crc: number }) | string {
  const type = typeNames[bytes.readUInt8(offset + 4)];
  const firstLsn = readUint53(bytes, offset + 8);
  const count = bytes.readUInt32LE(offset + 16);
  const payloadBytes = bytes.readUInt32LE(offset + 20);
  if (type === undefined) return `a frame of the unknown type ${bytes.readUInt8(offset + 4)}`;
  if (firstLsn === undefined || firstLsn < 1 || !Number.isSafeInteger(firstLsn + count))
    return 'a frame whose LSN is out of range';
  if (type === 'batch' ? count === 0 : count !== 0) return `a ${type} with a record count of ${count}`;
  if (type === 'mark' && payloadBytes !== 0) return 'a mark with a payload';
  if (type === 'seal' && payloadBytes !== sealPayloadBytes) return `a seal with a payload of ${payloadBytes} bytes`;
  if (offset + frameBytes(payloadBytes) > bytes.byteLength) return `a ${type} that extends beyond the end of the segment`;
  return {
    type,
    firstLsn,
    count,
    payloadBytes,
    payloadCrc: bytes.readUInt32LE(offset + 24),
    previousCrc: bytes.readUInt32LE(offset + 28),
    timeMs: bytes.readDoubleLE(offset + 32),
    crc: bytes.readUInt32LE(offset + 60),
  };
}

function sealPayload(successor: Successor): Buffer {
  const payload = Buffer.alloc(sealPayloadBytes);
  writeUint53(payload, successor.firstLsn, 0);
  payload.writeUInt32LE(successor.salt, 8);
  return payload;
}

/** A whole mark: `nextLsn` is the LSN that comes next. */
export function markFrame(nextLsn: Lsn, previousCrc: number, timeMs: number, salt: number): WholeFrame {
  return frameWithoutRecords('mark', Buffer.alloc(0), { firstLsn: nextLsn, previousCrc, timeMs }, salt);
}

/** A whole seal. */
export function sealFrame(successor: Successor, previousCrc: number, timeMs: number, salt: number): WholeFrame {
  return frameWithoutRecords('seal', sealPayload(successor), { firstLsn: successor.firstLsn, previousCrc, timeMs }, salt);
}

type Place = Pick<FrameHeader, 'firstLsn' | 'previousCrc' | 'timeMs'>;

function frameWithoutRecords(type: FrameType, payload: Buffer, place: Place, salt: number): WholeFrame {
  const bytes = Buffer.alloc(frameBytes(payload.byteLength));
  payload.copy(bytes, frameHeaderBytes);
  const header = { ...place, type, count: 0, payloadBytes: payload.byteLength, payloadCrc: crc32(payload) };
  return { bytes, crc: writeFrameHeader(bytes, header, salt) };
}

/** What a seal's payload names; `undefined` when that is no LSN. */
export function readSealPayload(payload: Buffer): Successor | undefined {
  const firstLsn = readUint53(payload, 0);
  return firstLsn === undefined || firstLsn < 1 ? undefined : { firstLsn, salt: payload.readUInt32LE(8) };
}

/** Whether a batch's payload is exactly `count` records. */
export function holdsRecords(payload: Buffer, count: number): boolean {
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    if (at + recordLengthBytes > payload.byteLength) return false;
    at += recordLengthBytes + payload.readUInt32LE(at);
  }
  return at === payload.byteLength;
}

/** The records of a batch's payload, in order, as views of it. Only for a payload that {@link holdsRecords}. */
export function* payloadRecords(payload: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < payload.byteLength; ) {
    const start = at + recordLengthBytes;
    at = start + payload.readUInt32LE(at);
    yield payload.subarray(start, at);
  }
}
