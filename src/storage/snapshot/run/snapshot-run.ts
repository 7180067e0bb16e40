/**
 * Makes the next snapshot from an older one and the sealed segments after it, from files alone.
 *
 *     the snapshot before the newest ─┐
 *                                     ├─▶ <lsn>.snapshot.tmp ─▶ sync ─▶ read back ─▶ rename ─▶ sync of the folder
 *     sealed segments after that one ─┘
 *
 * Live memory is neither copied nor paused. Only what records touched is written; the rest stays in its files, and the new file refers to
 * them. An error before the rename removes the `.tmp` and changes nothing. The caller deletes obsolete files afterwards.
 *
 * A snapshot is based on the one *before* the newest. So the newest and the one before it share no file: there are always two complete
 * copies of all data, and each gives, with the log, the same state. Each record is therefore processed twice, once for each copy.
 *
 * | situation                                                        | action                                                   |
 * | ---------------------------------------------------------------- | -------------------------------------------------------- |
 * | a newest snapshot, and one before it that the log continues      | write the changes since the latter                       |
 * | only one; or the one before it is damaged                        | copy the newest completely, with the log after it        |
 * | the newest is damaged (each run verifies some of it)             | the same from the one before it; quarantine the damaged one |
 * | both are damaged                                                 | fail; nothing is changed or deleted                      |
 *
 * Damage is never copied: every chunk is verified when it is read. A damaged snapshot is quarantined before the new one gets its name, so
 * that no restart uses it as the previous one. A backup is made in the same way, at another path and always complete.
 */
import { basename, dirname, join } from 'node:path';
import { CorruptError, FolderError } from '../../../lib/errors.ts';
import { type Files, removeIfThere } from '../../../lib/files/files.ts';
import { pause } from '../../../lib/threads/pause.ts';
import { ProgressCounter } from '../../../lib/threads/progress-counter.ts';
import { runLeaves } from '../../../store/run-leaf.ts';
import { State } from '../../../store/state.ts';
import { listSegments, readSegmentHeader } from '../../wal/format/segment.ts';
import { replay } from '../../wal/read/replay.ts';
import { BaseSnapshot } from '../base.ts';
import { type FileOptions, writeStepBytes } from '../chunk-writer.ts';
import { Compaction, compactBytesMin } from '../compaction.ts';
import { snapshotName } from '../format/snapshot-format.ts';
import { readSnapshot, SnapshotReader } from '../reader.ts';
import { replayRecord } from '../replay-record.ts';
import { scrub } from '../scrub.ts';
import { listSnapshots, quarantine, snapshotBefore, temporaryEnding } from '../snapshot-folder.ts';
import { type WriteReport, writeNext, writeSnapshot } from '../writer.ts';
import { type BlobFolders, BlobKeeper, type LostBlobName } from './blob-keeper.ts';

export interface SnapshotRequest {
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** LSN of the newest snapshot; 0 if there is none. */
  readonly from: number;
  /** LSN of the last record of a sealed segment. */
  readonly to: number;
  /** 32 hex digits. */
  readonly lineage: string;
  /** Pause after each step of a MiB, in milliseconds. */
  readonly pauseMs: number;
  /** Destination, if not the folder's next snapshot: an unused path, and a temporary path to write the file under. */
  readonly target?: { readonly path: string; readonly temporary: string };
  /** Where the blobs of a backup come from and go to. `undefined`: none are kept. */
  readonly blobs?: BlobFolders;
  /** Creation time for the header, Unix time in milliseconds; default: now. */
  readonly madeAt?: number;
  /** Where the last scrub of the newest snapshot ended, from its report. */
  readonly scrubAt?: number;
  /** Limit for copies from older files (compaction.ts), and for verification of the newest snapshot, in bytes; default 64 MiB. */
  readonly compactBytes?: number;
  /** Shared memory of a ProgressCounter. */
  readonly progress?: SharedArrayBuffer;
}

export interface SnapshotReport extends WriteReport {
  /** Blobs that a backup needs and that are missing or damaged in the data folder; `undefined` for a snapshot. */
  readonly lostBlobs?: readonly LostBlobName[];
  /** Digests of damaged blobs beside the backups that were copied again; `undefined` for a snapshot. */
  readonly replacedBlobs?: readonly string[];
  readonly lsn: number;
  /** Creation time, Unix time in milliseconds. */
  readonly madeAt: number;
  /** Number of records that no snapshot covered before. */
  readonly records: number;
  /** Number of files that the new snapshot refers to, including its own. */
  readonly files: number;
  /** Where the next scrub of the same snapshot continues. */
  readonly scrubbedTo: number;
  /** The damage, in the order of discovery; damaged snapshots were quarantined. */
  readonly damaged: readonly Damage[];
}

/** The fields of a {@link CorruptError}, for transfer between threads. */
export type Damage = Pick<CorruptError, 'file' | 'offset' | 'found'>;

/** The base: an LSN, 0 for the empty state, and whether to copy all of it. */
interface Start {
  readonly from: number;
  readonly whole: boolean;
}

