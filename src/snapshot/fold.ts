/**
 * A fold: the previous snapshot and the sealed segments after it become the next snapshot, from files alone.
 *
 *     previous snapshot ─┐
 *                        ├─▶ <lsn>.snapshot.tmp ─▶ sync ─▶ read back ─▶ rename ─▶ sync of the folder
 *     sealed segments  ──┘
 *
 * Live memory is neither copied nor paused. What no record touched is verified and copied as bytes. Whatever goes wrong before the
 * rename removes the `.tmp` and changes nothing; what is covered is deleted afterwards, by whoever asked for the fold.
 *
 * A previous snapshot that has rotted since it was written is never copied forward: every chunk is verified when it is read. The fold
 * then begins with the snapshot before it, or with nothing, and the log from there, which is kept for this. Only when that made a whole
 * snapshot is the rotten one set aside; and before the new one gets its name, so that no restart takes the rotten one for its predecessor.
 * A backup is the same fold with another place to go to.
 */
import { basename, dirname, join } from 'node:path';
import { replay } from '../journal/replay.ts';
import { listSegments, readSegmentHeader } from '../journal/segment.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import { type Files, removeIfThere } from '../lib/files.ts';
import { Meter } from '../lib/meter.ts';
import { State } from '../store/state.ts';
import { listSnapshots, setAside, temporaryEnding } from './folder.ts';
import { snapshotName } from './format.ts';
import { readSnapshot, SnapshotReader } from './reader.ts';
import { replayRecord } from './replay-record.ts';
import { stepBytes, type WriteReport, writeSnapshot } from './writer.ts';

export interface FoldRequest {
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** LSN of the previous snapshot; 0 when there is none. */
  readonly from: number;
  /** LSN of the last record of a sealed segment. */
  readonly to: number;
  /** 32 hex digits. */
  readonly lineage: string;
  /** Pause after each step of a megabyte, in milliseconds. */
  readonly pauseMs: number;
  /** Where the file goes when it is not to be the folder's next snapshot: a name that is free, and one to write it under until then. */
  readonly target?: { readonly path: string; readonly temporary: string };
  /** Milliseconds since 1970 that the header says; now. */
  readonly madeAt?: number;
  /** Of a {@link Meter}: how far it has come. */
  readonly progress?: SharedArrayBuffer;
}

export interface FoldReport extends WriteReport {
  readonly lsn: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Records folded in. */
  readonly records: number;
  /** Snapshots that did not verify and were set aside, newest first. */
  readonly damaged: readonly Damage[];
}

/** What a {@link CorruptError} says, as it travels from one thread to another. */
export type Damage = Pick<CorruptError, 'file' | 'offset' | 'found'>;

/** Throws {@link CorruptError} when no snapshot with the log from there is whole, and what the disk says; nothing is changed then. */
export function fold(files: Files, request: FoldRequest, now: () => number = Date.now): FoldReport {
  const damaged: CorruptError[] = [];
  for (const from of basesOf(files, request)) {
    try {
      return foldFrom(from, files, request, damaged, now);
    } catch (error) {
      const damage = damageOf(error, files, request.snapshotFolder, from);
      if (from === 0 || damage === undefined) throw notWhole(error, damaged);
      damaged.push(damage);
    }
  }
  throw new Error('a fold has at least one snapshot to begin with, or none at all');
}

/** LSNs of the snapshots to begin with, best first; 0 is the empty state. */
function basesOf(files: Files, { snapshotFolder, from }: FoldRequest): number[] {
  return from === 0 ? [0] : [from, ...listSnapshots(files, snapshotFolder).filter((lsn) => lsn < from), 0];
}

/** What is wrong with the snapshot that a fold began with; `undefined` when that is not why it failed. */
function damageOf(error: unknown, files: Files, folder: string, from: number): CorruptError | undefined {
  const snapshot = join(folder, snapshotName(from));
  if (error instanceof CorruptError) return error.file === snapshot ? error : undefined;
  const gone = (error as NodeJS.ErrnoException).code === 'ENOENT' && !listSnapshots(files, folder).includes(from);
  return gone ? new CorruptError(snapshot, 0, 'the snapshot is not there any more') : undefined;
}

