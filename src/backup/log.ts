/** The log in words: every record that can be reached, with what it changed, named as it was called at that moment. */
import { CorruptError, FolderError } from '../lib/errors.ts';
import type { Files } from '../lib/files.ts';
import { readSnapshot } from '../snapshot/reader.ts';
import { applyRecord } from '../store/apply.ts';
import { State } from '../store/state.ts';
import { type Described, describe } from './describe.ts';
import { type Base, type History, type Reached, walk } from './history.ts';

export interface LoggedRecord {
  readonly lsn: number;
  /** Milliseconds since 1970. */
  readonly timeMs: number;
  readonly changes: readonly Described[];
}

export interface LogRequest {
  /** The first record that is wanted. */
  readonly from: number;
  /** Of the histories that there are: the beginning of a name. */
  readonly lineage: string;
}

export interface LogRead {
  readonly lineage: string;
  /** The first record that there is. */
  readonly from: number;
  readonly reached: Reached;
  /** Those that there are at the end of it. */
  readonly accounts: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Hands over records in order. It begins with the newest base before the first record that is wanted: what came before that is known only
 * as what was there. Without such a base it begins with the oldest.
 *
 * Throws {@link FolderError} when there is nothing to read, and when there are several histories and none was chosen.
 */
export function readLog(files: Files, history: History, request: LogRequest, take: (record: LoggedRecord) => boolean): LogRead {
  const bases = history.bases.filter(({ lineage }) => lineage.startsWith(request.lineage));
  const lineages = [...new Set(bases.map(({ lineage }) => lineage))];
  if (lineages.length > 1) {
    const names = lineages.map((name) => `--lineage ${name.slice(0, 8)}`).join(', ');
    throw new FolderError(`There are several histories here: a restored folder begins one of its own. Say which one: ${names}.`);
  }
  const [lineage] = lineages;
  const [base, state] = startOf(files, bases, request.from);
  if (base === undefined || lineage === undefined)
    throw new FolderError('No snapshot, backup or beginning of a log there can be used.');
  const reached = walk(files, history, base, (lsn, { time, changes }) => {
    const described = lsn < request.from ? [] : changes.map((change) => describeThen(state, lsn, change));
    if (lsn < request.from) applyRecord(state, lsn, changes);
    state.lsn = lsn;
    return lsn < request.from || take({ lsn, timeMs: time, changes: described });
  });
  return { lineage, from: base.lsn + 1, reached, accounts: [...state.accounts.values()] };
}

/** Each change sees what those before it in the same record made. */
function describeThen(state: State, lsn: number, change: Parameters<typeof describe>[1]): Described {
  const described = describe(state, change);
  applyRecord(state, lsn, [change]);
  return described;
}

function startOf(files: Files, bases: readonly Base[], from: number): [Base | undefined, State] {
  const before = bases.filter(({ lsn }) => lsn < from).reverse();
  const after = bases.filter(({ lsn }) => lsn >= from);
  for (const base of [...before, ...after]) {
    if (base.path === undefined) return [base, new State()];
    try {
      return [base, readSnapshot(files, base.path, (reader) => reader.state('memory'))];
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
    }
  }
  return [undefined, new State()];
}
