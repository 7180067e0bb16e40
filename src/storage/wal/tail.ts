/** The tail of the log: recovery repairs it and returns it, the write-ahead log continues from it. */
import type { SealedSegment, SegmentHeader, SyncMode } from './format/segment.ts';
import type { Lsn } from './journal.ts';

/** The segment for the next frame. */
export interface TailSegment {
  readonly firstLsn: Lsn;
  readonly bytes: number;
  readonly salt: number;
  /** Offset of the next frame in bytes. */
  readonly offset: number;
  /** `open` takes records. `closed` takes only a seal. `stale` takes nothing: a new segment with its name and salt replaces it. */
  readonly state: 'open' | 'closed' | 'stale';
}

/** The position at which the log continues. Plain data, so that it can be sent to another thread. */
export interface Tail {
  readonly folder: string;
  readonly lineage: string;
  readonly sync: SyncMode;
  /** Size of new segments in bytes. */
  readonly segmentBytes: number;
  readonly nextLsn: Lsn;
  /** CRC of the last frame, which the next frame repeats. */
  readonly crc: number;
  readonly segment: TailSegment;
  /** Header of the spare that an earlier process left, if the log can use it. */
  readonly spare: SegmentHeader | undefined;
  /** Oldest first. */
  readonly sealed: readonly SealedSegment[];
}
