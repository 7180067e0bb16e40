/**
 * Two processes, a database and everything that may happen between them: one step at a time, in any order. The processes run the state
 * machines of `src/cluster/protocol`; the world keeps the responses of clients, and knows when they are wrong.
 *
 * - `lost`: a batch was acknowledged or shown, and another one is acknowledged in its place.
 * - `stale`: a response lacks a batch that was acknowledged or shown before its state was read.
 *
 * An operator who restores an earlier database takes batches back. A new lineage then begins a new history, and both rules count within one.
 */
import {
  type Claim,
  type ClaimAnswer,
  claimAnswered,
  claimBroken,
  claimConnected,
  claimDue,
  claimSent,
  confirmedRow,
  newClaim,
  wonToken,
} from '../../src/cluster/protocol/claim.ts';
import {
  leaseAnswered,
  leaseBroken,
  leaseConnected,
  leaseDue,
  leaseStatementSent,
  logAnswered,
  logBroken,
  logConnected,
  logDue,
  logSent,
  mayAnswer,
  newOwner,
  type Owner,
  releasing,
  statusOf,
  submitted,
} from '../../src/cluster/protocol/owner.ts';
import type { CheckAnswer, Instant, Position, Token, WriteAnswer } from '../../src/cluster/protocol/terms.ts';
import {
  type Answer,
  cancel,
  commit,
  type Database,
  execute,
  isBlocked,
  newDatabase,
  promote,
  replicate,
  restart,
  restore,
  type Sql,
  type Statement,
  select,
  setNames,
  visible,
  type WrongSql,
} from './database.ts';

/** The lease, in the model's milliseconds. A claimer watches for 5 of them. */
export const leaseMs = 4;

export class Violation extends Error {
  readonly rule: 'lost' | 'stale';

  constructor(rule: 'lost' | 'stale', message: string) {
    super(message);
    this.rule = rule;
  }
}

/** A read whose state was captured. */
interface Read {
  asked: Instant;
  captured: string;
  lineage: string;
  /** What the lineage had acknowledged when the state was captured. */
  acknowledged: string;
}

interface Member {
  name: string;
  monotonicMs: number;
  wallMs: number;
  /** The one way in which its clocks fail; both at the same time is the documented gap. */
  clockFault: 'none' | 'suspended' | 'setBack';
  /** Names of owners and lineages that it drew. */
  drawn: number;
  written: number;
  claim?: Claim;
  /** Won, with the log still to read. */
  won?: { token: Token; lineage: string; timeline: string; isSent: boolean; isConnected: boolean };
  owner?: Owner;
  lineage: string;
  /** The newest chain that its memory holds, of durable batches. */
  memory: string;
  read?: Read;
}

export interface World {
  db: Database;
  members: Member[];
  /** The history that each lineage belongs to: a new lineage goes on with the old history, unless a restore took batches back. */
  histories: Record<string, string>;
  /** For each history the newest acknowledged chain. */
  acknowledged: Record<string, string>;
  /** The newest history. */
  history: string;
  /** Whether the next new lineage begins a new history. */
  restored: boolean;
  /** Faults that may still happen. */
  budget: number;
}

/** Deliberate mistakes around the machines. Those in the machines are in test/mutation. */
export interface Mistakes extends WrongSql {
  /** The lease is checked before the state is read. */
  readonly gateBeforeRead?: boolean;
  /** An engine goes on when its process is owner again. */
  readonly keepsEngine?: boolean;
  /** A lease counts from the answer to its renewal. */
  readonly leaseFromAnswer?: boolean;
}

const draw = (member: Member, kind: string): string => `${kind}${member.name}${++member.drawn}`;

function startClaim(member: Member, mistakes: Mistakes): void {
  delete member.owner;
  delete member.won;
  delete member.read;
  if (mistakes.keepsEngine !== true) member.memory = '';
  member.claim = newClaim(draw(member, 'o'), draw(member, 'L'));
}

export function newWorld(faults: number): World {
  const members = ['A', 'B'].map((name): Member => {
    const start = {
      name,
      monotonicMs: 0,
      wallMs: 100,
      clockFault: 'none',
      drawn: 0,
      written: 0,
      lineage: '',
      memory: '',
    } as const;
    const member: Member = { ...start };
    startClaim(member, {});
    return member;
  });
  return {
    db: newDatabase(),
    members,
    histories: { L0: 'L0' },
    acknowledged: { L0: '' },
    history: 'L0',
    restored: false,
    budget: faults,
  };
}

const nowOf = ({ monotonicMs, wallMs }: Member): Instant => ({ monotonicMs, wallMs });

