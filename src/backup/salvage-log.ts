/**
 * The log of a damaged folder, as far as it proves itself.
 *
 * A frame is proved by its two checksums, begun with the salt of its segment, and by its number, which is the one after the record before
 * it. That is enough where more is damaged around it:
 *
 * | damaged                                   | then                                                                          |
 * | ----------------------------------------- | ----------------------------------------------------------------------------- |
 * | the header of a segment                   | the seal before it, or the snapshot, names its salt                             |
 * | a segment cut short                       | its frames count up to the cut                                                  |
 * | a seal                                    | the segment of the same lineage whose number comes next is the successor        |
 * | a frame with records, a missing segment   | the log ends before it: what a later record says cannot be put on what is gone   |
 *
 * What stands after such an end is still read, to say what it was.
 */
import { crc32 } from 'node:zlib';
import {
  frameAlignBytes,
  frameBytes,
  frameHeaderBytes,
  holdsRecords,
  isFrameHeader,
  payloadRecords,
  readFrameHeader,
} from '../journal/frame.ts';
import { type Segment, segmentIn, segmentRecords } from '../journal/read-segment.ts';
import { decodeSegmentHeader, listSegments, type SegmentFile, type SegmentHeader, segmentBytesMin } from '../journal/segment.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { type ChangeSet, decodeRecord, SchemaVersionError } from '../model/record.ts';
import { RecordFormatError } from '../model/stored.ts';
import { readAnyway } from './read-anyway.ts';

/** A segment's file as it is, whatever is wrong with it. */
interface RawSegment extends SegmentFile {
  readonly bytes: Buffer;
  readonly header: SegmentHeader | undefined;
}

/** Where the log ends. */
export interface LogEnd {
  /** The newest record that is proved. */
  readonly lsn: number;
  readonly newestTime: number;
  /** What stands in the way of the next; `undefined` where the log simply ends. */
  readonly damage: CorruptError | undefined;
}

export interface ReadRecord {
  readonly lsn: number;
  readonly record: ChangeSet;
}

export class DamagedLog {
  readonly #files: Files;
  readonly #list: readonly SegmentFile[];
  readonly #folder: string;

  constructor(files: Files, folder: string) {
    this.#files = files;
    this.#folder = folder;
    this.#list = listSegments(files, folder);
  }

  /** Whether there is a segment that begins with the first record. */
  get hasBeginning(): boolean {
    return this.#list[0]?.firstLsn === 1;
  }

  /** The oldest segment that says its own salt. */
  get oldest(): { firstLsn: number; salt: number } | undefined {
    for (const { firstLsn } of this.#list) {
      const salt = this.#raw(firstLsn)?.header?.salt;
      if (salt !== undefined) return { firstLsn, salt };
    }
    return undefined;
  }

