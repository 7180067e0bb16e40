/** The log in words: every reachable record with its changes, named as at that moment. */
import { CorruptError, FolderError } from '../../lib/errors.ts';
import type { Files } from '../../lib/files/files.ts';
import { applyRecord } from '../../store/apply.ts';
import { runLeaves } from '../../store/run-leaf.ts';
import { State } from '../../store/state.ts';
import { readSnapshot } from '../snapshot/reader.ts';
import { type History, type HistoryBase, type LogReach, walkSegments } from './backup-history.ts';
import { type ChangeDescription, describe } from './describe-change.ts';

export interface LoggedRecord {
  readonly lsn: number;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly changes: readonly ChangeDescription[];
}

interface HistoryLogRequest {
  /** The first record to read. */
  readonly from: number;
  /** Beginning of the lineage to read. */
  readonly lineage: string;
}

export interface LogRead {
  readonly lineage: string;
  /** The first available record. */
  readonly from: number;
  readonly reached: LogReach;
  /** Accounts at the end of the log. */
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Passes records to `take`, in order. Starts with the newest base before the first requested record; changes before that base are known
 * only by their result. Without such a base it starts with the oldest one.
 *
 * Throws {@link FolderError} if there is nothing to read, or if there are several histories and the request does not select one.
 */
export function readHistoryLog(
  files: Files,
  history: History,
  request: HistoryLogRequest,
  take: (record: LoggedRecord) => boolean,
): LogRead {
  const bases = history.bases.filter(({ lineage }) => lineage.startsWith(request.lineage));
  const lineages = [...new Set(bases.map(({ lineage }) => lineage))];
  if (lineages.length > 1) {
    const names = lineages.map((name) => `--lineage ${name.slice(0, 8)}`).join(' or ');
    throw new FolderError(`These folders hold several histories, because a restore starts a new one. Select one with ${names}.`);
  }
  const [lineage] = lineages;
  const [base, state] = startOf(files, bases, request.from);
  if (base === undefined || lineage === undefined)
    throw new FolderError(
      'No usable snapshot, backup or beginning of a log was found. Name further folders, or run mapwright repair.',
    );
  const reached = walkSegments(files, history, base, (lsn, { time, changes }) => {
    const described = lsn < request.from ? [] : changes.map((change) => describeThen(state, lsn, change));
    if (lsn < request.from) applyRecord(state, lsn, changes);
    state.lsn = lsn;
    return lsn < request.from || take({ lsn, timeMs: time, changes: described });
  });
  return { lineage, from: base.lsn + 1, reached, accounts: [...state.accounts.values()] };
}

/** Describes a change with the state that the earlier changes of the same record left. */
function describeThen(state: State, lsn: number, change: Parameters<typeof describe>[1]): ChangeDescription {
  const described = describe(state, change);
  applyRecord(state, lsn, [change]);
  return described;
}

function startOf(files: Files, bases: readonly HistoryBase[], from: number): [HistoryBase | undefined, State] {
  const before = bases.filter(({ lsn }) => lsn < from).reverse();
  const after = bases.filter(({ lsn }) => lsn >= from);
  for (const base of [...before, ...after]) {
    if (base.path === undefined) return [base, new State(runLeaves)];
    try {
      return [base, readSnapshot(files, base.path, (reader) => reader.state('memory'))];
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
    }
  }
  return [undefined, new State(runLeaves)];
}
