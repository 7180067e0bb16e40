/** Checks a data folder without changing it: every byte of every snapshot and segment, and whether they would restore. */
import { join } from 'node:path';
import { CorruptError } from '../lib/errors.ts';
import { type Files, sizeOf } from '../lib/files/files.ts';
import { ProgressCounter } from '../lib/threads/progress-counter.ts';
import { snapshotName } from '../snapshot/format/snapshot-format.ts';
import { readSnapshot } from '../snapshot/reader.ts';
import { damagedEnding, keptSnapshots, listSnapshots } from '../snapshot/snapshot-folder.ts';
import type { State } from '../store/state.ts';
import { listSegments } from '../wal/format/segment.ts';
import { verifyJournal } from '../wal/read/verify-wal.ts';
import { type Folders, restore } from './open-engine.ts';

export interface FolderFinding {
  readonly file: string;
  /** In bytes. */
  readonly offset: number;
  readonly problem: string;
}

export interface Verification {
  readonly segments: number;
  readonly snapshots: number;
  readonly findings: readonly FolderFinding[];
  /** Snapshots that were set aside because of damage: they are not looked at, and nothing needs them. */
  readonly setAside: readonly string[];
  /** What a server that starts now would have; `undefined` when it would refuse, or when the folder is in use. */
  readonly restores:
    | { readonly lsn: number; readonly accounts: number; readonly projects: number; readonly members: number }
    | undefined;
}

/** How often a folder is read again that a server changes meanwhile. */
const triesMax = 5;

/**
 * @param inUse a server is writing in the folder: the end of its log is not final, and a restart is not tried
 * @param meter told how much of the snapshots and the log has been read
 */
export function verifyFolder(files: Files, folders: Folders, inUse: boolean, meter = new ProgressCounter()): Verification {
  const first = verifyWhole(files, folders, inUse, meter);
  if (!inUse || first.findings.length === 0) return first;
  // What was being written while it was read is whole the second time; damage stays where it is.
  const second = verifyWhole(files, folders, inUse, new ProgressCounter());
  const seen = new Set(first.findings.map(({ file, offset }) => `${offset} ${file}`));
  return { ...second, findings: second.findings.filter(({ file, offset }) => seen.has(`${offset} ${file}`)) };
}

function verifyWhole(files: Files, folders: Folders, inUse: boolean, meter: ProgressCounter): Verification {
  for (let tries = 1; ; tries++) {
    try {
      return verifyOnce(files, folders, inUse, meter);
    } catch (error) {
      // The server may delete what a new snapshot covers while it is read: what is there now is read instead.
      if (!inUse || (error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === triesMax) throw error;
    }
  }
}

function verifyOnce(files: Files, folders: Folders, inUse: boolean, meter: ProgressCounter): Verification {
  const snapshots = listSnapshots(files, folders.snapshots).map((lsn) => join(folders.snapshots, snapshotName(lsn)));
  const logged = listSegments(files, folders.journal).map(({ path }) => path);
  meter.expect(meter.done + [...snapshots, ...logged].reduce((sum, path) => sum + sizeOf(files, path), 0));
  const kept = keptSnapshots(files, folders.snapshots);
  const found: FolderFinding[] = [
    ...snapshots.flatMap((path, i) => verifySnapshot(files, path, i < kept.length, meter)),
    ...verifyJournal(files, folders.journal, kept.at(-1), (bytes) => meter.add(bytes)),
  ];
  // A file is looked at for itself, and for the snapshot that refers to it.
  const findings = found.filter(
    ({ file, offset }, i) => i === found.findIndex((same) => same.file === file && same.offset === offset),
  );
  const setAside = files
    .list(folders.snapshots)
    .filter((name) => name.endsWith(damagedEnding))
    .map((name) => join(folders.snapshots, name));
  const seen = { segments: listSegments(files, folders.journal).length, snapshots: snapshots.length, setAside };
  if (inUse) return { ...seen, findings, restores: undefined };
  try {
    return { ...seen, findings, restores: count(restore(files, folders).restored.state) };
  } catch (error) {
    const finding = findingOf(error);
    const known = findings.some(({ file, offset }) => file === finding.file && offset === finding.offset);
    return { ...seen, findings: known ? findings : [...findings, finding], restores: undefined };
  }
}

/** @param whole with what it refers to; an older file is there for its chunks alone */
function verifySnapshot(files: Files, path: string, whole: boolean, meter: ProgressCounter): FolderFinding[] {
  try {
    readSnapshot(files, path, (reader) => {
      const onBytes = (bytes: number) => meter.add(bytes);
      return whole ? reader.check(onBytes) : reader.verify(onBytes);
    });
    return [];
  } catch (error) {
    return [findingOf(error)];
  }
}

/** Looks at every member, which decodes it. */
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