  /**
   * Follows the log from a base on.
   *
   * @param salt of the segment after the base; `undefined` for the beginning of the log, where nothing names it
   */
  follow(
    base: { lsn: number; newestTime: number },
    salt: number | undefined,
    take: (lsn: number, record: ChangeSet) => void,
  ): LogEnd {
    const reached = { lsn: base.lsn, newestTime: base.newestTime };
    let next: { firstLsn: number; salt: number | undefined; lineage: string } | undefined = {
      firstLsn: base.lsn + 1,
      salt,
      lineage: '',
    };
    let damage: CorruptError | undefined;
    // A snapshot names the segment after it, and a seal its successor: that one must be there.
    for (let named = salt !== undefined; next !== undefined; ) {
      const segment = this.#segment(next);
      if (typeof segment === 'string') {
        if (named || this.#list.some(({ firstLsn }) => firstLsn > reached.lsn))
          damage = new CorruptError(this.#folder, 0, segment);
        break;
      }
      damage = undefined;
      for (const [lsn, bytes] of segmentRecords(segment)) {
        const record = orUndefined(() => decodeRecord(bytes));
        if (record === undefined)
          return { ...reached, damage: new CorruptError(segment.path, 0, `record ${lsn} cannot be read`) };
        take(lsn, record);
        reached.lsn = lsn;
        reached.newestTime = Math.max(reached.newestTime, record.time);
      }
      const { end, header } = segment;
      named = end.kind === 'sealed';
      if (end.kind === 'sealed') {
        next = { ...end.successor, lineage: header.lineage };
        continue;
      }
      if (end.kind !== 'open') damage = new CorruptError(segment.path, end.offset, end.found);
      else damage = this.#cutShort(segment);
      const after = segment.firstLsn < segment.nextLsn ? this.#raw(segment.nextLsn) : undefined;
      next =
        after?.header?.lineage === header.lineage
          ? { firstLsn: segment.nextLsn, salt: after.header.salt, lineage: header.lineage }
          : undefined;
      if (next === undefined && damage === undefined && this.#list.some(({ firstLsn }) => firstLsn > reached.lsn + 1))
        damage = new CorruptError(segment.path, end.offset, 'nothing, although a later segment is there');
    }
    return { ...reached, damage };
  }

  /** Every record above `lsn` that can be read somewhere, in the order of their numbers: to say what it was, not to be applied. */
  recordsAbove(lsn: number): ReadRecord[] {
    const found = new Map<number, ChangeSet>();
    for (const { firstLsn } of this.#list) {
      const raw = this.#raw(firstLsn);
      for (const frame of raw === undefined ? [] : anyFrames(raw)) {
        let at = frame.firstLsn;
        for (const bytes of payloadRecords(frame.payload)) {
          const record = at > lsn ? orUndefined(() => decodeRecord(bytes)) : undefined;
          if (record !== undefined) found.set(at, record);
          at++;
        }
      }
    }
    return [...found].sort(([a], [b]) => a - b).map(([at, record]) => ({ lsn: at, record }));
  }

  /** The greatest LSN that the names of segments and their frames' headers tell of. */
  greatestLsn(): number {
    const frames = this.#list.flatMap(({ firstLsn }) => {
      const raw = this.#raw(firstLsn);
      return [firstLsn - 1, ...(raw === undefined ? [] : headersIn(raw).map((header) => header.firstLsn + header.count - 1))];
    });
    return Math.max(0, ...frames);
  }

  /** The segment, or why there is none that may follow. */
  #segment({ firstLsn, salt }: { firstLsn: number; salt: number | undefined }): Segment | string {
    const raw = this.#raw(firstLsn);
    if (raw === undefined) return `the segment from record ${firstLsn} on is not there`;
    const { header, bytes } = raw;
    if (header !== undefined && salt !== undefined && header.salt !== salt)
      return `the segment from record ${firstLsn} on is one of another history`;
    if (header === undefined && salt === undefined) return `the segment from record ${firstLsn} on does not say its salt`;
    const known = { segmentBytes: bytes.byteLength, lineage: '', salt: salt as number, sync: 'always', createdMs: 0 } as const;
    return segmentIn(raw, header ?? known, bytes);
  }

  /** A file that ends before its size may have lost frames: that no frame follows proves nothing then. */
  #cutShort({ firstLsn, path, bytes }: Segment): CorruptError | undefined {
    const own = this.#raw(firstLsn)?.header?.segmentBytes;
    const sizes = this.#list.map((file) => this.#raw(file.firstLsn)?.header?.segmentBytes ?? segmentBytesMin);
    const wanted = own ?? Math.max(...sizes);
    if (bytes.byteLength >= wanted) return undefined;
    return new CorruptError(path, bytes.byteLength, `the end of the file, which should have ${wanted} bytes`);
  }

  #raw(firstLsn: number): RawSegment | undefined {
    const file = this.#list.find((listed) => listed.firstLsn === firstLsn);
    if (file === undefined) return undefined;
    const bytes = readAnyway(this.#files, file.path);
    const header = orUndefined(() => decodeSegmentHeader(bytes.subarray(0, 512), file.path));
    return { ...file, bytes, header };
  }
}

/** Every frame with records whose checksums are right, wherever it stands. */
function anyFrames(raw: RawSegment): { firstLsn: number; payload: Buffer }[] {
  return headersIn(raw).flatMap(({ offset, type, firstLsn, count, payloadBytes, payloadCrc }) => {
    const payload = raw.bytes.subarray(offset + frameHeaderBytes, offset + frameHeaderBytes + payloadBytes);
    const sound = type === 'batch' && crc32(payload) === payloadCrc && holdsRecords(payload, count);
    return sound ? [{ firstLsn, payload }] : [];
  });
}

/** The headers of frames whose own checksum is right; none where the segment's header does not say the salt. */
function headersIn({ bytes, header }: RawSegment) {
  const found: (Exclude<ReturnType<typeof readFrameHeader>, string> & { offset: number })[] = [];
  if (header === undefined) return found;
  for (let at = frameAlignBytes; at + frameHeaderBytes <= bytes.byteLength; ) {
    const frame = isFrameHeader(bytes, at, header.salt) ? readFrameHeader(bytes, at) : undefined;
    if (frame === undefined || typeof frame === 'string') {
      at += frameAlignBytes;
      continue;
    }
    found.push({ ...frame, offset: at });
    at += frameBytes(frame.payloadBytes);
  }
  return found;
}

/** `undefined` for what is damaged. A version that this program does not know is no damage, and thrown. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SchemaVersionError) throw new FolderError(`A record has ${error.message}.`);
    if (error instanceof CorruptError || error instanceof RecordFormatError || error instanceof TypeError) return undefined;
    throw error;
  }
}
