/**
 * A history, from whatever there is of it: snapshots and backups are its *bases*, segments of the log lead from one to the next. A base
 * knows the salt of the segment that continues it and a seal that of its successor, so the way through the log is found by number and
 * salt, wherever the files lie: in a data folder, beside backups, or in both.
 *
 * Nothing is written and nothing locked: the data folder may be a running server's. What such a server deletes meanwhile is an ENOENT,
 * and worth another try.
 */
import { join } from 'node:path';
import { Chain, foundAt } from '../journal/chain.ts';
import { readSegment, type Segment, segmentRecords } from '../journal/read-segment.ts';
import { listSegments, readSegmentHeader, type SegmentFile } from '../journal/segment.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { type ChangeSet, decodeRecord, SchemaVersionError } from '../model/record.ts';
import { RecordFormatError } from '../model/stored.ts';
import { keptSnapshots } from '../snapshot/folder.ts';
import { type SnapshotHeader, snapshotName } from '../snapshot/format.ts';
import { headerOf, listBackups } from './names.ts';

/** A state to start from. */
export interface Base extends Pick<SnapshotHeader, 'lsn' | 'lineage' | 'nextSalt' | 'newestTime' | 'madeAt'> {
  /** The snapshot or backup; `undefined` for the beginning, when there was nothing yet. */
  readonly path: string | undefined;
}

export interface History {
  /** Oldest LSN first. */
  readonly bases: readonly Base[];
  /** From every place, sorted by their first record. */
  readonly segments: readonly SegmentFile[];
}

/** How far the log was followed. */
export interface Reached {
  /** The newest record that was taken; the base's when there was none. */
  readonly lsn: number;
  /** The greatest time up to there. */
  readonly newestTime: number;
  readonly end: /** At a record that was not taken, with its time. */
    | { readonly kind: 'stopped'; readonly time: number }
    /** At the end of a log that is, or was, being written. */
    | { readonly kind: 'open' }
    /** In a segment that is not here; all that was written up to `until` (milliseconds since 1970) is. */
    | { readonly kind: 'missing'; readonly until: number }
    | { readonly kind: 'damaged'; readonly error: CorruptError };
}

/** Reads what there is in data folders and folders of backups. Throws {@link FolderError} for one that is neither. */
export function readHistory(files: Files, folders: readonly string[]): History {
  const bases: Base[] = [];
  const segments: SegmentFile[] = [];
  for (const folder of folders) {
    const found = historyIn(files, folder);
    bases.push(...found.bases);
    segments.push(...found.segments);
  }
  segments.sort((a, b) => a.firstLsn - b.firstLsn);
  return { bases: [...beginnings(files, segments), ...bases.sort((a, b) => a.lsn - b.lsn || a.madeAt - b.madeAt)], segments };
}

function historyIn(files: Files, folder: string): History {
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
      `${folder} is neither a data folder nor a folder of backups: there is no journal and no .backup in it.`,
    );
  return {
    bases: backups.map(({ path, header }) => ({ ...header, path })),
    segments: lineages.flatMap((lineage) => listSegments(files, join(log, lineage))),
  };
}

/** One base, of a file; none when its header cannot be read. */
function baseOf(files: Files, path: string): Base[] {
  const header = headerOf(files, path);
  return header === undefined ? [] : [{ ...header, path }];
}

/** The empty state before the first record, once for each history whose first segment is there. */
function beginnings(files: Files, segments: readonly SegmentFile[]): Base[] {
  const found = new Map<number, Base>();
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
 * Hands over the records after a base, in order, as long as `take` answers true and the log is there, verified like in a restart.
 *
 * @param take gets a record with its number; the answer false leaves it and ends the walk
 */
export function walk(files: Files, history: History, base: Base, take: (lsn: number, record: ChangeSet) => boolean): Reached {
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
        const record = decoded(segment, lsn, bytes);
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

/** Of several copies of a segment the one that is sealed and whole, or the one that goes furthest. */
function segmentAt(files: Files, history: History, wanted: { firstLsn: number; salt: number }): Segment | undefined {
  let best: Segment | undefined;
  let damage: CorruptError | undefined;
  for (const file of history.segments.filter(({ firstLsn }) => firstLsn === wanted.firstLsn)) {
    try {
      const segment = readSegment(files, file);
      if (segment.header.salt !== wanted.salt) continue;
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

/** What a segment without a seal means. It may end the log; then no segment of the same history goes on after it. */
function endOf(files: Files, history: History, segment: Segment): Reached['end'] {
  const { end, header, path } = segment;
  const cut = end.kind === 'torn' || (end.kind === 'holed' && header.sync !== 'always');
  const later = history.segments.find((file) => {
    if (file.firstLsn < segment.nextLsn || file.firstLsn === segment.firstLsn) return false;
    const other = orUndefined(() => readSegment(files, file));
    return other !== undefined && other.header.lineage === header.lineage && !other.blank;
  });
  if (later === undefined && (end.kind === 'open' || cut)) return { kind: 'open' };
  return { kind: 'damaged', error: new CorruptError(path, end.offset, `${foundAt(segment)} where the log should go on`) };
}

function decoded({ path }: Segment, lsn: number, bytes: Uint8Array): ChangeSet {
  try {
    return decodeRecord(bytes);
  } catch (error) {
    if (error instanceof SchemaVersionError) throw new FolderError(`${path}: record ${lsn} has ${error.message}.`);
    if (!(error instanceof RecordFormatError)) throw error;
    throw new CorruptError(path, 0, `record ${lsn} cannot be read: ${error.message}`);
  }
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CorruptError) return undefined;
    throw error;
  }
}
