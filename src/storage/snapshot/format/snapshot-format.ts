/**
 * The snapshot file: the state as of one LSN, in chunks that can be verified, decoded and copied separately.
 *
 *     ┌────────┬───────┬───────┬─ ··· ─┬───────┬─ ··· ─┬──────┬─────────┐
 *     │ header │ chunk │ chunk │       │ index │       │ root │ trailer │
 *     └────────┴───────┴───────┴─ ··· ─┴───────┴─ ··· ─┴──────┴─────────┘
 *
 * The root refers to index chunks, and these to the chunks of projects and members. Each may be in this file or in the file of an older
 * snapshot of the same folder, so that a snapshot writes only what records touched. A backup is complete in one file. Only a backup contains, or
 * lists, the blobs of its files.
 *
 * Header (64 bytes): magic `MWSNAPSH`, format version u32, schema version u32, LSN u64, creation time f64 (Unix ms), lineage 16 bytes,
 * salt of the segment that continues it u32, latest time of a record in it f64, CRC of the previous 60 bytes.
 * Chunk: a head of 16 bytes (magic `CHNK`, kind u32, length of the payload u32, CRC of kind, length and payload u32), then the payload
 * (msgpack; of a blob, up to 1 MiB of its bytes).
 * Trailer (32 bytes): magic `MWSNAPEN`, offset of the root u64, number of index chunks in the file including the root u32, number of
 * its other chunks u32, CRC of the header u32, CRC of the previous 28 bytes.
 *
 * Numbers are little-endian, CRCs are CRC-32 (zlib's). A chunk contains at most 64 KiB or 256 members, or one larger member.
 * A snapshot is written as `.tmp`. It gets its name (its LSN in 16 hex digits and `.snapshot`) only after a sync and a read-back.
 */
import { crc32 } from 'node:zlib';
import { CorruptError, FolderError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';

/** The version of the format; a file with another one is refused. */
export const snapshotFormatVersion = 1;
export const headerBytes = 64;
export const chunkHeadBytes = 16;
export const trailerBytes = 32;
/** Size limit of the payload of a member chunk, unless a single member is larger. */
export const chunkBytesMax = 64 * 1024;

const headerMagic = 'MWSNAPSH';
const chunkMagic = 0x4b4e4843; // 'CHNK'
const trailerMagic = 'MWSNAPEN';

export const chunkKinds = ['accounts', 'keys', 'project', 'members', 'index', 'responses', 'blobs', 'blob', 'visits'] as const;
export type ChunkKind = (typeof chunkKinds)[number];

export interface SnapshotHeader {
  readonly schemaVersion: number;
  /** LSN of its newest record. */
  readonly lsn: number;
  /** Creation time: Unix time in milliseconds. */
  readonly madeAt: number;
  /** 32 hex digits. */
  readonly lineage: string;
  /** Salt of the segment that begins with the next record: ties the snapshot to one log. */
  readonly nextSalt: number;
  /** Latest time of a record in it, Unix time in milliseconds. */
  readonly newestTime: number;
}

export interface SnapshotTrailer {
  /** Position of the root, in bytes from the start of the file. */
  readonly indexOffset: number;
  readonly indexChunks: number;
  readonly dataChunks: number;
  readonly headerCrc: number;
}

/** Position of a chunk in its file, and its checksum. */
interface ChunkPlace {
  /** Position of its head, in bytes from the start of the file. */
  readonly offset: number;
  /** Length of its payload, in bytes. */
  readonly length: number;
  readonly crc: number;
}

/** Position of a chunk, including its file. */
export interface ChunkRef extends ChunkPlace {
  /** LSN of the snapshot whose file contains it. */
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
  bytes.writeUInt32LE(snapshotFormatVersion, 8);
  bytes.writeUInt32LE(header.schemaVersion, 12);
  bytes.writeBigUInt64LE(BigInt(header.lsn), 16);
  bytes.writeDoubleLE(header.madeAt, 24);
  bytes.write(header.lineage, 32, 'hex');
  bytes.writeUInt32LE(header.nextSalt, 48);
  bytes.writeDoubleLE(header.newestTime, 52);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Whether a file begins with the magic of a snapshot or a backup. */
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

/** Throws {@link CorruptError}, or {@link FolderError} for an unknown version: that is not damage, and no older file may replace it. */
export function decodeHeader(bytes: Buffer, file: string): SnapshotHeader {
  if (bytes.length < headerBytes || bytes.toString('latin1', 0, 8) !== headerMagic) {
    throw new CorruptError(file, 0, 'expected the header of a snapshot');
  }
  const version = bytes.readUInt32LE(8);
  if (bytes.readUInt32LE(60) !== crc32(bytes.subarray(0, 60)))
    throw new CorruptError(file, 0, 'the checksum of the header does not match');
  if (version !== snapshotFormatVersion)
    throw new FolderError(`${file} has format version ${version}; this mapwright reads version ${snapshotFormatVersion}.`);
  const lsn = Number(bytes.readBigUInt64LE(16));
  if (!Number.isSafeInteger(lsn) || lsn < 1) throw new CorruptError(file, 16, `${lsn} is not a valid LSN`);
  const newestTime = bytes.readDoubleLE(52);
  if (!Number.isFinite(newestTime)) throw new CorruptError(file, 52, 'the time of the newest record is not a number');
  return {
    schemaVersion: bytes.readUInt32LE(12),
    lsn,
    madeAt: bytes.readDoubleLE(24),
    lineage: bytes.toString('hex', 32, 48),
    nextSalt: bytes.readUInt32LE(48),
    newestTime,
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

/** @param offset position of the trailer: the end of the file minus {@link trailerBytes} */
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
    throw new CorruptError(file, offset + 8, 'the offset of the index is outside of the file');
  }
  return trailer;
}

export interface ChunkHead extends ChunkPlace {
  readonly kind: ChunkKind;
}

/** Encodes the head of a chunk at `offset`. */
export function encodeChunkHead(kind: ChunkKind, payload: Uint8Array, offset: number): { bytes: Buffer; place: ChunkPlace } {
  const bytes = Buffer.alloc(chunkHeadBytes);
  bytes.writeUInt32LE(chunkMagic, 0);
  bytes.writeUInt32LE(chunkKinds.indexOf(kind), 4);
  bytes.writeUInt32LE(payload.byteLength, 8);
  const crc = chunkCrc(bytes, payload);
  bytes.writeUInt32LE(crc, 12);
  return { bytes, place: { offset, length: payload.byteLength, crc } };
}

/** @param end end of the file's chunks */
export function decodeChunkHead(bytes: Buffer, file: string, offset: number, end: number): ChunkHead {
  if (bytes.length < chunkHeadBytes || bytes.readUInt32LE(0) !== chunkMagic)
    throw new CorruptError(file, offset, 'expected a chunk');
  const kind = chunkKinds[bytes.readUInt32LE(4)];
  const length = bytes.readUInt32LE(8);
  if (kind === undefined || offset + chunkHeadBytes + length > end)
    throw new CorruptError(file, offset, 'the head of a chunk is invalid');
  return { kind, offset, length, crc: bytes.readUInt32LE(12) };
}

/** Size of a chunk in its file, in bytes. */
export const chunkBytes = ({ length }: ChunkPlace): number => chunkHeadBytes + length;

/** Position of the next chunk. */
export const chunkEnd = (place: ChunkPlace): number => place.offset + chunkBytes(place);

/** The checksum of a chunk. */
export function chunkCrc(head: Uint8Array, payload: Uint8Array): number {
  return crc32(payload, crc32(head.subarray(4, 12)));
}
