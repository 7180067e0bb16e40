/**
 * A segment: one file of the log, of a fixed size from birth. Its name is the LSN of its first record in 16 hex digits:
 * `00000000000000ff.segment` begins with record 255.
 *
 *     0      512                                                      size - 512      size
 *     | header | frame | frame | mark | frame | ...  seal |  zeros         |             |
 *                                                                          '- only a seal may stand here
 *
 * Life: `spare.tmp` (being made: zeros and a header, synced) -> `spare` (ready) -> `<lsn>.segment` (receives frames) -> sealed
 * (a seal names its successor; never written again) -> deleted, once a snapshot covers it.
 *
 * A record that is too large for such a segment gets one of its own size, `large.tmp` -> `large` -> `<lsn>.segment`. It holds the payload
 * of its first frame from birth, all but the frame's header, which is zeros until the record is appended: large-record.ts.
 *
 * Frames overwrite zeros that are already on the disk: a sync then has no block to allocate and no file size to record, and a
 * full disk cannot stop what was admitted. A folder entry is made before the file is needed, so the name of a segment always
 * stands for a complete header: one that does not verify is damage, never a crash.
 *
 * The header fills the first 512 bytes, little endian:
 *
 *     byte  size
 *        0     8  magic "mapwrlog"
 *        8     4  format version, 1
 *       12     4  bytes of the whole segment
 *       16    16  lineage
 *       32     4  salt of its frames
 *       36     1  how it is synced: 0 always, 1 interval, 2 never
 *       37     1  1 when it was made for one large record, 0 otherwise
 *       38     2  format revision of the program that made it (format-revision.ts); 0 before there were any
 *       40     8  made at, milliseconds since 1970 (float)
 *       48   460  zero
 *      508     4  CRC-32 of the 508 bytes above
 */
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptError, FolderError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import type { Lsn } from '../journal.ts';
import { formatRevision, readableRevision } from './format-revision.ts';
import { frameAlignBytes, frameBytes, frameHeaderBytes, recordLengthBytes } from './frame.ts';

export const segmentHeaderBytes = 512;
export const segmentBytesDefault = 16 * 1024 * 1024;
/** Minimum size that a server uses; the format allows less ({@link checkSegmentBytes}). */
export const segmentBytesMin = 1024 * 1024;
/** Bounds the memory of a reader, which holds a whole segment. */
export const segmentBytesMax = 256 * 1024 * 1024;
export const spareName = 'spare';
export const largeName = 'large';
/** A header, two frames, a seal. */
const sectorsMin = 4;
const magic = Buffer.from('mapwrlog', 'latin1');
export const segmentFormatVersion = 1;
const namePattern = /^[0-9a-f]{16}\.segment$/;

/**
 * When a record counts as durable: after its own fdatasync; once written, synced each second; once written. `interval` is for a log whose
 * records are also elsewhere, such as a cache, where a crash costs only time. Users choose between durable writes and fast ones.
 */
const syncModes = ['always', 'interval', 'never'] as const;
export type SyncMode = (typeof syncModes)[number];
/** The modes that users can choose. */
export const userSyncModes = ['always', 'never'] as const satisfies readonly SyncMode[];
export type UserSyncMode = (typeof userSyncModes)[number];
const syncCodes: Readonly<Record<SyncMode, number>> = { always: 0, interval: 1, never: 2 };

export interface SegmentHeader {
  readonly segmentBytes: number;
  /** 32 hex digits. */
  readonly lineage: string;
  readonly salt: number;
  readonly sync: SyncMode;
  readonly createdMs: number;
  /** It was made for one large record, whose payload it holds from the start. */
  readonly large?: boolean;
  /** In a header that was read, the format revision of the program that made it. {@link encodeSegmentHeader} writes that of this program. */
  readonly revision?: number;
}

/** A segment by its name, unread. */
export interface SegmentFile {
  readonly firstLsn: Lsn;
  readonly path: string;
}

/** A segment that is never written again. */
export interface SealedSegment extends SegmentFile {
  readonly lastLsn: Lsn;
  /** Bytes of the file. */
  readonly bytes: number;
}

export function segmentPath(folder: string, firstLsn: Lsn): string {
  return path.join(folder, `${firstLsn.toString(16).padStart(16, '0')}.segment`);
}

/** The segments of a folder, oldest first. Other names are ignored. */
export function listSegments(files: Files, folder: string): SegmentFile[] {
  return files
    .list(folder)
    .filter((name) => namePattern.test(name))
    .sort()
    .map((name) => ({ firstLsn: lsnOf(name, folder), path: path.join(folder, name) }));
}

function lsnOf(name: string, folder: string): Lsn {
  const lsn = Number.parseInt(name.slice(0, 16), 16);
  if (!Number.isSafeInteger(lsn) || lsn < 1) throw new CorruptError(path.join(folder, name), 0, 'its name is no LSN');
  return lsn;
}