/** Whether the batches of a chain are the beginning of another's. A chain names its batches, each with a semicolon. */
const extendsChain = (chain: string, beginning: string): boolean => chain.startsWith(beginning);

// What a process sends.

function claimSql(claim: Claim): Sql {
  const due = claimDue(claim);
  const { owner, sighting, shard } = claim;
  if (due === 'claim' && sighting !== undefined) return { kind: 'claim', owner, seen: sighting };
  if (due !== 'confirm') return { kind: 'observe' };
  const row = confirmedRow(claim);
  return { kind: 'settle', epoch: shard?.epoch ?? 0, owner, lineage: row.lineage, timeline: row.timeline };
}

function logSql({ lineage }: Member, { appender }: Owner, due: string): Sql {
  const { token, acknowledged, batch, foundTimeline } = appender;
  if (due === 'append' && batch !== undefined) return { kind: 'append', ...token, before: batch.before, row: batch.end };
  if (due === 'settle') return { kind: 'settle', ...token, lineage, timeline: foundTimeline };
  return { kind: 'check', lsn: acknowledged.lsn };
}

/** The statement that a connection of a process would send now. */
function dueOn(member: Member, kind: string): Sql | undefined {
  const { claim, won, owner } = member;
  const now = nowOf(member);
  if (claim !== undefined) {
    return kind === 'log' && claim.phase !== 'disconnected' && claimDue(claim) !== undefined ? claimSql(claim) : undefined;
  }
  if (won !== undefined) return kind === 'log' && won.isConnected && !won.isSent ? { kind: 'load' } : undefined;
  if (owner === undefined) return undefined;
  if (kind === 'log') {
    const due = logDue(owner, leaseMs, now);
    return due && logSql(member, owner, due);
  }
  const due = leaseDue(owner, leaseMs, now);
  if (due === undefined) return undefined;
  const { token, acknowledged } = owner.appender;
  return due === 'check' ? { kind: 'check', lsn: acknowledged.lsn } : { kind: due, owner: token.owner };
}

function send(world: World, member: Member, kind: string): void {
  const sql = dueOn(member, kind);
  if (sql === undefined) return;
  const { claim, won, owner } = member;
  if (claim !== undefined) member.claim = claimSent(claim);
  else if (won !== undefined) won.isSent = true;
  else if (owner !== undefined) {
    member.owner = kind === 'log' ? logSent(owner, leaseMs, nowOf(member)) : leaseStatementSent(owner, leaseMs, nowOf(member));
  }
  const id = world.db.nextId++;
  world.db.statements.push({ id, channel: `${member.name}.${kind}`, sql, phase: 'travelling', warned: false });
}

function isConnected(member: Member, kind: string): boolean {
  const { claim, won, owner } = member;
  if (claim !== undefined) return kind !== 'log' || claim.phase !== 'disconnected';
  if (won !== undefined) return kind !== 'log' || won.isConnected;
  if (owner === undefined || statusOf(owner) !== 'owner') return true;
  return (kind === 'log' ? owner.appender.phase : owner.lease.phase) !== 'disconnected';
}

function connect(member: Member, kind: string): void {
  const { claim, won, owner } = member;
  if (claim !== undefined) member.claim = claimConnected(claim);
  else if (won !== undefined) won.isConnected = true;
  else if (owner !== undefined) member.owner = kind === 'log' ? logConnected(owner) : leaseConnected(owner);
}

function breakConnection(world: World, member: Member, kind: string): void {
  const channel = `${member.name}.${kind}`;
  world.db.statements = world.db.statements.filter(
    (one) => one.channel !== channel || ['travelling', 'executing', 'committing'].includes(one.phase),
  );
  for (const statement of world.db.statements) if (statement.channel === channel) statement.channel = '';
  const { claim, won, owner } = member;
  if (claim !== undefined) {
    if (kind === 'log' && claim.phase !== 'disconnected') member.claim = claimBroken(claim);
  } else if (won !== undefined) {
    if (kind === 'log') Object.assign(won, { isConnected: false, isSent: false });
  } else if (owner !== undefined && statusOf(owner) === 'owner' && isConnected(member, kind)) {
    member.owner = kind === 'log' ? logBroken(owner) : leaseBroken(owner);
  }
}

function breakAll(world: World): void {
  for (const member of world.members) {
    for (const kind of ['log', 'lease']) if (isConnected(member, kind)) breakConnection(world, member, kind);
  }
}

// What a process hears.

