/**
 * The snapshot file: the state as of one LSN, in chunks that can be verified, decoded and copied each on its own.
 *
 *     ┌────────┬───────┬───────┬─ ··· ─┬───────┬─ ··· ─┬──────┬─────────┐
 *     │ header │ chunk │ chunk │       │ index │       │ root │ trailer │
 *     └────────┴───────┴───────┴─ ··· ─┴───────┴─ ··· ─┴──────┴─────────┘
 *
 * The root leads to index chunks, these to the chunks of projects and members: each may stand in this file or in that of an older
 * snapshot of the same folder, so that a fold writes what records touched and nothing else. A backup has everything in its own file.
 *
 * Header (64 bytes): magic `MWSNAPSH`, format version u32, schema version u32, LSN u64, made at f64 (ms since 1970), lineage 16 bytes,
 * salt of the segment that continues it u32, greatest time of a record in it f64 (zero: not known), CRC of the 60 bytes before it.
 * Chunk: a head of 16 bytes (magic `CHNK`, kind u32, length of the payload u32, CRC of kind, length and payload u32), then the payload
 * (msgpack).
 * Trailer (32 bytes): magic `MWSNAPEN`, offset of the root u64, number of index chunks in the file, the root among them, u32, number of
 * its other chunks u32, CRC of the header u32, CRC of the 28 bytes before it. (Version 1 refers to no other file; its root is the first of
 * the index chunks, which stand together at the end.)
 *
 * Numbers are little-endian, CRCs are CRC-32 (zlib's). A chunk holds at most 64 KiB or 256 members, or one member that is larger.
 * A snapshot is written as `.tmp` and gets its name, its LSN in 16 hex digits and `.snapshot`, only after it was synced and read back.
 */
import { crc32 } from 'node:zlib';
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';

/** What is written. */
export const formatVersion = 2;
/** Oldest version that is read: the first one, in which a file holds everything. */
export const formatVersionMin = 1;
export const headerBytes = 64;
export const chunkHeadBytes = 16;
export const trailerBytes = 32;
/** Payload of a chunk of members, at most, unless a single member is larger. */
export const chunkBytesMax = 64 * 1024;

const headerMagic = 'MWSNAPSH';
const chunkMagic = 0x4b4e4843; // 'CHNK'
const trailerMagic = 'MWSNAPEN';

export const chunkKinds = ['accounts', 'keys', 'project', 'members', 'index', 'answers'] as const;
export type ChunkKind = (typeof chunkKinds)[number];

export interface SnapshotHeader {
  readonly formatVersion: number;
  readonly schemaVersion: number;
  /** The newest record in it. */
  readonly lsn: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** 32 hex digits. */
  readonly lineage: string;
  /** Salt of the segment that begins with the next record: what ties the snapshot to one log. */
  readonly nextSalt: number;
  /** The greatest time that a record in it carries, in milliseconds since 1970; where that was not written down, {@link madeAt}. */
  readonly newestTime: number;
}

export interface SnapshotTrailer {
  /** Of the root, in bytes from the start of the file. */
  readonly indexOffset: number;
  readonly indexChunks: number;
  readonly dataChunks: number;
  readonly headerCrc: number;
}

/** Where a chunk stands in its file, and its checksum. */
export interface ChunkPlace {
  /** Of its head, in bytes from the start of the file. */
  readonly offset: number;
  /** Of its payload, in bytes. */
  readonly length: number;
  readonly crc: number;
}

/** Where a chunk stands. */
export interface ChunkRef extends ChunkPlace {
  /** LSN of the snapshot in whose file it is. */
  readonly file: number;
}

export const snapshotName = (lsn: number): string => `${lsn.toString(16).padStart(16, '0')}.snapshot`;

/** The LSN in a snapshot's name; `undefined` for other names. */
export function snapshotLsn(name: string): number | undefined {
  const match = /^([0-9a-f]{16})\.snapshot$/.exec(name);
  return match === null ? undefined : Number.parseInt(match[1] as string, 16);
}

export function encodeHeader(header: SnapshotHeader): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write(headerMagic, 0, 'latin1');
  bytes.writeUInt32LE(header.formatVersion, 8);
  bytes.writeUInt32LE(header.schemaVersion, 12);
  bytes.writeBigUInt64LE(BigInt(header.lsn), 16);
  bytes.writeDoubleLE(header.madeAt, 24);
  bytes.write(header.lineage, 32, 'hex');
  bytes.writeUInt32LE(header.nextSalt, 48);
  bytes.writeDoubleLE(header.newestTime, 52);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Whether a file begins like a snapshot or a backup. */
export function isSnapshotFile(files: Files, path: string): boolean {
  const fd = files.open(path, 'r');
  try {
    const head = Buffer.alloc(headerMagic.length);
    files.read(fd, head, 0);
    return head.toString('latin1') === headerMagic;
  } finally {
    files.close(fd);
  }
}

