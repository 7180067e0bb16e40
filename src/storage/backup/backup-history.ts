/**
 * A history, assembled from the files that exist. Snapshots and backups are its *bases*; segments of the log lead from one base to the
 * next. A base knows the salt of the segment that continues it, and a seal that of its successor. The walk through the log thus finds
 * segments by number and salt, whether they lie in a data folder, next to backups, or in both.
 *
 * It writes nothing and locks nothing: the data folder may belong to a running server. If that server deletes a file meanwhile, the read
 * fails with ENOENT and can be retried.
 */
import { join } from 'node:path';
import { CorruptError, FolderError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import type { ChangeSet } from '../../store/operations/record.ts';
import { type SnapshotHeader, snapshotName } from '../snapshot/format/snapshot-format.ts';
import { decodeLogged } from '../snapshot/replay-record.ts';
import { keptSnapshots } from '../snapshot/snapshot-folder.ts';
import { Chain, foundAt } from '../wal/format/chain.ts';
import { listSegments, readSegmentHeader, type SegmentFile } from '../wal/format/segment.ts';
import { readSegment, type Segment, segmentRecords } from '../wal/read/read-segment.ts';
import { headerOf, listBackups } from './backup-names.ts';
import { blobsName } from './blobs/backup-blobs.ts';

/** A state to start from. */
export interface HistoryBase extends Pick<SnapshotHeader, 'lsn' | 'lineage' | 'nextSalt' | 'newestTime' | 'madeAt'> {
  /** The snapshot or backup; `undefined` for the empty state at the beginning. */
  readonly path: string | undefined;
}

export interface History {
  /** Oldest LSN first. */
  readonly bases: readonly HistoryBase[];
  /** From all folders, sorted by their first record. */
  readonly segments: readonly SegmentFile[];
  /** The folders that it was read from. */
  readonly folders: readonly string[];
  /** The folders of blobs, which may not exist. */
  readonly blobFolders: readonly string[];
}

/** A server deleted files of a history while it was in use: read it again. */
export class HistoryChangedError extends FolderError {}

/** How far the log was read. */
export interface LogReach {
  /** The newest record taken; that of the base if none was. */
  readonly lsn: number;
  /** The latest time of a record up to there. */
  readonly newestTime: number;
  readonly end: /** `take` returned false for a record of this time. */
    | { readonly kind: 'stopped'; readonly time: number }
    /** The end of a log that is, or was, being written. */
    | { readonly kind: 'open' }
    /** The next segment is missing. Everything written up to `until` (milliseconds since 1970) was read. */
    | { readonly kind: 'missing'; readonly until: number }
    | { readonly kind: 'damaged'; readonly error: CorruptError };
}

/** Lists the files in data folders and backup folders. Throws {@link FolderError} for a folder that is neither. */
export function readHistory(files: Files, folders: readonly string[]): History {
  const bases: HistoryBase[] = [];
  const segments: SegmentFile[] = [];
  const blobFolders = folders.map((folder) => join(folder, blobsName));
  for (const folder of folders) {
    const found = historyIn(files, folder);
    bases.push(...found.bases);
    segments.push(...found.segments);
  }
  segments.sort((a, b) => a.firstLsn - b.firstLsn);
  return {
    bases: [...beginnings(files, segments), ...bases.sort((a, b) => a.lsn - b.lsn || a.madeAt - b.madeAt)],
    segments,
    folders,
    blobFolders,
  };
}

/** Whether a base is gone since the history was read: blobs that only states from there on needed may be gone, too. */
export function hasLostBase(files: Files, { folders, bases }: History): boolean {
  const present = new Set(readHistory(files, folders).bases.map(({ path }) => path));
  return bases.some(({ path }) => !present.has(path));
}

function historyIn(files: Files, folder: string): Pick<History, 'bases' | 'segments'> {
  const names = files.list(folder);
  if (names.includes('journal') || names.includes('snapshots')) {
    const snapshots = join(folder, 'snapshots');
    const paths = keptSnapshots(files, snapshots).map((lsn) => join(snapshots, snapshotName(lsn)));
    return { bases: paths.flatMap((path) => baseOf(files, path)), segments: listSegments(files, join(folder, 'journal')) };
  }
  const backups = listBackups(files, folder);
  const log = join(folder, 'log');
  const lineages = names.includes('log') ? files.list(log).filter((name) => /^[0-9a-f]{32}$/.test(name)) : [];
  if (backups.length === 0 && lineages.length === 0)
    throw new FolderError(
      `${folder} is neither a data folder nor a backup folder: it holds no journal and no .backup. Check the path.`,
    );
  return {
    bases: backups.map(({ path, header }) => ({ ...header, path })),
    segments: lineages.flatMap((lineage) => listSegments(files, join(log, lineage))),
  };
}

/** The base in a file; none if its header cannot be read. */
function baseOf(files: Files, path: string): HistoryBase[] {
  const header = headerOf(files, path);
  return header === undefined ? [] : [{ ...header, path }];
}

/** The empty state before the first record, once for each history whose first segment exists. */
function beginnings(files: Files, segments: readonly SegmentFile[]): HistoryBase[] {
  const found = new Map<number, HistoryBase>();
  for (const { firstLsn, path } of segments) {
    if (firstLsn !== 1) break;
    const header = orUndefined(() => readSegmentHeader(files, path));
    if (header === undefined) continue;
    const { salt: nextSalt, lineage, createdMs: madeAt } = header;
    found.set(nextSalt, { path: undefined, lsn: 0, lineage, nextSalt, newestTime: 0, madeAt });
  }
  return [...found.values()];
}

/**
 * Passes the records after a base to `take`, in order, verified as at a restart. Ends when `take` returns false or the log ends.
 *
 * @param take gets each record with its number; returns false to leave that record out and to end the walk
 */
export function walkSegments(
  files: Files,
  history: History,
  base: HistoryBase,
  take: (lsn: number, record: ChangeSet) => boolean,
): LogReach {
  const chain = new Chain();
  let next = { firstLsn: base.lsn + 1, salt: base.nextSalt };
  let reached = { lsn: base.lsn, newestTime: base.newestTime };
  let until = base.madeAt;
  try {
    for (;;) {
      const segment = segmentAt(files, history, next);
      if (segment === undefined) return { ...reached, end: { kind: 'missing', until } };
      chain.follow(segment);
      for (const [lsn, bytes] of segmentRecords(segment)) {
        const record = decodeLogged(segment, lsn, bytes);
        if (!take(lsn, record)) return { ...reached, end: { kind: 'stopped', time: record.time } };
        reached = { lsn, newestTime: Math.max(reached.newestTime, record.time) };
      }
      if (segment.end.kind !== 'sealed') return { ...reached, end: endOf(files, history, segment) };
      next = segment.end.successor;
      until = segment.frames.at(-1)?.timeMs ?? until;
    }
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return { ...reached, end: { kind: 'damaged', error } };
  }
}

/** Of several copies of a segment, the sealed one, or else the longest. */
function segmentAt(files: Files, history: History, target: { firstLsn: number; salt: number }): Segment | undefined {
  let best: Segment | undefined;
  let damage: CorruptError | undefined;
  for (const file of history.segments.filter(({ firstLsn }) => firstLsn === target.firstLsn)) {
    try {
      const segment = readSegment(files, file);
      if (segment.header.salt !== target.salt) continue;
      if (best === undefined || segment.end.kind === 'sealed' || segment.nextLsn > best.nextLsn) best = segment;
      if (segment.end.kind === 'sealed') break;
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      damage = error;
    }
  }
  if (best === undefined && damage !== undefined) throw damage;
  return best;
}

/** The meaning of a segment without a seal. It may be the end of the log, unless a later segment continues the same history. */
function endOf(files: Files, history: History, segment: Segment): LogReach['end'] {
  const { end, header, path } = segment;
  const cut = end.kind === 'torn' || (end.kind === 'gap' && header.sync !== 'always');
  const later = history.segments.find((file) => {
    if (file.firstLsn < segment.nextLsn || file.firstLsn === segment.firstLsn) return false;
    const other = orUndefined(() => readSegment(files, file));
    return other !== undefined && other.header.lineage === header.lineage && !other.blank;
  });
  if (later === undefined && (end.kind === 'open' || cut)) return { kind: 'open' };
  return { kind: 'damaged', error: new CorruptError(path, end.offset, `${foundAt(segment)} where the log should continue`) };
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptError) return undefined;
    throw error;
  }
}