function deliver(world: World, statement: Statement, mistakes: Mistakes): void {
  world.db.statements.splice(world.db.statements.indexOf(statement), 1);
  const [name, kind] = statement.channel.split('.');
  const member = world.members.find((one) => one.name === name) as Member;
  const { sql } = statement;
  const answer = mistakes.tokenWithoutOwner === true ? withOwner(statement.answer, member) : statement.answer;
  if (answer === undefined) return;
  if (member.claim !== undefined) hearClaim(member, member.claim, sql, answer);
  else if (member.won !== undefined) load(world, member, answer as Loaded, mistakes);
  else if (member.owner !== undefined) {
    const before = member.owner.appender.acknowledged;
    const { renewedAt } = member.owner.lease;
    member.owner = hear(member.owner, kind as string, sql, answer);
    const { acknowledged } = member.owner.appender;
    const { lease } = member.owner;
    if (mistakes.leaseFromAnswer === true && lease.renewedAt !== renewedAt) {
      member.owner = { ...member.owner, lease: { ...lease, renewedAt: nowOf(member) } };
    }
    if (acknowledged.lsn !== before.lsn) acknowledge(world, member, acknowledged.chain);
    if (statusOf(member.owner) === 'gone') abandon(world, member, mistakes);
  }
}

/** A token as a process would take it that compares no owner. */
function withOwner(answer: Answer | undefined, { owner }: Member): Answer | undefined {
  if (answer === undefined || owner === undefined || !('token' in answer)) return answer;
  return { ...answer, token: { ...answer.token, owner: owner.appender.token.owner } };
}

type Loaded = Extract<Answer, { rows: Position[] }>;

function hearClaim(member: Member, claim: Claim, sql: Sql, answer: Answer): void {
  const shard = 'shard' in answer && answer.shard !== undefined ? { shard: answer.shard } : {};
  const to = sql.kind === 'observe' ? 'observe' : sql.kind === 'claim' ? 'claim' : 'confirm';
  const given = to === 'observe' ? { to, ...answer } : { to, answer: answer as WriteAnswer, ...shard };
  const after = claimAnswered(claim, given as ClaimAnswer, leaseMs, nowOf(member));
  member.claim = after;
  if (after.phase !== 'won' || after.shard === undefined) return;
  delete member.claim;
  const { lineage, timeline } = after.shard;
  member.won = { token: wonToken(after), lineage, timeline, isSent: false, isConnected: true };
}

function load(world: World, member: Member, { rows, owner, timeline }: Loaded, mistakes: Mistakes): void {
  const { won } = member;
  if (won === undefined) return;
  // The database changed between claim and read.
  if (timeline !== won.timeline || owner !== won.token.owner) {
    startClaim(member, mistakes);
    return;
  }
  const newest = rows.at(-1) as Position;
  delete member.won;
  member.lineage = won.lineage;
  if (mistakes.keepsEngine !== true || member.memory === '') member.memory = newest.chain;
  let history = world.histories[won.lineage];
  if (history === undefined) {
    history = world.restored ? won.lineage : world.history;
    world.histories[won.lineage] = history;
    world.history = history;
    world.restored = false;
  }
  world.acknowledged[history] ??= newest.chain;
  member.owner = newOwner(won.token, won.timeline, newest);
}

function hear(owner: Owner, kind: string, sql: Sql, answer: Answer): Owner {
  if (kind === 'lease') {
    if (sql.kind === 'check') {
      // The chain of the position that was asked for is that of this owner, at the time of the question.
      const asked = { lsn: sql.lsn, chain: chainBefore(owner.appender.acknowledged.chain, sql.lsn) };
      return leaseAnswered(owner, { to: 'check', asked, ...(answer as CheckAnswer) });
    }
    return leaseAnswered(owner, { to: sql.kind as 'renew' | 'release', answer: answer as WriteAnswer });
  }
  if (sql.kind === 'append') return logAnswered(owner, { to: 'append', answer: answer as WriteAnswer });
  if (sql.kind === 'settle') {
    const { shard } = answer as { shard?: { epoch: number } };
    return logAnswered(owner, { to: 'settle', answer: answer as WriteAnswer, ...(shard && { epoch: shard.epoch }) });
  }
  return logAnswered(owner, { to: owner.appender.phase === 'looking' ? 'look' : 'check', ...(answer as CheckAnswer) });
}

/** The first batches of a chain. */
const chainBefore = (chain: string, count: number): string =>
  chain
    .split(';')
    .slice(0, count)
    .map((id) => `${id};`)
    .join('');

function acknowledge(world: World, member: Member, chain: string): void {
  const history = world.histories[member.lineage] as string;
  const before = world.acknowledged[history] ?? '';
  member.memory = chain;
  // An answer that arrives late, after others went on.
  if (extendsChain(before, chain)) return;
  if (!extendsChain(chain, before)) {
    throw new Violation(
      'lost',
      `${member.name} acknowledges "${chain}" in ${member.lineage}, which had acknowledged "${before}"`,
    );
  }
  world.acknowledged[history] = chain;
}