/** The damage found so far. */
interface Found {
  readonly damaged: CorruptError[];
  /** LSNs of the unusable snapshots; `first` is the first damage in them. */
  readonly broken: number[];
  first: CorruptError | undefined;
}

/** The result of reading the newest snapshot. */
interface Newest {
  /** LSNs of the files that it refers to. */
  readonly parts: readonly number[];
  readonly scrubbedTo: number;
}

/** Throws {@link CorruptError} if no snapshot with the log after it is intact, and I/O errors; nothing is changed then. */
export function runSnapshot(files: Files, request: SnapshotRequest, now: () => number = Date.now): SnapshotReport {
  const found: Found = { damaged: [], broken: [], first: undefined };
  const newest = readNewest(files, request, found);
  for (const start of startsOf(files, request, newest)) {
    if (found.broken.includes(start.from)) continue;
    try {
      return runFrom(start, files, request, found, newest?.scrubbedTo ?? 0, now);
    } catch (error) {
      const damage = damageOf(error, files, request.snapshotFolder, start.from);
      if (damage !== undefined) noteBroken(found, start.from, damage);
      // Only the log between two snapshots may be damaged; a copy of the newest does not need it.
      else if (!start.whole && error instanceof CorruptError) found.damaged.push(error);
      else throw notWhole(error, found.first);
    }
  }
  throw new Error('unreachable: the last start is the empty state, and it either succeeds or throws');
}

/** Reads the newest snapshot's references, and verifies some of it. `undefined` if it is damaged or missing. */
function readNewest(files: Files, request: SnapshotRequest, found: Found): Newest | undefined {
  const { snapshotFolder, from, target, scrubAt = 0, compactBytes = compactBytesMin, pauseMs } = request;
  if (from === 0) return undefined;
  try {
    return readSnapshot(files, join(snapshotFolder, snapshotName(from)), (reader) => ({
      parts: reader.dependencies,
      // A backup reads all of it anyway.
      scrubbedTo: target === undefined ? scrub(reader, scrubAt, compactBytes, () => pause(pauseMs)) : 0,
    }));
  } catch (error) {
    const damage = damageOf(error, files, snapshotFolder, from);
    if (damage === undefined) throw error;
    noteBroken(found, from, damage);
    return undefined;
  }
}

/** The possible bases, best first. */
function startsOf(files: Files, request: SnapshotRequest, newest: Newest | undefined): Start[] {
  const { snapshotFolder, journalFolder, from, target } = request;
  const whole = (lsn: number): Start => ({ from: lsn, whole: true });
  if (from === 0) return [whole(0)];
  const listed = listSnapshots(files, snapshotFolder);
  const older = listed.filter((lsn) => lsn < from);
  // Without an intact newest snapshot, the new one must not share a file with the one before it.
  if (newest === undefined) return [...older, 0].map(whole);
  const logFrom = listSegments(files, journalFolder)[0]?.firstLsn ?? 0;
  const before = snapshotBefore(listed, from, newest.parts, logFrom);
  const isIncremental = target === undefined && before !== undefined;
  return [...(isIncremental ? [{ from: before, whole: false }] : []), ...[from, ...older, 0].map(whole)];
}

function noteBroken(found: Found, lsn: number, damage: CorruptError): void {
  found.broken.push(lsn);
  found.damaged.push(damage);
  found.first ??= damage;
}

/** The damage of a snapshot, in its own file or one that it refers to; `undefined` if the error has another reason. */
function damageOf(error: unknown, files: Files, folder: string, from: number): CorruptError | undefined {
  if (from === 0) return undefined;
  if (error instanceof CorruptError) return dirname(error.file) === folder ? error : undefined;
  const gone = (error as NodeJS.ErrnoException).code === 'ENOENT' && !listSnapshots(files, folder).includes(from);
  return gone ? new CorruptError(join(folder, snapshotName(from)), 0, 'the snapshot does not exist any more') : undefined;
}

/** The error when no base is usable: the first damage found. */
function notWhole(error: unknown, first: CorruptError | undefined): unknown {
  if (first === undefined || !(error instanceof CorruptError)) return error;
  return new CorruptError(
    first.file,
    first.offset,
    `the snapshot is damaged (${first.found}), and no other snapshot with its log is intact (${error.message})`,
  );
}

