/**
 * A model of a PostgreSQL primary with one synchronous standby, as far as the cluster protocol can see it. Plain data, so that a state can
 * be copied and compared as JSON.
 *
 *     travelling -> executing -> committing -> released -> answered -> delivered
 *                 '-> answered        0 rows, an error, or a read
 *
 * An append holds its lock from `executing` on. Other writes commit when they execute.
 *
 * A transaction is in the log of the database from `committing` on, holds its locks, and is not visible. It becomes visible when the standby
 * has it, when its wait is cancelled (with a WARNING), when the standbys are removed from the settings (silently), or by a restart.
 */
import type { Observation, ShardRow } from '../../src/cluster/protocol/claim.ts';
import type { CheckAnswer, Position, WriteAnswer, WriteError } from '../../src/cluster/protocol/terms.ts';

export interface Tables {
  shard: ShardRow & { owner: string };
  lease: { owner: string; beat: number; released: boolean };
  /** The rows of the log; the first one stands for LSN 0. */
  rows: Position[];
}

export type Sql =
  | { kind: 'append'; epoch: number; owner: string; before: Position; row: Position }
  | { kind: 'settle'; epoch: number; owner: string; lineage: string; timeline: string }
  | { kind: 'renew' | 'release'; owner: string }
  | { kind: 'claim'; owner: string; seen: { owner: string; beat: number; timeline: string } }
  | { kind: 'observe' }
  | { kind: 'check'; lsn: number }
  | { kind: 'load' };

export type Answer =
  | (WriteAnswer & { shard?: ShardRow })
  | WriteError
  | Observation
  | CheckAnswer
  | { rows: Position[]; owner: string; timeline: string };

/** Deliberate mistakes in the statements. */
export interface WrongSql {
  /** A claim compares the owner only. */
  readonly claimWithoutBeat?: boolean;
  /** An append does not lock the shard's row. */
  readonly appendWithoutLock?: boolean;
  /** A token is compared by its epoch only. */
  readonly tokenWithoutOwner?: boolean;
}

export interface Statement {
  id: number;
  /** The connection that waits for the answer; '' after it broke: the server goes on. */
  channel: string;
  sql: Sql;
  phase: 'travelling' | 'executing' | 'committing' | 'released' | 'answered';
  warned: boolean;
  /** What it writes, between execution and commit. */
  changes?: Changes;
  answer?: Answer;
}

type Changes = Pick<Entry, 'shard' | 'lease' | 'row'>;

/** A transaction that not everybody has: what it changed. */
interface Entry {
  id: number;
  visible: boolean;
  shard?: Tables['shard'];
  lease?: Tables['lease'];
  row?: Position;
}

export interface Database {
  base: Tables;
  /** Transactions after `base`, in commit order. */
  log: Entry[];
  /** How many of them the standby has. */
  replicated: number;
  /** Whether standbys are configured. */
  names: boolean;
  timeline: number;
  statements: Statement[];
  nextId: number;
  /** An earlier copy, to which an operator may restore it. */
  saved?: Tables;
}

export function newDatabase(): Database {
  return {
    base: {
      shard: { epoch: 0, owner: 'nobody', lineage: 'L0', timeline: '1' },
      lease: { owner: 'nobody', beat: 0, released: true },
      rows: [{ lsn: 0, chain: '' }],
    },
    log: [],
    replicated: 0,
    names: true,
    timeline: 1,
    statements: [],
    nextId: 1,
  };
}

export const timelineOf = (db: Database): string => String(db.timeline);

function applied(tables: Tables, entries: readonly Entry[]): Tables {
  if (entries.length === 0) return tables;
  const rows = [...tables.rows];
  let { shard, lease } = tables;
  for (const entry of entries) {
    if (entry.row !== undefined) rows.push(entry.row);
    shard = entry.shard ?? shard;
    lease = entry.lease ?? lease;
  }
  return { shard, lease, rows };
}

/** What a statement reads. */
export function visible(db: Database): Tables {
  return applied(
    db.base,
    db.log.filter((entry) => entry.visible),
  );
}

const locksOf: Readonly<Record<Sql['kind'], readonly string[]>> = {
  append: ['shard:share'],
  settle: ['shard'],
  renew: ['lease'],
  release: ['lease'],
  claim: ['shard', 'lease'],
  observe: [],
  check: [],
  load: [],
};

/** Whether a statement waits for a lock of a transaction that is not over. */
export function isBlocked(db: Database, { sql }: Statement, wrong: WrongSql): boolean {
  if (sql.kind === 'append' && wrong.appendWithoutLock === true) return false;
  return db.statements.some((other) => {
    if (other.phase !== 'committing' && other.phase !== 'executing') return false;
    const held = wrong.appendWithoutLock === true && other.sql.kind === 'append' ? [] : locksOf[other.sql.kind];
    const row = sql.kind === 'append' && other.sql.kind === 'append' && sql.row.lsn === other.sql.row.lsn;
    return row || locksOf[sql.kind].some((lock) => conflicts(lock, held));
  });
}

function conflicts(lock: string, held: readonly string[]): boolean {
  if (lock === 'shard:share') return held.includes('shard');
  return held.includes(lock) || (lock === 'shard' && held.includes('shard:share'));
}