/** Throws {@link CorruptError}, or {@link FolderError} for a version that is not known here: that is no damage, nothing older may replace it. */
export function decodeHeader(bytes: Buffer, file: string): SnapshotHeader {
  if (bytes.length < headerBytes || bytes.toString('latin1', 0, 8) !== headerMagic) {
    throw new CorruptError(file, 0, 'expected the header of a snapshot');
  }
  const version = bytes.readUInt32LE(8);
  if (bytes.readUInt32LE(60) !== crc32(bytes.subarray(0, 60)))
    throw new CorruptError(file, 0, 'the checksum of the header does not match');
  if (version < formatVersionMin || version > formatVersion) {
    throw new FolderError(
      `${file} has format version ${version}; this mapwright reads versions ${formatVersionMin} to ${formatVersion}.`,
    );
  }
  const lsn = Number(bytes.readBigUInt64LE(16));
  if (!Number.isSafeInteger(lsn) || lsn < 1) throw new CorruptError(file, 16, `there is no record ${lsn}`);
  const madeAt = bytes.readDoubleLE(24);
  const newestTime = bytes.readDoubleLE(52);
  if (!Number.isFinite(newestTime)) throw new CorruptError(file, 52, 'the time of the newest record is none');
  return {
    formatVersion: version,
    schemaVersion: bytes.readUInt32LE(12),
    lsn,
    madeAt,
    lineage: bytes.toString('hex', 32, 48),
    nextSalt: bytes.readUInt32LE(48),
    newestTime: newestTime || madeAt,
  };
}

export function encodeTrailer(trailer: SnapshotTrailer): Buffer {
  const bytes = Buffer.alloc(trailerBytes);
  bytes.write(trailerMagic, 0, 'latin1');
  bytes.writeBigUInt64LE(BigInt(trailer.indexOffset), 8);
  bytes.writeUInt32LE(trailer.indexChunks, 16);
  bytes.writeUInt32LE(trailer.dataChunks, 20);
  bytes.writeUInt32LE(trailer.headerCrc, 24);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 28)), 28);
  return bytes;
}

/** @param offset where the trailer stands in the file: its end less {@link trailerBytes} */
export function decodeTrailer(bytes: Buffer, file: string, offset: number): SnapshotTrailer {
  if (
    offset < headerBytes ||
    bytes.toString('latin1', 0, 8) !== trailerMagic ||
    bytes.readUInt32LE(28) !== crc32(bytes.subarray(0, 28))
  ) {
    throw new CorruptError(file, Math.max(offset, 0), 'expected the trailer of a snapshot');
  }
  const trailer = {
    indexOffset: Number(bytes.readBigUInt64LE(8)),
    indexChunks: bytes.readUInt32LE(16),
    dataChunks: bytes.readUInt32LE(20),
    headerCrc: bytes.readUInt32LE(24),
  };
  if (trailer.indexOffset < headerBytes || trailer.indexOffset > offset) {
    throw new CorruptError(file, offset + 8, 'the index lies outside of the file');
  }
  return trailer;
}

export interface ChunkHead extends ChunkPlace {
  readonly kind: ChunkKind;
}

/** A chunk's head, and where the chunk will stand: at `offset`. */
export function encodeChunkHead(kind: ChunkKind, payload: Uint8Array, offset: number): { bytes: Buffer; place: ChunkPlace } {
  const bytes = Buffer.alloc(chunkHeadBytes);
  bytes.writeUInt32LE(chunkMagic, 0);
  bytes.writeUInt32LE(chunkKinds.indexOf(kind), 4);
  bytes.writeUInt32LE(payload.byteLength, 8);
  const crc = chunkCrc(bytes, payload);
  bytes.writeUInt32LE(crc, 12);
  return { bytes, place: { offset, length: payload.byteLength, crc } };
}

/** @param end where the chunks of the file end */
export function decodeChunkHead(bytes: Buffer, file: string, offset: number, end: number): ChunkHead {
  if (bytes.length < chunkHeadBytes || bytes.readUInt32LE(0) !== chunkMagic)
    throw new CorruptError(file, offset, 'expected a chunk');
  const kind = chunkKinds[bytes.readUInt32LE(4)];
  const length = bytes.readUInt32LE(8);
  if (kind === undefined || offset + chunkHeadBytes + length > end)
    throw new CorruptError(file, offset, 'the head of a chunk makes no sense');
  return { kind, offset, length, crc: bytes.readUInt32LE(12) };
}

/** Bytes that a chunk takes in its file. */
export const chunkBytes = ({ length }: ChunkPlace): number => chunkHeadBytes + length;

/** Where the next chunk begins. */
export const chunkEnd = (place: ChunkPlace): number => place.offset + chunkBytes(place);

/** The checksum of a chunk whose head and payload are these. */
export function chunkCrc(head: Uint8Array, payload: Uint8Array): number {
  return crc32(payload, crc32(head.subarray(4, 12)));
}
