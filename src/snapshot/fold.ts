/**
 * A fold: the previous snapshot and the sealed segments after it become the next snapshot, from files alone.
 *
 *     previous snapshot ─┐
 *                        ├─▶ <lsn>.snapshot.tmp ─▶ sync ─▶ read back ─▶ rename ─▶ sync of the folder
 *     sealed segments  ──┘
 *
 * Live memory is neither copied nor paused. What no record touched is verified and copied as bytes. Whatever goes wrong before the
 * rename removes the `.tmp` and changes nothing; what is covered is deleted afterwards, by whoever asked for the fold.
 */
import { join } from 'node:path';
import { replay } from '../journal/replay.ts';
import { CorruptError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { State } from '../store/state.ts';
import { temporaryEnding } from './folder.ts';
import { snapshotName } from './format.ts';
import { SnapshotReader } from './reader.ts';
import { replayRecord } from './replay-record.ts';
import { type WriteReport, writeSnapshot } from './writer.ts';

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
}

export interface FoldReport extends WriteReport {
  readonly lsn: number;
  /** Records folded in. */
  readonly records: number;
}

export function fold(files: Files, request: FoldRequest, now: () => number = Date.now): FoldReport {
  const { snapshotFolder, from, to } = request;
  const path = join(snapshotFolder, snapshotName(to));
  const temporary = path + temporaryEnding;
  const previous = from === 0 ? undefined : new SnapshotReader(files, join(snapshotFolder, snapshotName(from)));
  try {
    const state = previous?.state('file') ?? new State();
    let records = 0;
    const successor = replay(files, request.journalFolder, from + 1, to, (lsn, bytes) => {
      replayRecord(state, files, request.journalFolder, lsn, bytes);
      records++;
    });
    if (state.lsn !== to || successor?.firstLsn !== to + 1)
      throw new CorruptError(request.journalFolder, 0, `the sealed segments end at record ${state.lsn}, not ${to}`);
    files.makeFolder(snapshotFolder);
    removeIfThere(files, temporary);
    const report = writeSnapshot(state, {
      files,
      path: temporary,
      lineage: request.lineage,
      nextSalt: successor.salt,
      now: now(),
      afterStep: () => pause(request.pauseMs),
    });
    readBack(files, temporary, report);
    files.rename(temporary, path);
    files.syncFolder(snapshotFolder);
    return { ...report, lsn: to, records };
  } catch (error) {
    removeIfThere(files, temporary);
    throw error;
  } finally {
    previous?.close();
  }
}

/** What is on the disk must be what was written before anything may rely on it. */
function readBack(files: Files, path: string, report: WriteReport): void {
  const reader = new SnapshotReader(files, path);
  try {
    const chunks = reader.verify();
    if (chunks !== report.chunks) throw new CorruptError(path, 0, `${report.chunks} chunks were written, ${chunks} are there`);
  } finally {
    reader.close();
  }
}

function removeIfThere(files: Files, path: string): void {
  try {
    files.unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread: a fold has a thread of its own, and lets the journal have the disk. */
function pause(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(sleeper, 0, 0, milliseconds);
}