/** Runs a statement that is not blocked, up to its commit or its answer. */
export function execute(db: Database, statement: Statement, wrong: WrongSql): void {
  const tables = visible(db);
  const { sql } = statement;
  const done = (answer: Answer) => {
    statement.phase = 'answered';
    statement.answer = answer;
  };
  if (sql.kind === 'check') {
    done(checkOf(tables, sql.lsn, timelineOf(db)));
    return;
  }
  if (sql.kind === 'load') {
    done({ rows: tables.rows, owner: tables.shard.owner, timeline: timelineOf(db) });
    return;
  }
  if (sql.kind === 'observe') {
    done(observationOf(tables, timelineOf(db)));
    return;
  }
  const changes = changesOf(tables, sql, db, wrong);
  if (changes === undefined) {
    done({ rows: 0, warned: false, replicates: db.names, timeline: timelineOf(db) });
    return;
  }
  if ('code' in changes) {
    done(changes);
    return;
  }
  statement.changes = changes;
  statement.phase = 'executing';
  if (sql.kind !== 'append') commit(db, statement);
}

/** Writes an executed statement to the log of the database. */
export function commit(db: Database, statement: Statement): void {
  statement.phase = 'committing';
  db.log.push({ id: statement.id, visible: false, ...statement.changes });
  delete statement.changes;
  if (!db.names) release(db, statement);
}

function checkOf({ shard, rows }: Tables, lsn: number, timeline: string): CheckAnswer {
  const found = rows.find((row) => row.lsn === lsn);
  const token = { epoch: shard.epoch, owner: shard.owner };
  return { timeline, token, newest: rows.at(-1) as Position, chainAt: found?.chain };
}

function observationOf({ shard, lease }: Tables, timeline: string): Observation {
  const { owner: _, ...row } = shard;
  return { ...lease, shard: row, timeline };
}

function changesOf(
  { shard, lease, rows }: Tables,
  sql: Exclude<Sql, { kind: 'observe' | 'check' | 'load' }>,
  { names, timeline }: Pick<Database, 'names' | 'timeline'>,
  wrong: WrongSql,
): Changes | WriteError | undefined {
  const holds = (token: { epoch: number; owner: string }): boolean =>
    shard.epoch === token.epoch && (shard.owner === token.owner || wrong.tokenWithoutOwner === true);
  switch (sql.kind) {
    case 'append': {
      if (!holds(sql) || !names) return undefined;
      if (!rows.some(({ lsn, chain }) => lsn === sql.before.lsn && chain === sql.before.chain)) return undefined;
      return rows.some(({ lsn }) => lsn === sql.row.lsn) ? { code: '23505' } : { row: sql.row };
    }
    case 'settle': {
      if (!holds(sql)) return undefined;
      return { shard: { ...shard, epoch: shard.epoch + 1, lineage: sql.lineage, timeline: sql.timeline } };
    }
    case 'renew':
      return lease.owner === sql.owner ? { lease: { ...lease, beat: lease.beat + 1 } } : undefined;
    case 'release':
      return lease.owner === sql.owner ? { lease: { ...lease, released: true } } : undefined;
    case 'claim': {
      const { seen, owner } = sql;
      const isSilent =
        lease.owner === seen.owner && (lease.beat === seen.beat || lease.released || wrong.claimWithoutBeat === true);
      if (!isSilent || shard.owner !== seen.owner || String(timeline) !== seen.timeline) return undefined;
      return { shard: { ...shard, epoch: shard.epoch + 1, owner }, lease: { owner, beat: 0, released: false } };
    }
  }
}

/** The commit of a statement stops waiting. */
function release(db: Database, statement: Statement): void {
  const entry = db.log.find(({ id }) => id === statement.id);
  if (entry !== undefined) entry.visible = true;
  statement.phase = 'released';
}

const committing = (db: Database): Statement[] => db.statements.filter(({ phase }) => phase === 'committing');

/** The standby receives one more transaction. */
export function replicate(db: Database): void {
  db.replicated++;
  for (const statement of committing(db)) {
    const at = db.log.findIndex(({ id }) => id === statement.id);
    if (at < db.replicated) release(db, statement);
  }
  compact(db);
}

function compact(db: Database): void {
  while (db.replicated > 0 && db.log[0]?.visible === true) {
    db.base = applied(db.base, db.log.splice(0, 1));
    db.replicated--;
  }
}

/** An operator cancels a wait for the standby. */
export function cancel(db: Database, statement: Statement): void {
  statement.warned = true;
  release(db, statement);
}

export function setNames(db: Database, names: boolean): void {
  db.names = names;
  if (!names) for (const statement of committing(db)) release(db, statement);
}

/** The SELECT after a commit. */
export function select(db: Database, statement: Statement): void {
  const { shard } = visible(db);
  const { owner: _, ...row } = shard;
  const returned = statement.sql.kind === 'claim' || statement.sql.kind === 'settle';
  statement.phase = 'answered';
  statement.answer = {
    rows: 1,
    warned: statement.warned,
    replicates: db.names,
    timeline: timelineOf(db),
    ...(returned && { shard: row }),
  };
}

/** The primary restarts: what waited for the standby is visible. */
export function restart(db: Database): void {
  for (const entry of db.log) entry.visible = true;
  db.statements = [];
  compact(db);
}

/** The standby is promoted, and gets a standby of its own. */
export function promote(db: Database): void {
  db.base = applied(db.base, db.log.slice(0, db.replicated));
  Object.assign(db, { log: [], replicated: 0, statements: [], names: true, timeline: db.timeline + 1 });
}

/** An operator restores an earlier copy: acknowledged batches may be gone. */
export function restore(db: Database): void {
  if (db.saved === undefined) return;
  db.base = db.saved;
  Object.assign(db, { log: [], replicated: 0, statements: [], names: true, timeline: db.timeline + 1 });
}
