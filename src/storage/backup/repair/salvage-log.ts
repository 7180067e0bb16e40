/**
 * Reads the log of a damaged folder, up to the last record that can be proved.
 *
 * A frame is proved by its two checksums, which start with the salt of its segment, and by its number, which must follow the previous
 * record. So a frame counts even if other parts are damaged:
 *
 * | damaged                                   | consequence                                                                     |
 * | ----------------------------------------- | ------------------------------------------------------------------------------- |
 * | the header of a segment                   | the salt comes from the seal before it, or from the snapshot                    |
 * | a segment cut short                       | its frames count up to the cut                                                  |
 * | a seal                                    | the successor is the segment of the same lineage with the next number           |
 * | a frame with records, a missing segment   | the log ends there: later records cannot be applied to a state that is unknown  |
 *
 * Frames after such an end are still read, but only to report them.
 */
import { crc32 } from 'node:zlib';
import { CorruptError, FolderError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import { SchemaVersionError } from '../../../model/schema-version.ts';
import { RecordFormatError } from '../../../model/stored.ts';
import { type ChangeSet, decodeRecord } from '../../../store/operations/record.ts';
import { decodeLogged } from '../../snapshot/replay-record.ts';
import {
  frameAlignBytes,
  frameBytes,
  frameHeaderBytes,
  holdsRecords,
  isFrameHeader,
  payloadRecords,
  readFrameHeader,
} from '../../wal/format/frame.ts';
import {
  decodeSegmentHeader,
  listSegments,
  type SegmentFile,
  type SegmentHeader,
  segmentBytesMin,
} from '../../wal/format/segment.ts';
import { type Segment, segmentIn, segmentRecords } from '../../wal/read/read-segment.ts';
import { readLeniently } from './lenient-read.ts';

/** The file of a segment, damaged or not. */
interface RawSegment extends SegmentFile {
  readonly bytes: Buffer;
  readonly header: SegmentHeader | undefined;
}

/** Where the log ends. */
export interface LogEnd {
  /** The newest proved record. */
  readonly lsn: number;
  readonly newestTime: number;
  /** Damage before the next record; `undefined` at a regular end of the log. */
  readonly damage: CorruptError | undefined;
}

interface ReadRecord {
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

  /** Whether a segment starts with the first record. */
  get hasBeginning(): boolean {
    return this.#list[0]?.firstLsn === 1;
  }

  /** The oldest segment whose header gives its salt. */
  get oldest(): { firstLsn: number; salt: number } | undefined {
    for (const { firstLsn } of this.#list) {
      const salt = this.#raw(firstLsn)?.header?.salt;
      if (salt !== undefined) return { firstLsn, salt };
    }
    return undefined;
  }

  /**
   * Passes the records after a base to `take`.
   *
   * @param salt of the segment after the base; `undefined` for the beginning of the log, whose salt no file names
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
    // A snapshot names the next segment, and so does a seal. A named segment must exist.
    for (let named = salt !== undefined; next !== undefined; ) {
      const segment = this.#segment(next);
      if (typeof segment === 'string') {
        if (named || this.#list.some(({ firstLsn }) => firstLsn > reached.lsn))
          damage = new CorruptError(this.#folder, 0, segment);
        break;
      }
      damage = undefined;
      for (const [lsn, bytes] of segmentRecords(segment)) {
        const record = decoded(segment, lsn, bytes);
        if (record === undefined)
          return { ...reached, damage: new CorruptError(segment.path, 0, `record ${lsn} cannot be decoded`) };
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
        damage = new CorruptError(segment.path, end.offset, 'the log ends, but a later segment exists');
    }
    return { ...reached, damage };
  }

  /** All readable records above `lsn`, by number. They are for the report only and must not be applied. */
  recordsAbove(lsn: number): ReadRecord[] {
    const found = new Map<number, ChangeSet>();
    for (const { firstLsn } of this.#list) {
      const raw = this.#raw(firstLsn);
      for (const frame of raw === undefined ? [] : anyFrames(raw)) {
        let at = frame.firstLsn;
        for (const bytes of payloadRecords(frame.payload)) {
          const record = at > lsn ? decoded(raw as RawSegment, at, bytes) : undefined;
          if (record !== undefined) found.set(at, record);
          at++;
        }
      }
    }
    return [...found].sort(([a], [b]) => a - b).map(([at, record]) => ({ lsn: at, record }));
  }

  /** The greatest LSN in the names of segments and the headers of frames. */
  greatestLsn(): number {
    const frames = this.#list.flatMap(({ firstLsn }) => {
      const raw = this.#raw(firstLsn);
      return [firstLsn - 1, ...(raw === undefined ? [] : headersIn(raw).map((header) => header.firstLsn + header.count - 1))];
    });
    return Math.max(0, ...frames);
  }

  /** The segment, or the reason why it cannot be used. */
  #segment({ firstLsn, salt }: { firstLsn: number; salt: number | undefined }): Segment | string {
    const raw = this.#raw(firstLsn);
    if (raw === undefined) return `the segment that starts with record ${firstLsn} is missing`;
    const { header, bytes } = raw;
    if (header !== undefined && salt !== undefined && header.salt !== salt)
      return `the segment that starts with record ${firstLsn} belongs to another history`;
    if (header === undefined && salt === undefined)
      return `the segment that starts with record ${firstLsn} has a damaged header, and its salt is unknown`;
    const known = { segmentBytes: bytes.byteLength, lineage: '', salt: salt as number, sync: 'always', createdMs: 0 } as const;
    return segmentIn(raw, header ?? known, bytes);
  }

  /** Damage if the file is shorter than its segment size: it may have lost frames at its end. */
  #cutShort({ firstLsn, path, bytes }: Segment): CorruptError | undefined {
    const own = this.#raw(firstLsn)?.header?.segmentBytes;
    const sizes = this.#list.map((file) => this.#raw(file.firstLsn)?.header?.segmentBytes ?? segmentBytesMin);
    const expected = own ?? Math.max(...sizes);
    if (bytes.byteLength >= expected) return undefined;
    return new CorruptError(path, bytes.byteLength, `the file ends here; ${expected} bytes were expected`);
  }

  #raw(firstLsn: number): RawSegment | undefined {
    const file = this.#list.find((listed) => listed.firstLsn === firstLsn);
    if (file === undefined) return undefined;
    const bytes = readLeniently(this.#files, file.path);
    const header = orUndefined(() => decodeSegmentHeader(bytes.subarray(0, 512), file.path));
    return { ...file, bytes, header };
  }
}

