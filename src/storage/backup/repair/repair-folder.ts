/**
 * A repair: the way out when a server refuses a damaged folder. It reads what is left, keeps everything that can be proved, and reports the
 * losses. It never writes to the damaged folder.
 *
 * | found                                                     | result                                                                   |
 * | --------------------------------------------------------- | ------------------------------------------------------------------------ |
 * | a whole snapshot, or the beginning of the log             | the snapshot and the log after it, without a gap: exactly a former state |
 * | a damaged snapshot with a log that reaches further        | its sound chunks, older values for missing ones, and its log             |
 * | neither a snapshot nor the beginning                      | the contents of the log from its first segment on                        |
 *
 * The first result is a complete state of one moment. The other two combine values of different moments; the list of losses names
 * everything that is missing or may be older than the rest.
 *
 * Records after a gap in the log are listed but not applied, because the state before them is unknown. Exceptions, because they are final
 * and err on the safe side: a key that was revoked, given an expiry, or deleted;
 * a person who was changed, removed or erased; and a public address, or its name, that was given up.
 */
import { join } from 'node:path';
import { CorruptError } from '../../../lib/errors.ts';
import type { Files } from '../../../lib/files/files.ts';
import type { Change } from '../../../store/operations/operations.ts';
import { runLeaves } from '../../../store/run-leaf.ts';
import { State } from '../../../store/state.ts';
import type { StoredProject } from '../../../store/stored-project.ts';
import { type SnapshotHeader, snapshotLsn, snapshotName } from '../../snapshot/format/snapshot-format.ts';
import { readSnapshot } from '../../snapshot/reader.ts';
import { keptSnapshots } from '../../snapshot/snapshot-folder.ts';
import { verifyJournal } from '../../wal/read/verify-wal.ts';
import { headerOf } from '../backup-names.ts';
import { describe } from '../describe-change.ts';
import { applyLeniently } from './lenient-apply.ts';
import type { Loss, Losses, RepairFinding } from './repair-report.ts';
import { DamagedLog, type LogEnd } from './salvage-log.ts';
import { salvageSnapshot } from './salvage-snapshot.ts';

interface DamagedFolders {
  readonly journal: string;
  readonly snapshots: string;
}

/** The recovered contents, in memory. */
export interface RepairedState extends Losses {
  readonly state: State;
  /** The latest time of a record in the state: milliseconds since 1970. */
  readonly newestTime: number;
  /** The snapshot that it starts from; `undefined` for the beginning of the log, or for a log alone. */
  readonly base: string | undefined;
}

/** A snapshot of the folder, or the empty beginning. */
interface Candidate {
  readonly path: string | undefined;
  readonly lsn: number;
  readonly newestTime: number;
  /** Salt of the segment that continues it. */
  readonly salt: number | undefined;
  readonly end: LogEnd;
}

/** Reads the folder. Throws {@link CorruptError} if nothing in it can be kept. */
export function repairFolder(files: Files, folders: DamagedFolders): RepairedState {
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
    throw new CorruptError(
      folders.journal,
      0,
      'no readable snapshot and no readable record: nothing can be recovered here. Restore a backup',
    );
  listRecords(log, kept, greatestLsn, losses);
  return { ...kept, findings, losses };
}

type RecoveredState = Pick<RepairedState, 'state' | 'newestTime' | 'base'> & { readonly damage: CorruptError | undefined };

function survey(files: Files, { journal, snapshots }: DamagedFolders, log: DamagedLog) {
  const findings: RepairFinding[] = orFinding(journal, () =>
    verifyJournal(files, journal, keptSnapshots(files, snapshots).at(-1)),
  );
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
    // Only the chunks of an older file still count. Files that it referred to may have been deleted since.
    const relevant =
      kept.includes(name) || !listedAsSnapshot(name) ? problems : orFinding(path, () => ownProblemsOf(files, path));
    findings.push(
      ...relevant.filter(({ file, offset }) => !findings.some((known) => known.file === file && known.offset === offset)),
    );
    if (header !== undefined) (problems.length === 0 ? whole : partial).push(candidate(path, header, log));
  }
  return { whole, partial, findings, greatestLsn };
}

function candidate(path: string, { lsn, newestTime, nextSalt: salt }: SnapshotHeader, log: DamagedLog): Candidate {
  return { path, lsn, newestTime, salt, end: log.follow({ lsn, newestTime }, salt, () => undefined) };
}

function problemsOf(files: Files, path: string): RepairFinding[] {
  readSnapshot(files, path, (reader) => reader.check());
  return [];
}

function ownProblemsOf(files: Files, path: string): RepairFinding[] {
  readSnapshot(files, path, (reader) => reader.verify());
  return [];
}

const listedAsSnapshot = (name: string): boolean => snapshotLsn(name) !== undefined;

/** The findings of a check; damage and read errors of the disk become findings too. */
function orFinding(file: string, check: () => RepairFinding[]): RepairFinding[] {
  try {
    return check();
  } catch (error) {
    if (error instanceof CorruptError) return [{ file: error.file, offset: error.offset, problem: error.found }];
    if ((error as NodeJS.ErrnoException).code === 'EIO') return [{ file, offset: 0, problem: (error as Error).message }];
    throw error;
  }
}

