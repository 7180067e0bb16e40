/**
 * Verifies a data folder without changing it: every byte of every snapshot and segment, and of the blobs that they need, and whether a
 * server could restore it.
 */

import { join } from 'node:path';
import { CorruptError } from '../../lib/errors.ts';
import { type Files, sizeOf } from '../../lib/files/files.ts';
import { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import type { State } from '../../store/state.ts';
import { FolderBlobs } from '../blobs/blob-source.ts';
import { filesIn } from '../snapshot/files/files-in.ts';
import { loggedFiles } from '../snapshot/files/logged-files.ts';
import { checkBlobs, describeLost, type NeededBlob, neededBlobs } from '../snapshot/files/needed-blobs.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { readSnapshot } from '../snapshot/reader.ts';
import { damagedEnding, keptSnapshots, listSnapshots } from '../snapshot/snapshot-folder.ts';
import { listSegments } from '../wal/format/segment.ts';
import { readSegment } from '../wal/read/read-segment.ts';
import { verifyJournal } from '../wal/read/verify-wal.ts';
import { type Folders, restore } from './recover-folder.ts';

interface FolderFinding {
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
  readonly problem: string;
}

export interface Verification {
  readonly segments: number;
  readonly snapshots: number;
  /** Number of blobs that the snapshots and the log need. */
  readonly blobs: number;
  /** Number of those that are missing or damaged; each is a finding. */
  readonly lost: number;
  readonly findings: readonly FolderFinding[];
  /** Quarantined snapshots: they are not verified, and nothing needs them. */
  readonly quarantined: readonly string[];
  /** The state that a server would restore; `undefined` if it would refuse to start, or if the folder is in use. */
  readonly restores:
    | { readonly lsn: number; readonly accounts: number; readonly projects: number; readonly members: number }
    | undefined;
}

/** How often a folder is verified when a server deletes files during the verification. */
const triesMax = 5;

/**
 * @param inUse whether a server writes to the folder: the end of its log is not final then, and no restore is tried
 * @param progress counts the bytes of snapshots and log to read and read
 */
export function verifyFolder(files: Files, folders: Folders, inUse: boolean, progress = new ProgressCounter()): Verification {
  const first = verifyWhole(files, folders, inUse, progress);
  if (!inUse || first.findings.length === 0) return first;
  // A file that was being written during the first pass is complete in the second; damage is in both.
  const second = verifyWhole(files, folders, inUse, new ProgressCounter());
  const seen = new Set(first.findings.map(({ file, offset }) => `${offset} ${file}`));
  return { ...second, findings: second.findings.filter(({ file, offset }) => seen.has(`${offset} ${file}`)) };
}

function verifyWhole(files: Files, folders: Folders, inUse: boolean, progress: ProgressCounter): Verification {
  for (let tries = 1; ; tries++) {
    try {
      return verifyOnce(files, folders, inUse, progress);
    } catch (error) {
      // The server may delete files that a new snapshot covers during the verification: verify the files that exist now.
      if (!inUse || (error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === triesMax) throw error;
    }
  }
}

function verifyOnce(files: Files, folders: Folders, inUse: boolean, progress: ProgressCounter): Verification {
  const snapshots = listSnapshots(files, folders.snapshots).map((lsn) => join(folders.snapshots, snapshotName(lsn)));
  const logged = listSegments(files, folders.journal).map(({ path }) => path);
  progress.expect(progress.done + [...snapshots, ...logged].reduce((sum, path) => sum + sizeOf(files, path), 0));
  const kept = keptSnapshots(files, folders.snapshots);
  const found: FolderFinding[] = [
    ...snapshots.flatMap((path, i) => verifySnapshot(files, path, i < kept.length, progress)),
    ...verifyJournal(files, folders.journal, kept.at(-1), (bytes) => progress.add(bytes)),
  ];
  const blobs = neededIn(files, folders, kept);
  const lost = verifyBlobs(files, folders, [...blobs.values()], progress);
  found.push(...lost);
  // A file is read as itself and for the snapshot that refers to it, so a finding may occur twice.
  const findings = found.filter(
    ({ file, offset }, i) => i === found.findIndex((same) => same.file === file && same.offset === offset),
  );
  const quarantined = files
    .list(folders.snapshots)
    .filter((name) => name.endsWith(damagedEnding))
    .map((name) => join(folders.snapshots, name));
  const seen = {
    segments: listSegments(files, folders.journal).length,
    snapshots: snapshots.length,
    blobs: blobs.size,
    lost: lost.length,
    quarantined,
  };
  if (inUse) return { ...seen, findings, restores: undefined };
  try {
    return { ...seen, findings, restores: count(restore(files, folders).restored.state) };
  } catch (error) {
    const finding = findingOf(error);
    const known = findings.some(({ file, offset }) => file === finding.file && offset === finding.offset);
    return { ...seen, findings: known ? findings : [...findings, finding], restores: undefined };
  }
}

/** @param whole whether to verify the chunks in other files that it refers to; older files exist only for their chunks */
function verifySnapshot(files: Files, path: string, whole: boolean, progress: ProgressCounter): FolderFinding[] {
  try {
    readSnapshot(files, path, (reader) => {
      const onBytes = (bytes: number) => progress.add(bytes);
      return whole ? reader.check(onBytes) : reader.verify(onBytes);
    });
    return [];
  } catch (error) {
    return [findingOf(error)];
  }
}

/**
 * The blobs that must exist: those of the kept snapshots, and of the records after the older one. A blob is deleted only when none of them
 * needs it. Damaged snapshots and segments are left out; their own verification reports them.
 */
function neededIn(files: Files, folders: Folders, kept: readonly number[]): Map<string, NeededBlob> {
  const needed = new Map<string, NeededBlob>();
  for (const lsn of kept) {
    orNothing(() => {
      readSnapshot(files, join(folders.snapshots, snapshotName(lsn)), (reader) => neededBlobs(filesIn(reader), needed));
    });
  }
  for (const file of listSegments(files, folders.journal)) {
    orNothing(() => {
      const segment = readSegment(files, file);
      if (segment.nextLsn > (kept.at(-1) ?? 0) + 1) neededBlobs(loggedFiles(segment), needed);
    });
  }
  return needed;
}

function orNothing(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
  }
}

function verifyBlobs(
  files: Files,
  { blobs }: Folders,
  needed: readonly NeededBlob[],
  progress: ProgressCounter,
): FolderFinding[] {
  progress.expect(progress.expected + needed.reduce((sum, { bytes }) => sum + bytes, 0));
  const sources = blobs === undefined ? [] : [new FolderBlobs(files, blobs)];
  const lost = checkBlobs(needed, sources, (bytes) => progress.add(bytes));
  return lost.map((blob) => ({ file: blob.path, offset: blob.offset, problem: describeLost(blob) }));
}

/** Counts the members; decodes each. */
function count(state: State): NonNullable<Verification['restores']> {
  let projects = 0;
  let members = 0;
  for (const account of state.accounts.values()) {
    for (const project of account.projects.values()) {
      projects += project.value.id === project.id ? 1 : 0;
      for (const { collection } of project.collections()) for (const _ of collection.capture()) members++;
    }
  }
  return { lsn: state.lsn, accounts: state.accounts.size, projects, members };
}

function findingOf(error: unknown): FolderFinding {
  if (error instanceof CorruptError) return { file: error.file, offset: error.offset, problem: error.found };
  throw error;
}