/** All frames with records and valid checksums, at any position. */
function anyFrames(raw: RawSegment): { firstLsn: number; payload: Buffer }[] {
  return headersIn(raw).flatMap(({ offset, type, firstLsn, count, payloadBytes, payloadCrc }) => {
    const payload = raw.bytes.subarray(offset + frameHeaderBytes, offset + frameHeaderBytes + payloadBytes);
    const sound = type === 'batch' && crc32(payload) === payloadCrc && holdsRecords(payload, count);
    return sound ? [{ firstLsn, payload }] : [];
  });
}

/** Headers of frames with a valid checksum; none if the header of the segment does not give the salt. */
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

/** `undefined` for a record in no known form. One in the form of an older program is not damage and throws {@link FolderError}. */
function decoded({ path, header }: Pick<RawSegment, 'path' | 'header'>, lsn: number, bytes: Uint8Array): ChangeSet | undefined {
  return orUndefined(() => (header === undefined ? decodeRecord(bytes) : decodeLogged({ path, header }, lsn, bytes)));
}

/** `undefined` for damaged data. An unknown schema version is not damage and throws {@link FolderError}. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SchemaVersionError) throw new FolderError(`A record has ${error.message}.`);
    if (error instanceof CorruptError || error instanceof RecordFormatError || error instanceof TypeError) return undefined;
    throw error;
  }
}