/** Why nothing can be folded: the damage that was found first. */
function notWhole(error: unknown, [first]: readonly CorruptError[]): unknown {
  if (first === undefined || !(error instanceof CorruptError)) return error;
  return new CorruptError(
    first.file,
    first.offset,
    `the snapshot does not verify (${first.found}), and what is before it is not whole (${error.message})`,
  );
}

function foldFrom(
  from: number,
  files: Files,
  request: FoldRequest,
  damaged: readonly CorruptError[],
  now: () => number,
): FoldReport {
  const { snapshotFolder, to } = request;
  const { path, temporary } = request.target ?? inFolder(snapshotFolder, to);
  const previous = from === 0 ? undefined : new SnapshotReader(files, join(snapshotFolder, snapshotName(from)));
  const meter = new Meter(request.progress);
  meter.expect(2 * (previous?.size ?? 0));
  try {
    if (previous !== undefined && damaged.length > 0) refuseForeign(files, request.journalFolder, previous);
    const state = previous?.state('file') ?? new State();
    let records = 0;
    let newestTime = previous?.header.newestTime ?? 0;
    const replayed = replay(files, request.journalFolder, from + 1, to, (lsn, bytes) => {
      const { time } = replayRecord(state, files, request.journalFolder, lsn, bytes);
      newestTime = Math.max(newestTime, time);
      records++;
    });
    const nextSalt = replayed?.firstLsn === to + 1 ? replayed.salt : from === to ? previous?.header.nextSalt : undefined;
    if (state.lsn !== to || nextSalt === undefined)
      throw new CorruptError(request.journalFolder, 0, `the sealed segments end at record ${state.lsn}, not ${to}`);
    if (request.target === undefined) {
      files.makeFolder(snapshotFolder);
      removeIfThere(files, temporary);
    }
    const madeAt = request.madeAt ?? now();
    const report = writeSnapshot(state, {
      files,
      path: temporary,
      lineage: request.lineage,
      nextSalt,
      newestTime,
      now: madeAt,
      afterStep: () => {
        meter.add(stepBytes);
        pause(request.pauseMs);
      },
    });
    meter.expect(meter.done + report.bytes);
    readBack(files, temporary, report, meter);
    // Nothing of somebody else's is replaced; a snapshot of the same records may be.
    if (request.target !== undefined && files.list(dirname(path)).includes(basename(path)))
      throw new FolderError(`There is a file ${path} already; nothing was written over it.`);
    // A backup changes nothing in the folder it is made of.
    if (request.target === undefined) setAside(files, snapshotFolder, damaged);
    files.rename(temporary, path);
    files.syncFolder(dirname(path));
    return { ...report, lsn: to, madeAt, records, damaged: damaged.map(({ file, offset, found }) => ({ file, offset, found })) };
  } catch (error) {
    try {
      removeIfThere(files, temporary);
    } catch {
      // The first error is the one that matters, and the next fold removes it again.
    }
    throw error;
  } finally {
    previous?.close();
  }
}

/** A snapshot that was not the newest was not looked at when the server started: it must belong to this log. */
function refuseForeign(files: Files, journalFolder: string, { header, path }: SnapshotReader): void {
  const next = listSegments(files, journalFolder).find(({ firstLsn }) => firstLsn === header.lsn + 1);
  if (next !== undefined && readSegmentHeader(files, next.path).salt !== header.nextSalt)
    throw new CorruptError(path, 48, `it is not a snapshot of the log that ${next.path} continues`);
}

function inFolder(folder: string, lsn: number) {
  const path = join(folder, snapshotName(lsn));
  return { path, temporary: path + temporaryEnding };
}

/** What is on the disk must be what was written before anything may rely on it. */
function readBack(files: Files, path: string, report: WriteReport, meter: Meter): void {
  const chunks = readSnapshot(files, path, (reader) => reader.verify((bytes) => meter.add(bytes)));
  if (chunks !== report.chunks) throw new CorruptError(path, 0, `${report.chunks} chunks were written, ${chunks} are there`);
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread: a fold has a thread of its own, and lets the journal have the disk. */
export function pause(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(sleeper, 0, 0, milliseconds);
}
