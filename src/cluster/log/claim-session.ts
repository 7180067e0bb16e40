/**
 * A process that does not own a shard: watches the beats of the owners of all shards, and claims one whose owner is silent or has released it. Runs
 * a state machine of `protocol/claim.ts` for each shard over one connection, and reconnects for as long as the database is away.
 *
 * A process owns at most one shard, so claims are sent one at a time, and the first that is won ends the session. A claim whose answer is lost may
 * still win: until it cannot, no other shard is claimed.
 *
 * | the shard is seen | a claim without an answer |
 * |---|---|
 * | with its owner | has won: it is confirmed |
 * | with the owner that it would replace, silent or released | may win: it is repeated |
 * | with that owner and another beat | wins only if it arrives after a later release; then the node releases the shard again |
 * | with any other owner | cannot win: owners are random |
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/observability/logger.ts';
import { Connection } from '../database/database-connection.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import * as statements from '../database/owner-statements.ts';
import type { Durability } from '../database/tables.ts';
import * as protocol from '../protocol/claim.ts';
import { outcomeOf, type Token } from '../protocol/terms.ts';
import { now, pauseFor } from './clock.ts';

export interface ClaimOptions {
  readonly url: DatabaseUrl;
  readonly durability: Durability;
  readonly shards: readonly number[];
  readonly leaseMs: number;
  /** Where this process serves other nodes. */
  readonly address: string;
  readonly log: Log;
  /** Whether it claims nothing: the process owns another shard. */
  readonly watchesOnly?: boolean;
  /** Whether the process could serve a shard now; by default it could. */
  readonly mayClaim?: (shard: number) => boolean;
  /** By shard, the owner whose release is left to other processes: the own one of a hand-over on request. It counts as silent later. */
  readonly releasedOwners?: ReadonlyMap<number, string>;
  /** Called with each observation. */
  readonly onObserved: (observed: statements.Observed) => void;
}

/** A claim that is won: the right to append, once the log is read. */
export interface WonClaim {
  readonly shard: number;
  readonly token: Token;
  readonly lineage: string;
  readonly timeline: string;
  /** Claims of other shards that may still win: the process must release what they win. */
  readonly strays: readonly StrayClaim[];
}

/** A claim that was sent, without an answer. */
export interface StrayClaim {
  readonly shard: number;
  /** Its random owner. */
  readonly owner: string;
  /** The owner that it replaces. It cannot win once the shard has another one. */
  readonly seen: string;
}

interface SentClaim extends StrayClaim {
  readonly beat: number;
  /** Whether an earlier attempt has no answer: a refusal of this one says nothing about that one. */
  readonly isRepeated: boolean;
  /** Whether that owner was seen alive after it was sent: it wins only if it arrives after a later release. */
  isLate: boolean;
}

/**
 * Releases the shard if a claim that was sent has won after all, for a process that owns another shard. `open`: it may still win; `over`: it cannot.
 */
export async function settleStray(
  connection: Connection,
  { shard, owner, seen }: StrayClaim,
): Promise<'released' | 'open' | 'over'> {
  const { answer } = await statements.observe(connection, shard);
  if (answer.owner === seen) return 'open';
  if (answer.owner !== owner) return 'over';
  await statements.release(connection, shard, owner);
  return 'released';
}

/** Milliseconds between two observations. */
const observeMs = 100;
/** Limits of the pause before another connection, in milliseconds. */
const pauseMs = { min: 50, max: 1_000 };

export class ClaimSession {
  readonly #options: ClaimOptions;
  /** The random owner of each stays the same until the claim is won: a claim whose answer is lost may win later. */
  readonly #claims: Map<number, protocol.Claim>;
  readonly #sent = new Map<number, SentClaim>();
  #wonShard: number | undefined;
  #connection: Connection | undefined;
  #isClosed = false;
  /** Resolves when a claim is won, or with `undefined` after {@link close}. */
  readonly won: Promise<WonClaim | undefined>;