function runFrom(
  { from, whole }: Start,
  files: Files,
  request: SnapshotRequest,
  found: Found,
  scrubbedTo: number,
  now: () => number,
): SnapshotReport {
  const { snapshotFolder, to, compactBytes = compactBytesMin } = request;
  const { path, temporary } = request.target ?? inFolder(snapshotFolder, to);
  const reader = from === 0 ? undefined : new SnapshotReader(files, join(snapshotFolder, snapshotName(from)));
  const progress = new ProgressCounter(request.progress);
  progress.expect(2 * bytesOf(reader));
  try {
    if (reader !== undefined && from !== request.from) refuseForeign(files, request.journalFolder, reader);
    const base = reader && new BaseSnapshot(reader);
    const state = base?.state ?? new State(runLeaves);
    const replayed = replayInto(state, files, request, from, reader?.header.newestTime ?? 0);
    const { nextSalt = from === to ? reader?.header.nextSalt : undefined } = replayed;
    if (state.lsn !== to || nextSalt === undefined)
      throw new CorruptError(request.journalFolder, 0, `the sealed segments end at record ${state.lsn}, not ${to}`);
    if (request.target === undefined) {
      files.makeFolder(snapshotFolder);
      removeIfThere(files, temporary);
    }
    const madeAt = request.madeAt ?? now();
    const keeper = request.blobs && new BlobKeeper(files, request.blobs, progress, request.pauseMs);
    const options: FileOptions = {
      files,
      path: temporary,
      lineage: request.lineage,
      nextSalt,
      newestTime: replayed.newestTime,
      now: madeAt,
      afterStep: () => {
        progress.add(writeStepBytes);
        pause(request.pauseMs);
      },
      ...(keeper && { keepBlobs: (needed, out) => keeper.keepAll(needed, out) }),
    };
    const report =
      base === undefined
        ? writeSnapshot(state, options)
        : writeNext(base, whole ? Compaction.whole() : Compaction.after(base.reader, replayed.bytes, compactBytes), options);
    progress.expect(progress.done + report.bytes);
    const references = readBack(files, temporary, report, progress);
    if (whole && references > 1) throw new Error(`a complete copy refers to ${references - 1} other files`);
    giveName(files, request, { path, temporary }, found, reader?.dependencies ?? []);
    const damaged = found.damaged.map(({ file, offset, found: what }) => ({ file, offset, found: what }));
    return {
      ...report,
      lsn: to,
      madeAt,
      records: replayed.records,
      files: references,
      scrubbedTo,
      damaged,
      ...(keeper && { lostBlobs: keeper.lost, replacedBlobs: keeper.replaced }),
    };
  } catch (error) {
    try {
      removeIfThere(files, temporary);
    } catch {
      // The first error matters; the next run removes the file.
    }
    throw error;
  } finally {
    reader?.close();
  }
}

/** Makes a complete file the snapshot or the backup. @param parts LSNs of the files that its base needs */
function giveName(
  files: Files,
  { target, snapshotFolder }: SnapshotRequest,
  { path, temporary }: NonNullable<SnapshotRequest['target']>,
  { broken }: Found,
  parts: readonly number[],
): void {
  // A target must not exist; an existing snapshot of the same records may be replaced.
  if (target !== undefined && files.list(dirname(path)).includes(basename(path)))
    throw new FolderError(`${path} already exists; it was not overwritten. Choose another path, or delete it.`);
  // A backup does not change its source folder.
  if (target === undefined) {
    const unused = broken.filter((lsn) => !parts.includes(lsn));
    quarantine(files, snapshotFolder, unused);
  }
  files.rename(temporary, path);
  files.syncFolder(dirname(path));
}

/** Replays the sealed log after `from`. `records` counts those above the newest snapshot, `bytes` is the size of all. */
function replayInto(state: State, files: Files, request: SnapshotRequest, from: number, newestTime: number) {
  const { journalFolder, to } = request;
  const done = { records: 0, bytes: 0, newestTime };
  const last = replay(files, journalFolder, from + 1, to, (lsn, bytes) => {
    const time = replayRecord(state, files, journalFolder, lsn, bytes);
    done.newestTime = Math.max(done.newestTime, time);
    done.bytes += bytes.byteLength;
    if (lsn > request.from) done.records++;
  });
  return { ...done, nextSalt: last?.firstLsn === to + 1 ? last.salt : undefined };
}

/** Number of bytes that a complete copy of a snapshot reads. */
function bytesOf(reader: SnapshotReader | undefined): number {
  if (reader === undefined) return 0;
  return [...reader.liveBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Only the newest snapshot was verified at startup: an older one must belong to this log. */
function refuseForeign(files: Files, journalFolder: string, { header, path }: SnapshotReader): void {
  const next = listSegments(files, journalFolder).find(({ firstLsn }) => firstLsn === header.lsn + 1);
  if (next !== undefined && readSegmentHeader(files, next.path).salt !== header.nextSalt)
    throw new CorruptError(path, 48, `the snapshot belongs to another log than ${next.path}`);
}

function inFolder(folder: string, lsn: number) {
  const path = join(folder, snapshotName(lsn));
  return { path, temporary: path + temporaryEnding };
}

/** Verifies that the disk has what was written, before anything relies on it. Returns the number of files that the snapshot refers to. */
function readBack(files: Files, path: string, report: WriteReport, progress: ProgressCounter): number {
  return readSnapshot(files, path, (reader) => {
    const chunks = reader.verify((bytes) => progress.add(bytes));
    if (chunks !== report.chunks)
      throw new CorruptError(path, 0, `${report.chunks} chunks were written, but the file has ${chunks}`);
    const { groups } = reader.root;
    groups.forEach((group, i) => {
      if (group.file === reader.lsn) reader.groupEntries(group, groups[i - 1]);
    });
    return reader.dependencies.length;
  });
}

/** Reads a snapshot wholly back, in whichever files it is, and decodes every member of it. Throws {@link CorruptError}. */
export function checkSnapshot(files: Files, path: string): undefined {
  readSnapshot(files, path, (reader) => reader.check());
}
