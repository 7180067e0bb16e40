/**
 * A repair: the way out of a refusal. It reads what is left of a damaged folder, keeps what can be proved, and says what is lost. The
 * folder itself is never written to.
 *
 * | there is                                                        | then                                                             |
 * | ---------------------------------------------------------------- | ----------------------------------------------------------------- |
 * | a whole snapshot, or the beginning of the log                    | it and the log after it, without a gap: a state that was, exactly  |
 * | a damaged snapshot from which the log goes further than that      | its sound chunks, the state above where one is missing, and its log |
 * | no snapshot at all, and no beginning                              | what the log from its first segment on says, and no more           |
 *
 * The first is a state that there was at one moment, complete. The other two are made of values that there were, each of them at its
 * moment, and everything that is missing or may be older than the rest is in the list of losses.
 *
 * A record after a gap in the log is not applied: what it was put on is not known. It is named instead. What is taken from there all the
 * same, because it is final and errs on the safe side, is that a key was revoked, or expires, or went with its account.
 */
import { join } from 'node:path';
import { verifyJournal } from '../journal/verify.ts';
import { CorruptError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import type { Change } from '../model/change.ts';
import { keptSnapshots } from '../snapshot/folder.ts';
import { type SnapshotHeader, snapshotLsn, snapshotName } from '../snapshot/format.ts';
import { readSnapshot } from '../snapshot/reader.ts';
import { State } from '../store/state.ts';
import { applyAnyway } from './apply-anyway.ts';
import { describe } from './describe.ts';
import type { Finding, Loss, Losses } from './losses.ts';
import { headerOf } from './names.ts';
import { DamagedLog, type LogEnd } from './salvage-log.ts';
import { salvageSnapshot } from './salvage-snapshot.ts';

export interface DamagedFolders {
  readonly journal: string;
  readonly snapshots: string;
}

/** What can be kept, in memory. */
export interface Kept extends Losses {
  readonly state: State;
  /** The greatest time of a record in it: milliseconds since 1970. */
  readonly newestTime: number;
  /** The snapshot it begins with; `undefined` for the beginning of the log, or for a log alone. */
  readonly base: string | undefined;
}

/** A snapshot of the folder, or the beginning. */
interface Candidate {
  readonly path: string | undefined;
  readonly lsn: number;
  readonly newestTime: number;
  /** Of the segment that continues it. */
  readonly salt: number | undefined;
  readonly end: LogEnd;
}

/** Reads the folder. Throws {@link CorruptError} when nothing in it can be kept. */
export function keepProvable(files: Files, folders: DamagedFolders): Kept {
  const log = new DamagedLog(files, folders.journal);
  const { whole, partial, findings, greatestLsn } = survey(files, folders, log);
  const best = furthest(whole);
  const damaged = furthest(partial.filter(({ end }) => end.lsn > (best?.end.lsn ?? 0)));
  const losses: Loss[] = [];
  const kept =
    damaged !== undefined
      ? fromDamaged(files, log, damaged, best, losses)
      : best !== undefined
        ? fromWhole(files, log, best, losses)
        : fromLogAlone(log, losses);
  if (kept === undefined || kept.state.lsn === 0)
    throw new CorruptError(folders.journal, 0, 'no snapshot and no record there can be read: nothing can be kept');
  listRecords(log, kept, greatestLsn, losses);
  return { ...kept, findings, losses };
}

type Made = Pick<Kept, 'state' | 'newestTime' | 'base'> & { readonly damage: CorruptError | undefined };

function survey(files: Files, { journal, snapshots }: DamagedFolders, log: DamagedLog) {
  const findings: Finding[] = orFinding(journal, () => verifyJournal(files, journal, keptSnapshots(files, snapshots).at(-1)));
  const whole: Candidate[] = [];
  const partial: Candidate[] = [];
  let greatestLsn = log.greatestLsn();
  if (log.hasBeginning) {
    const beginning = { path: undefined, lsn: 0, newestTime: 0, salt: undefined };
    whole.push({ ...beginning, end: log.follow(beginning, undefined, () => undefined) });
  }
  const kept = keptSnapshots(files, snapshots).map(snapshotName);
  for (const name of files.list(snapshots).filter((listed) => /^[0-9a-f]{16}\.snapshot(\.damaged)?$/.test(listed))) {
    const path = join(snapshots, name);
    greatestLsn = Math.max(greatestLsn, Number.parseInt(name, 16));
    const header = headerOf(files, path);
    const problems = orFinding(path, () => problemsOf(files, path));
    // An older file is there for its chunks alone; what it referred to itself may be gone, and nobody misses it.
    const told = kept.includes(name) || !listedAsSnapshot(name) ? problems : orFinding(path, () => ownProblemsOf(files, path));
    findings.push(
      ...told.filter(({ file, offset }) => !findings.some((known) => known.file === file && known.offset === offset)),
    );
    if (header !== undefined) (problems.length === 0 ? whole : partial).push(candidate(path, header, log));
  }
  return { whole, partial, findings, greatestLsn };
}

function candidate(path: string, { lsn, newestTime, nextSalt: salt }: SnapshotHeader, log: DamagedLog): Candidate {
  return { path, lsn, newestTime, salt, end: log.follow({ lsn, newestTime }, salt, () => undefined) };
}

function problemsOf(files: Files, path: string): Finding[] {
  readSnapshot(files, path, (reader) => reader.check());
  return [];
}

function ownProblemsOf(files: Files, path: string): Finding[] {
  readSnapshot(files, path, (reader) => reader.verify());
  return [];
}

const listedAsSnapshot = (name: string): boolean => snapshotLsn(name) !== undefined;

/** What a look at a file finds, the errors of its disk included. */
function orFinding(file: string, look: () => Finding[]): Finding[] {
  try {
    return look();
  } catch (error) {
    if (error instanceof CorruptError) return [{ file: error.file, offset: error.offset, problem: error.found }];
    if ((error as NodeJS.ErrnoException).code === 'EIO') return [{ file, offset: 0, problem: (error as Error).message }];
    throw error;
  }
}

/** From which the log goes furthest; of two that lead to the same record, the later one. */
function furthest(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort((a, b) => a.end.lsn - b.end.lsn || a.lsn - b.lsn).at(-1);
}

function fromWhole(files: Files, log: DamagedLog, base: Candidate, losses: Loss[]): Made {
  return followed(log, base, stateOf(files, base), losses);
}

function fromDamaged(files: Files, log: DamagedLog, base: Candidate, best: Candidate | undefined, losses: Loss[]): Made {
  const older = best === undefined ? undefined : fromWhole(files, log, best, []).state;
  const salvaged = salvageSnapshot(files, base.path as string, older);
  losses.push(...salvaged.losses);
  return followed(log, base, salvaged.state, losses);
}

/** The log without anything before it. */
function fromLogAlone(log: DamagedLog, losses: Loss[]): Made | undefined {
  const { firstLsn, salt } = log.oldest ?? {};
  if (firstLsn === undefined) return undefined;
  losses.push({ kind: 'records', from: 1, to: firstLsn - 1, words: 'no snapshot that could be read goes up to the log' });
  return followed(log, { path: undefined, lsn: firstLsn - 1, newestTime: 0, salt }, new State(), losses);
}

function followed(log: DamagedLog, base: Omit<Candidate, 'end'>, state: State, losses: Loss[]): Made {
  const { newestTime, damage } = log.follow(base, base.salt, (lsn, { changes }) => applyAnyway(state, lsn, changes, losses));
  return { state, newestTime, base: base.path, damage };
}

function stateOf(files: Files, { path }: Candidate): State {
  if (path === undefined) return new State();
  return readSnapshot(files, path, (reader) => reader.state('memory'));
}

/** What the log held after the last record that is kept. */
function listRecords(log: DamagedLog, { state, damage }: Made, greatestLsn: number, losses: Loss[]): void {
  const from = state.lsn + 1;
  const above = log.recordsAbove(state.lsn);
  const to = Math.max(greatestLsn, above.at(-1)?.lsn ?? 0);
  if (damage === undefined && to < from) return;
  const words = damage === undefined ? 'they are in no file' : `${damage.file} at byte ${damage.offset}: ${damage.found}`;
  losses.push({ kind: 'records', from, to: to < from ? undefined : to, words });
  for (const { lsn, record } of above) {
    for (const change of record.changes) {
      losses.push({ kind: 'record', lsn, timeMs: record.time, words: describe(state, change).words });
      keepOut(state, change);
    }
  }
}

/** Nobody gets in with a key that was taken away later. */
function keepOut(state: State, change: Change): void {
  if (change.op === 'delete-account') {
    for (const { id, accountId } of [...state.keys.values()]) if (accountId === change.accountId) state.keys.delete(id);
  }
  const key = change.op === 'put-key' ? state.keys.get(change.key.id) : undefined;
  if (change.op !== 'put-key' || key === undefined) return;
  const { revoked, expires } = change.key;
  const sooner = expires !== '' && (key.expires === '' || expires < key.expires) ? expires : key.expires;
  state.keys.set(key.id, { ...key, expires: sooner, revoked: key.revoked === '' ? revoked : key.revoked });
}