function abandon(world: World, member: Member, mistakes: Mistakes): void {
  for (const kind of ['log', 'lease']) breakConnection(world, member, kind);
  startClaim(member, mistakes);
}

// What may happen.

export interface Action {
  readonly name: string;
  /** What has to be awake for it: a process, its connections to the database, the standby, time, or an operator. */
  readonly part: string;
  /** How often a random walk takes it, against others. */
  readonly weight: number;
  readonly run: () => void;
}

/** A fault spends one of the world's budget. */
export function actionsOf(world: World, mistakes: Mistakes = {}): Action[] {
  const actions: Action[] = [];
  const add = (part: string, name: string, weight: number, run: () => void) => actions.push({ part, name, weight, run });
  const fault = (name: string, weight: number, run: () => void) => {
    if (world.budget === 0) return;
    add('faults', name, weight, () => {
      world.budget--;
      run();
    });
  };
  for (const member of world.members) {
    memberActions(world, member, mistakes, (name, weight, run) => add(member.name, name, weight, run), fault);
  }
  databaseActions(world, mistakes, add, fault);
  for (const [ms, weight] of [
    [1, 3],
    [leaseMs, 1],
  ] as const) {
    add('time', `${ms} ms pass`, weight, () => {
      for (const member of world.members) pass(member, ms, ms);
    });
  }
  return actions;
}

type AddTo = (part: string, ...action: Parameters<Add>) => void;
type Add = (name: string, weight: number, run: () => void) => void;

function pass(member: Member, monotonicMs: number, wallMs: number): void {
  member.monotonicMs += monotonicMs;
  member.wallMs += wallMs;
}

function memberActions(world: World, member: Member, mistakes: Mistakes, add: Add, fault: Add): void {
  const { name, owner } = member;
  for (const kind of ['log', 'lease']) {
    if (!isConnected(member, kind)) add(`${name} connects ${kind}`, 6, () => connect(member, kind));
    else if (owner !== undefined || kind === 'log') {
      const waits = world.db.statements.some(({ channel }) => channel === `${name}.${kind}`);
      fault(`${name} loses its connection ${kind}`, waits ? 1 : 0.1, () => breakConnection(world, member, kind));
    }
    if (dueOn(member, kind) !== undefined) add(`${name} sends on ${kind}`, 8, () => send(world, member, kind));
  }
  fault(`${name} is killed`, 0.4, () => abandon(world, member, mistakes));
  if (member.clockFault !== 'setBack') {
    fault(`${name} is suspended`, owner?.lease.renewedAt === undefined ? 0.1 : 1, () => {
      member.clockFault = 'suspended';
      pass(member, 0, 2 * leaseMs);
      for (const other of world.members) if (other !== member) pass(other, 2 * leaseMs, 2 * leaseMs);
    });
  }
  if (member.clockFault !== 'suspended') {
    fault(`the wall clock of ${name} is set back`, owner?.lease.renewedAt === undefined ? 0.1 : 1, () => {
      member.clockFault = 'setBack';
      pass(member, 0, -2 * leaseMs);
    });
  }
  if (owner === undefined || statusOf(owner) !== 'owner') return;
  const { batch, acknowledged } = owner.appender;
  if (batch === undefined && member.written < 5 && !owner.isReleasing) {
    add(`${name} writes`, 3, () => {
      const id = `${name.toLowerCase()}${++member.written};`;
      const lsn = acknowledged.lsn + 1;
      member.owner = submitted(owner, { firstLsn: lsn, before: acknowledged, end: { lsn, chain: acknowledged.chain + id } });
    });
  }
  if (!owner.isReleasing) {
    fault(`${name} releases`, 0.5, () => {
      member.owner = releasing(owner);
    });
  }
  readActions(world, member, owner, mistakes, add);
}

function readActions(world: World, member: Member, owner: Owner, mistakes: Mistakes, add: Add): void {
  const { name, read } = member;
  const now = nowOf(member);
  const capture = (): Read => ({
    asked: nowOf(member),
    captured: member.memory,
    lineage: member.lineage,
    acknowledged: world.acknowledged[world.histories[member.lineage] ?? ''] ?? '',
  });
  if (mistakes.gateBeforeRead === true) {
    if (read === undefined && mayAnswer(owner, leaseMs, now, now))
      add(`${name} checks`, 3, () => Object.assign(member, { read: capture() }));
    if (read !== undefined) add(`${name} answers`, 3, () => answerRead(world, member, capture()));
    return;
  }
  if (read === undefined) add(`${name} reads`, 3, () => Object.assign(member, { read: capture() }));
  if (read !== undefined && mayAnswer(owner, leaseMs, read.asked, now))
    add(`${name} answers`, 3, () => answerRead(world, member, read));
}