/** The candidate whose log reaches furthest; of two that reach the same record, the later one. */
function furthest(candidates: readonly Candidate[]): Candidate | undefined {
  return [...candidates].sort((a, b) => a.end.lsn - b.end.lsn || a.lsn - b.lsn).at(-1);
}

function fromWhole(files: Files, log: DamagedLog, base: Candidate, losses: Loss[]): RecoveredState {
  return withLog(log, base, stateOf(files, base), losses);
}

function fromDamaged(
  files: Files,
  log: DamagedLog,
  base: Candidate,
  best: Candidate | undefined,
  losses: Loss[],
): RecoveredState {
  const older = best === undefined ? undefined : fromWhole(files, log, best, []).state;
  const salvaged = salvageSnapshot(files, base.path as string, older);
  losses.push(...salvaged.losses);
  return withLog(log, base, salvaged.state, losses);
}

/** Starts with the log alone. */
function fromLogAlone(log: DamagedLog, losses: Loss[]): RecoveredState | undefined {
  const { firstLsn, salt } = log.oldest ?? {};
  if (firstLsn === undefined) return undefined;
  losses.push({ kind: 'records', from: 1, to: firstLsn - 1, words: 'no readable snapshot reaches up to the log' });
  return withLog(log, { path: undefined, lsn: firstLsn - 1, newestTime: 0, salt }, new State(runLeaves), losses);
}

function withLog(log: DamagedLog, base: Omit<Candidate, 'end'>, state: State, losses: Loss[]): RecoveredState {
  const { newestTime, damage } = log.follow(base, base.salt, (lsn, { changes }) => applyLeniently(state, lsn, changes, losses));
  return { state, newestTime, base: base.path, damage };
}

function stateOf(files: Files, { path }: Candidate): State {
  if (path === undefined) return new State(runLeaves);
  return readSnapshot(files, path, (reader) => reader.state('memory'));
}

/** Lists the records after the last one that is kept. */
function listRecords(log: DamagedLog, { state, damage }: RecoveredState, greatestLsn: number, losses: Loss[]): void {
  const from = state.lsn + 1;
  const above = log.recordsAbove(state.lsn);
  const to = Math.max(greatestLsn, above.at(-1)?.lsn ?? 0);
  if (damage === undefined && to < from) return;
  const words = damage === undefined ? 'no file holds them' : `${damage.file} at byte ${damage.offset}: ${damage.found}`;
  losses.push({ kind: 'records', from, to: to < from ? undefined : to, words });
  for (const { lsn, record } of above) {
    for (const change of record.changes) {
      losses.push({ kind: 'record', lsn, timeMs: record.time, words: describe(state, change).words });
      restrictAccess(state, change);
      unpublish(state, change);
      giveUpName(state, change);
    }
  }
}

/** Applies later revocations and expiries of keys, and later changes of people, so that nobody can do more than at the end. */
function restrictAccess(state: State, change: Change): void {
  if (change.op === 'delete-account') {
    for (const { id, accountId } of [...state.keys.values()]) if (accountId === change.accountId) state.keys.delete(id);
    state.persons.deleteAccount(change.accountId);
  }
  if (change.op === 'delete-key') state.keys.delete(change.keyId);
  if (change.op === 'delete-person') state.persons.delete(change.personId);
  if (change.op === 'put-person' && state.persons.has(change.person.id)) state.persons.put(change.person);
  const key = change.op === 'put-key' ? state.keys.get(change.key.id) : undefined;
  if (change.op !== 'put-key' || key === undefined) return;
  const { revoked, expires } = change.key;
  const sooner = expires !== '' && (key.expires === '' || expires < key.expires) ? expires : key.expires;
  state.keys.set(key.id, { ...key, expires: sooner, revoked: key.revoked === '' ? revoked : key.revoked });
}

/** Forgets addresses as later records did, so that a project that was made private, or was deleted, is not public again. */
function unpublish(state: State, change: Change): void {
  if (change.op === 'delete-account') {
    for (const project of state.accounts.get(change.accountId)?.projects.values() ?? []) forget(project);
  }
  if (change.op !== 'delete-publication' && change.op !== 'delete-project' && change.op !== 'put-publication') return;
  const project = state.accounts.get(change.accountId)?.projects.get(change.projectId);
  // Published under another address, so the one before was forgotten.
  const isKept = change.op === 'put-publication' && change.head.slug === project?.publication?.slug;
  if (project !== undefined && !isKept) forget(project);
}

function forget(project: StoredProject): void {
  project.publication = undefined;
  project.visits = undefined;
}

/** A name leads to no map that it was taken from, and to no other one than before: that of a later record may be missing. */
function giveUpName(state: State, change: Change): void {
  if (change.op === 'delete-account') state.names.deleteAccount(change.accountId);
  if (change.op !== 'put-name') return;
  const present = state.names.get(change.name);
  if (present === undefined) return;
  const { accountId, name, projectId, until } = change;
  const isOfOther =
    present.accountId !== accountId || (projectId !== '' && present.projectId !== '' && present.projectId !== projectId);
  if (isOfOther || (projectId === '' && until === '')) state.names.delete(name);
  else if (projectId === '') state.names.put({ accountId, name, projectId, until });
}
