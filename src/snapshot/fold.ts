/**
 * A fold: a snapshot and the sealed segments after it become the next snapshot, from files alone.
 *
 *     the snapshot before the newest ─┐
 *                                     ├─▶ <lsn>.snapshot.tmp ─▶ sync ─▶ read back ─▶ rename ─▶ sync of the folder
 *     sealed segments after that one ─┘
 *
 * Live memory is neither copied nor paused. Written is what records touched; the rest stays in the files where it is, and the new file
 * refers to it. Whatever goes wrong before the rename removes the `.tmp` and changes nothing; what is not needed any more is deleted
 * afterwards, by whoever asked for the fold.
 *
 * A fold goes on from the snapshot *before* the newest. So the newest and the one before it share no file: there are always two whole
 * copies of everything, each of which leads, with the log, to the same state. A record is folded twice for this, once into each.
 *
 * | there is                                                       | then                                                    |
 * | --------------------------------------------------------------- | --------------------------------------------------------- |
 * | a newest snapshot, and one before it from which the log goes on | what changed since the latter is written                  |
 * | only one; or the one before is of version 1, or has rotted      | a whole copy is made of the newest and the log after it   |
 * | rot in the newest, of which some is verified each time          | the same, of the one before it; the rotten one is set aside |
 * | rot in both                                                     | the fold fails, nothing is changed or deleted             |
 *
 * What has rotted is never copied forward: every chunk is verified when it is read. A rotten snapshot is set aside before the new one gets
 * its name, so that no restart takes it for a predecessor. A backup is the same fold with another place to go to, and always whole.
 */
import { basename, dirname, join } from 'node:path';
import { replay } from '../journal/replay.ts';
import { listSegments, readSegmentHeader } from '../journal/segment.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import { type Files, removeIfThere } from '../lib/files.ts';
import { Meter } from '../lib/meter.ts';
import { State } from '../store/state.ts';
import { Base } from './base.ts';
import { type FileOptions, stepBytes } from './chunk-writer.ts';
import { Compaction, compactBytesMin } from './compaction.ts';
import { listSnapshots, setAside, snapshotBefore, temporaryEnding } from './folder.ts';
import { snapshotName } from './format.ts';
import { readSnapshotHeader } from './read-header.ts';
import { readSnapshot, SnapshotReader } from './reader.ts';
import { replayRecord } from './replay-record.ts';
import { scrub } from './scrub.ts';
import { type WriteReport, writeNext, writeSnapshot } from './writer.ts';

export interface FoldRequest {
  readonly journalFolder: string;
  readonly snapshotFolder: string;
  /** LSN of the newest snapshot; 0 when there is none. */
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
  /** Where the last scrub of the newest snapshot ended, as its report said. */
  readonly scrubAt?: number;
  /** What may be moved from older files (compaction.ts), and how much of the newest snapshot is verified, in bytes; 64 MiB. */
  readonly compactBytes?: number;
  /** Of a {@link Meter}: how far it has come. */
  readonly progress?: SharedArrayBuffer;
}

export interface FoldReport extends WriteReport {
  readonly lsn: number;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** Records that were in no snapshot before. */
  readonly records: number;
  /** Files in which the new snapshot has something, its own among them. */
  readonly files: number;
  /** Where the next scrub of the same snapshot goes on. */
  readonly scrubbedTo: number;
  /** What did not verify, in the order in which it was found; snapshots among it were set aside. */
  readonly damaged: readonly Damage[];
}

/** What a {@link CorruptError} says, as it travels from one thread to another. */
export type Damage = Pick<CorruptError, 'file' | 'offset' | 'found'>;

/** What to begin with: an LSN, 0 for the empty state, and whether all of it is copied. */
interface Start {
  readonly from: number;
  readonly whole: boolean;
}

/** What was found damaged on the way. */
interface Found {
  readonly damaged: CorruptError[];
  /** LSNs of the snapshots that are of no use for it, and what was found in the first. */
  readonly broken: number[];
  first: CorruptError | undefined;
}

/** What a look at the newest snapshot said. */
interface Newest {
  /** LSNs of the files that it has something in. */
  readonly parts: readonly number[];
  readonly scrubbedTo: number;
}