/** Maximum end of frames other than the seal, which always fits into the last sector. */
export function framesEnd(segmentBytes: number): number {
  return segmentBytes - frameAlignBytes;
}

/** The largest record that an empty segment takes. */
export function recordBytesMax(segmentBytes: number): number {
  return framesEnd(segmentBytes) - segmentHeaderBytes - frameHeaderBytes - recordLengthBytes;
}

/** The largest record: it has its own segment, in which a mark follows it. */
export const largeRecordBytesMax = recordBytesMax(segmentBytesMax) - frameAlignBytes;

/** Bytes of the segment that a large record gets: room for its frame, a mark and the seal. */
export function largeSegmentBytes(recordBytes: number): number {
  return segmentHeaderBytes + frameBytes(recordLengthBytes + recordBytes) + 2 * frameAlignBytes;
}

/** Throws if the size is invalid. */
export function checkSegmentBytes(segmentBytes: number): void {
  if (!isSegmentBytes(segmentBytes)) {
    throw new RangeError(
      `a segment takes ${sectorsMin * frameAlignBytes} to ${segmentBytesMax} bytes in whole sectors, not ${segmentBytes}`,
    );
  }
}

function isSegmentBytes(bytes: number): boolean {
  return bytes >= sectorsMin * frameAlignBytes && bytes <= segmentBytesMax && bytes % frameAlignBytes === 0;
}

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  magic.copy(bytes, 0);
  bytes.writeUInt32LE(segmentFormatVersion, 8);
  bytes.writeUInt32LE(header.segmentBytes, 12);
  if (bytes.write(header.lineage, 16, 16, 'hex') !== 16) throw new RangeError('a lineage has 32 hex digits');
  bytes.writeUInt32LE(header.salt, 32);
  bytes.writeUInt8(syncCodes[header.sync], 36);
  bytes.writeUInt8(header.large === true ? 1 : 0, 37);
  bytes.writeUInt16LE(formatRevision, 38);
  bytes.writeDoubleLE(header.createdMs, 40);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 508)), 508);
  return bytes;
}

/** Reads the header of the segment `file`; throws {@link CorruptError}, or {@link FolderError} for another version or revision. */
export function decodeSegmentHeader(bytes: Buffer, file: string): SegmentHeader {
  if (bytes.byteLength < segmentHeaderBytes) throw new CorruptError(file, bytes.byteLength, 'the segment header is cut short');
  if (!bytes.subarray(0, 8).equals(magic)) throw new CorruptError(file, 0, 'this is not the magic of a segment');
  if (crc32(bytes.subarray(0, 508)) !== bytes.readUInt32LE(508)) {
    throw new CorruptError(file, 508, 'the CRC of the segment header does not match');
  }
  const version = bytes.readUInt32LE(8);
  if (version !== segmentFormatVersion) {
    throw new FolderError(`${file} has format version ${version}; this mapwright reads version ${segmentFormatVersion}.`);
  }
  const revision = readableRevision(file, bytes.readUInt16LE(38));
  const segmentBytes = bytes.readUInt32LE(12);
  if (!isSegmentBytes(segmentBytes)) throw new CorruptError(file, 12, `invalid segment size ${segmentBytes}`);
  const sync = syncModes[bytes.readUInt8(36)];
  if (sync === undefined) throw new CorruptError(file, 36, `unknown sync mode ${bytes.readUInt8(36)}`);
  const lineage = bytes.toString('hex', 16, 32);
  const salt = bytes.readUInt32LE(32);
  const header = { segmentBytes, lineage, salt, sync, createdMs: bytes.readDoubleLE(40), revision };
  return bytes.readUInt8(37) === 1 ? { ...header, large: true } : header;
}

/** Reads the header of a segment's file. Throws as {@link decodeSegmentHeader} does. */
export function readSegmentHeader(files: Files, file: string): SegmentHeader {
  const fd = files.open(file, 'r');
  try {
    const bytes = Buffer.alloc(segmentHeaderBytes);
    return decodeSegmentHeader(bytes.subarray(0, files.read(fd, bytes, 0)), file);
  } finally {
    files.close(fd);
  }
}

/**
 * Opens a segment for writing and locks it. The lock excludes a second process even if the lock file of the data folder was deleted. Throws
 * {@link FolderError} if another process holds the lock.
 */
export function openToWrite(files: Files, file: string): number {
  const fd = files.open(file, 'r+');
  let free = false;
  try {
    free = files.lock(fd);
  } finally {
    if (!free) files.close(fd);
  }
  if (!free) throw new FolderError(`${file} is being written by another process. Stop it first; nothing was changed.`);
  return fd;
}