function answerRead(world: World, member: Member, { captured, lineage, acknowledged }: Read): void {
  delete member.read;
  if (!extendsChain(captured, acknowledged)) {
    throw new Violation(
      'stale',
      `${member.name} answers with "${captured}" in ${lineage}, which had acknowledged "${acknowledged}"`,
    );
  }
  // What a response showed may not be taken back, even if its write was never answered.
  const history = world.histories[lineage] as string;
  if (extendsChain(captured, world.acknowledged[history] ?? '')) world.acknowledged[history] = captured;
}

function databaseActions(world: World, mistakes: Mistakes, add: AddTo, fault: Add): void {
  const { db } = world;
  for (const statement of db.statements) {
    const { id, phase, sql, channel } = statement;
    const what = `statement ${id} (${sql.kind} of ${channel || 'a lost connection'})`;
    const member = channel.slice(0, channel.indexOf('.'));
    const wire = channel === '' ? 'wire' : `${member}.wire`;
    if (phase === 'travelling') {
      if (!isBlocked(db, statement, mistakes)) {
        add(wire, `${what} runs`, channel === '' ? 1 : 4, () => execute(db, statement, mistakes));
        if (channel !== '' && db.names) add(member, `${what} goes through`, 12, () => goThrough(world, statement, mistakes));
      }
      if (channel === '')
        add(wire, `${what} never arrives`, 0.5, () => db.statements.splice(db.statements.indexOf(statement), 1));
    }
    if (phase === 'executing') add(wire, `${what} commits`, channel === '' ? 1 : 4, () => commit(db, statement));
    if (phase === 'committing') fault(`${what} is cancelled`, 3, () => cancel(db, statement));
    if (phase === 'released') {
      if (channel === '') add(wire, `${what} is forgotten`, 4, () => db.statements.splice(db.statements.indexOf(statement), 1));
      else add(wire, `${what} is followed by its SELECT`, 6, () => select(db, statement));
    }
    if (phase === 'answered') {
      if (channel === '') add(wire, `${what} is forgotten`, 4, () => db.statements.splice(db.statements.indexOf(statement), 1));
      else add(member, `${what} is answered`, 8, () => deliver(world, statement, mistakes));
    }
  }
  if (db.replicated < db.log.length) add('standby', 'the standby receives', 5, () => replicate(db));
  const waits = db.statements.some(({ phase }) => phase === 'committing');
  const lags = db.log.some(({ visible }) => visible);
  if (db.names) fault('the standbys are removed', waits ? 3 : 0.2, () => setNames(db, false));
  // Removed and added again within one commit is the documented gap.
  else if (!db.statements.some(({ phase }) => phase === 'released'))
    add('faults', 'the standbys are back', 2, () => setNames(db, true));
  fault('the primary restarts', waits ? 3 : 0.2, () => {
    restart(db);
    breakAll(world);
  });
  fault('the standby is promoted', lags ? 8 : 0.4, () => {
    promote(db);
    breakAll(world);
  });
  if (db.saved === undefined) {
    fault('the database is copied', 0.4, () => {
      db.saved = structuredClone(db.base);
    });
  } else {
    fault('the database is restored', 0.6, () => {
      stopFormerOwners(world, mistakes);
      restore(db);
      world.restored = true;
      breakAll(world);
    });
  }
}

/**
 * Operators stop all nodes before they restore a database (docs/cluster.md). Here only those stop that have been owners before the present one and do
 * not know that they are not any more: in the restored database such a one may be the owner, with all that it has acknowledged, and it would go on with
 * its lineage in place of what its successors acknowledged. The others must notice by themselves.
 */
function stopFormerOwners(world: World, mistakes: Mistakes): void {
  const { owner } = visible(world.db).shard;
  for (const member of world.members) {
    const token = member.owner?.appender.token ?? member.won?.token;
    if (token !== undefined && token.owner !== owner) abandon(world, member, mistakes);
  }
}

/** A statement from its arrival to the answer, without a disturbance. */
function goThrough(world: World, statement: Statement, mistakes: Mistakes): void {
  const { db } = world;
  execute(db, statement, mistakes);
  if (statement.phase === 'executing') commit(db, statement);
  while (statement.phase === 'committing') replicate(db);
  if (statement.phase === 'released') select(db, statement);
  deliver(world, statement, mistakes);
}