/** Throws {@link CorruptError} when no snapshot with the log from there is whole, and what the disk says; nothing is changed then. */
export function fold(files: Files, request: FoldRequest, now: () => number = Date.now): FoldReport {
  const found: Found = { damaged: [], broken: [], first: undefined };
  const newest = lookAtNewest(files, request, found);
  for (const start of startsOf(files, request, newest)) {
    if (found.broken.includes(start.from)) continue;
    try {
      return foldFrom(start, files, request, found, newest?.scrubbedTo ?? 0, now);
    } catch (error) {
      const damage = damageOf(error, files, request.snapshotFolder, start.from);
      if (damage !== undefined) noteBroken(found, start.from, damage);
      // The log between two snapshots may be damaged where neither of them is; the newest does not need it.
      else if (!start.whole && error instanceof CorruptError) found.damaged.push(error);
      else throw notWhole(error, found.first);
    }
  }
  throw new Error('a fold has at least one snapshot to begin with, or none at all');
}

/** Reads what the newest snapshot refers to, and verifies some of it. `undefined` where it is rotten, or where there is none. */
function lookAtNewest(files: Files, request: FoldRequest, found: Found): Newest | undefined {
  const { snapshotFolder, from, target, scrubAt = 0, compactBytes = compactBytesMin, pauseMs } = request;
  if (from === 0) return undefined;
  try {
    return readSnapshot(files, join(snapshotFolder, snapshotName(from)), (reader) => ({
      parts: reader.refersTo,
      // A backup reads all of it in any case.
      scrubbedTo: target === undefined ? scrub(reader, scrubAt, compactBytes, () => pause(pauseMs)) : 0,
    }));
  } catch (error) {
    const damage = damageOf(error, files, snapshotFolder, from);
    if (damage === undefined) throw error;
    noteBroken(found, from, damage);
    return undefined;
  }
}

/** Best first. */
function startsOf(files: Files, request: FoldRequest, newest: Newest | undefined): Start[] {
  const { snapshotFolder, journalFolder, from, target } = request;
  const whole = (lsn: number): Start => ({ from: lsn, whole: true });
  if (from === 0) return [whole(0)];
  const listed = listSnapshots(files, snapshotFolder);
  const older = listed.filter((lsn) => lsn < from);
  // Without a newest one that is whole, what is made now must not share a file with the one before it.
  if (newest === undefined) return [...older, 0].map(whole);
  const logFrom = listSegments(files, journalFolder)[0]?.firstLsn ?? 0;
  const before = snapshotBefore(listed, from, newest.parts, logFrom);
  const inTurn = target === undefined && before !== undefined && !isFirstFormat(files, snapshotFolder, before);
  return [...(inTurn ? [{ from: before, whole: false }] : []), ...[from, ...older, 0].map(whole)];
}

/** A file of the first version names no groups of projects, so it is copied whole. */
function isFirstFormat(files: Files, folder: string, lsn: number): boolean {
  try {
    return readSnapshotHeader(files, join(folder, snapshotName(lsn))).formatVersion === 1;
  } catch (error) {
    if (error instanceof CorruptError) return false;
    throw error;
  }
}

function noteBroken(found: Found, lsn: number, damage: CorruptError): void {
  found.broken.push(lsn);
  found.damaged.push(damage);
  found.first ??= damage;
}

/** What is wrong with a snapshot, in its own file or in one that it refers to; `undefined` when that is not why it failed. */
function damageOf(error: unknown, files: Files, folder: string, from: number): CorruptError | undefined {
  if (from === 0) return undefined;
  if (error instanceof CorruptError) return dirname(error.file) === folder ? error : undefined;
  const gone = (error as NodeJS.ErrnoException).code === 'ENOENT' && !listSnapshots(files, folder).includes(from);
  return gone ? new CorruptError(join(folder, snapshotName(from)), 0, 'the snapshot is not there any more') : undefined;
}

/** Why nothing can be folded: the damage that was found first. */
function notWhole(error: unknown, first: CorruptError | undefined): unknown {
  if (first === undefined || !(error instanceof CorruptError)) return error;
  return new CorruptError(
    first.file,
    first.offset,
    `the snapshot does not verify (${first.found}), and what is before it is not whole (${error.message})`,
  );
}

