/** The terms of the cluster protocol that every state machine uses, and how the answer to a write is judged. */

/** A moment by the two clocks of one process, in milliseconds: `performance.now()` and `Date.now()`. */
export interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The end of a batch: its last LSN, and the chain hash (SHA-256 of the previous chain and the payload) after it. */
export interface Position {
  readonly lsn: number;
  readonly chain: string;
}

/** The right to append. `owner` is random for each claim, because a failover that loses data also takes back epochs. */
export interface Token {
  readonly epoch: number;
  readonly owner: string;
}

/** A batch of records: one row of the log. */
export interface Batch {
  readonly firstLsn: number;
  /** The end of the batch before it. */
  readonly before: Position;
  readonly end: Position;
}

/** The answer to a write, and to the SELECT that is pipelined after it. */
export interface WriteAnswer {
  /** Rows that the write changed. */
  readonly rows: number;
  /** Whether a WARNING came with it: PostgreSQL reports a cancelled wait for the standby as a success with a WARNING. */
  readonly warned: boolean;
  /** Whether standbys were configured after the commit: a commit is released silently when they are removed. */
  readonly replicates: boolean;
  /** The timeline of the database after the commit. */
  readonly timeline: string;
}

/** An error of the database instead of an answer: its SQLSTATE. */
export interface WriteError {
  readonly code: string;
}

/**
 * - `acknowledged`: committed and replicated.
 * - `refused`: not committed.
 * - `unknown`: may or may not be committed, or committed and not replicated.
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** Classes of errors, and single ones, with which PostgreSQL says that a statement was rolled back. */
const refusalClasses: ReadonlySet<string> = new Set(['22', '23', '25', '42', '53']);
const refusals: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '0A000']);

/** Judges the answer to a write by a process that knows the database in `timeline`. */
export function outcomeOf(answer: WriteAnswer | WriteError, timeline: string): Outcome {
  if ('code' in answer) return refusals.has(answer.code) || refusalClasses.has(answer.code.slice(0, 2)) ? 'refused' : 'unknown';
  if (answer.rows === 0) return 'refused';
  return !answer.warned && answer.replicates && answer.timeline === timeline ? 'acknowledged' : 'unknown';
}

/** The answer to a check: what an owner reads on a new connection, before anything that it hears there counts. */
export interface CheckAnswer {
  readonly timeline: string;
  readonly token: Token;
  /** The newest row of the log. */
  readonly newest: Position;
  /** The chain of the row that ends at the LSN asked for; `undefined` if there is none. */
  readonly chainAt: string | undefined;
}

export function isAt(a: Position, b: Position): boolean {
  return a.lsn === b.lsn && a.chain === b.chain;
}