  constructor(options: ClaimOptions) {
    this.#options = options;
    this.#claims = new Map(
      options.shards.map((shard) => [shard, protocol.newClaim(randomUUID(), randomBytes(16).toString('hex'))]),
    );
    this.won = this.#run();
  }

  /** Stops watching. A claim under way may still win: another process then waits for one lease. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connection?.close();
    await this.won;
  }

  async #run(): Promise<WonClaim | undefined> {
    const { url, durability, log } = this.#options;
    let failures = 0;
    while (!this.#isClosed) {
      let isConnected = false;
      try {
        const connection = await Connection.open(url, 'lease', durability);
        this.#connection = connection;
        if (this.#isClosed) break;
        this.#changeAll(protocol.claimConnected);
        isConnected = true;
        await this.#watch(connection);
        failures = 0;
        if (this.#wonShard !== undefined) return this.#result(this.#wonShard);
      } catch (error) {
        if (failures === 0 && !this.#isClosed) log.warn({ err: error }, 'the database of the cluster is away');
        failures++;
      } finally {
        this.#connection?.close();
        if (isConnected && this.#wonShard === undefined) this.#changeAll(protocol.claimBroken);
      }
      if (!this.#isClosed) await delay(pauseFor(failures, pauseMs));
    }
    this.#connection?.close();
    return undefined;
  }

  /** Watches and claims over one connection, until a claim is won or the session is closed. Rejects if the connection is lost. */
  async #watch(connection: Connection): Promise<void> {
    const { shards } = this.#options;
    while (!this.#isClosed) {
      this.#changeAll(protocol.claimSent);
      for (const observed of await statements.observeAll(connection, shards)) this.#onObserved(observed);
      for (const shard of shards) {
        await this.#claim(connection, shard);
        if (this.#wonShard !== undefined) return;
      }
      await delay(observeMs);
    }
  }

  #onObserved(observed: statements.Observed): void {
    const { releasedOwners, leaseMs, onObserved } = this.#options;
    const { shard, answer } = observed;
    onObserved(observed);
    const sent = this.#sent.get(shard);
    if (sent !== undefined && answer.owner !== sent.owner) {
      if (answer.owner !== sent.seen) this.#sent.delete(shard);
      else sent.isLate ||= !answer.released && answer.beat !== sent.beat;
    }
    const seen = answer.owner === releasedOwners?.get(shard) ? { ...answer, released: false } : answer;
    this.#claims.set(shard, protocol.claimAnswered(this.#claimOf(shard), seen, leaseMs, now()));
  }

  /** Claims a shard if that is due, and confirms the claim if it must be. */
  async #claim(connection: Connection, shard: number): Promise<void> {
    const { leaseMs, address } = this.#options;
    for (;;) {
      const claim = this.#claimOf(shard);
      const due = protocol.claimDue(claim);
      if (due !== 'claim' && due !== 'confirm') return;
      if (!this.#mayClaim(shard)) {
        this.#claims.set(shard, protocol.claimPostponed(claim));
        return;
      }
      const { owner } = claim;
      const sighting = claim.sighting as protocol.Sighting;
      this.#claims.set(shard, protocol.claimSent(claim));
      const isRepeated = this.#sent.has(shard);
      if (due === 'claim') {
        const { owner: seen, beat } = sighting;
        this.#sent.set(shard, { shard, owner, seen, beat, isRepeated, isLate: false });
      }
      const answer =
        due === 'claim'
          ? await statements.claim(connection, shard, sighting, address, owner)
          : await statements.confirm(connection, shard, owner, protocol.confirmedRow(this.#claimOf(shard)));
      if (due === 'claim' && !isRepeated && outcomeOf(answer.answer, '') === 'refused') this.#sent.delete(shard);
      const answered = protocol.claimAnswered(this.#claimOf(shard), { to: due, ...answer }, leaseMs, now());
      this.#claims.set(shard, answered);
      if (answered.phase === 'won') this.#wonShard = shard;
    }
  }

  /** Whether the process could serve the shard, and no claim of another one may win. */
  #mayClaim(shard: number): boolean {
    const { watchesOnly, mayClaim } = this.#options;
    if (watchesOnly === true || mayClaim?.(shard) === false) return false;
    return [...this.#sent.values()].every((sent) => sent.shard === shard || sent.isLate);
  }

  #claimOf(shard: number): protocol.Claim {
    return this.#claims.get(shard) as protocol.Claim;
  }

  #changeAll(change: (claim: protocol.Claim) => protocol.Claim): void {
    for (const [shard, claim] of this.#claims) this.#claims.set(shard, change(claim));
  }

  #result(shard: number): WonClaim {
    const claim = this.#claimOf(shard);
    const { lineage, timeline } = claim.shard as protocol.ShardRow;
    const strays = [...this.#sent.values()].filter((sent) => sent.shard !== shard);
    return { shard, token: protocol.wonToken(claim), lineage, timeline, strays };
  }
}