function foldFrom(
  { from, whole }: Start,
  files: Files,
  request: FoldRequest,
  found: Found,
  scrubbedTo: number,
  now: () => number,
): FoldReport {
  const { snapshotFolder, to, compactBytes = compactBytesMin } = request;
  const { path, temporary } = request.target ?? inFolder(snapshotFolder, to);
  const reader = from === 0 ? undefined : new SnapshotReader(files, join(snapshotFolder, snapshotName(from)));
  const meter = new Meter(request.progress);
  meter.expect(2 * bytesOf(reader));
  try {
    if (reader !== undefined && from !== request.from) refuseForeign(files, request.journalFolder, reader);
    const base = reader?.root.groups === undefined ? undefined : new Base(reader);
    const state = base?.state ?? reader?.state('file') ?? new State();
    const replayed = replayInto(state, files, request, from, reader?.header.newestTime ?? 0);
    const { nextSalt = from === to ? reader?.header.nextSalt : undefined } = replayed;
    if (state.lsn !== to || nextSalt === undefined)
      throw new CorruptError(request.journalFolder, 0, `the sealed segments end at record ${state.lsn}, not ${to}`);
    if (request.target === undefined) {
      files.makeFolder(snapshotFolder);
      removeIfThere(files, temporary);
    }
    const madeAt = request.madeAt ?? now();
    const options: FileOptions = {
      files,
      path: temporary,
      lineage: request.lineage,
      nextSalt,
      newestTime: replayed.newestTime,
      now: madeAt,
      afterStep: () => {
        meter.add(stepBytes);
        pause(request.pauseMs);
      },
    };
    const report =
      base === undefined
        ? writeSnapshot(state, options)
        : writeNext(base, whole ? Compaction.whole() : Compaction.after(base.reader, replayed.bytes, compactBytes), options);
    meter.expect(meter.done + report.bytes);
    const references = readBack(files, temporary, report, meter);
    if (whole && references > 1) throw new Error(`a whole copy refers to ${references - 1} other files`);
    // Nothing of somebody else's is replaced; a snapshot of the same records may be.
    if (request.target !== undefined && files.list(dirname(path)).includes(basename(path)))
      throw new FolderError(`There is a file ${path} already; nothing was written over it.`);
    // A backup changes nothing in the folder it is made of.
    if (request.target === undefined) {
      const parts = reader?.refersTo ?? [];
      setAside(
        files,
        snapshotFolder,
        found.broken.filter((lsn) => !parts.includes(lsn)),
      );
    }
    files.rename(temporary, path);
    files.syncFolder(dirname(path));
    const damaged = found.damaged.map(({ file, offset, found: what }) => ({ file, offset, found: what }));
    return { ...report, lsn: to, madeAt, records: replayed.records, files: references, scrubbedTo, damaged };
  } catch (error) {
    try {
      removeIfThere(files, temporary);
    } catch {
      // The first error is the one that matters, and the next fold removes it again.
    }
    throw error;
  } finally {
    reader?.close();
  }
}

/** Replays the sealed log after `from`. `records` are those above the newest snapshot, `bytes` those of all. */
function replayInto(state: State, files: Files, request: FoldRequest, from: number, newestTime: number) {
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

/** What is in a snapshot, in bytes: what a whole copy of it reads. */
function bytesOf(reader: SnapshotReader | undefined): number {
  if (reader === undefined) return 0;
  return reader.root.groups === undefined ? reader.size : [...reader.living.values()].reduce((sum, bytes) => sum + bytes, 0);
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

/** What is on the disk must be what was written before anything may rely on it. Returns in how many files the snapshot has something. */
function readBack(files: Files, path: string, report: WriteReport, meter: Meter): number {
  return readSnapshot(files, path, (reader) => {
    const chunks = reader.verify((bytes) => meter.add(bytes));
    if (chunks !== report.chunks) throw new CorruptError(path, 0, `${report.chunks} chunks were written, ${chunks} are there`);
    const groups = reader.root.groups ?? [];
    groups.forEach((group, i) => {
      if (group.file === reader.lsn) reader.groupEntries(group, groups[i - 1]);
    });
    return reader.refersTo.length;
  });
}

/** Reads a snapshot wholly back, in whichever files it is, and decodes every member of it. Throws {@link CorruptError}. */
export function checkSnapshot(files: Files, path: string): undefined {
  readSnapshot(files, path, (reader) => reader.check());
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread: a fold has a thread of its own, and lets the journal have the disk. */
export function pause(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(sleeper, 0, 0, milliseconds);
}
