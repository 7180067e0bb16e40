/**
 * A process that does not own the shard: watches the owner's beat, and claims the shard when the owner is silent or has released it. Runs the state
 * machine of `protocol/claim.ts` over one connection, and reconnects for as long as the database is away.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/observability/logger.ts';
import { Connection } from '../database/database-connection.ts';
import type { DatabaseUrl } from '../database/database-url.ts';
import * as statements from '../database/owner-statements.ts';
import type { Durability } from '../database/tables.ts';
import * as protocol from '../protocol/claim.ts';
import type { Token } from '../protocol/terms.ts';
import { now, pauseFor } from './clock.ts';

export interface ClaimOptions {
  readonly url: DatabaseUrl;
  readonly durability: Durability;
  readonly shard: number;
  readonly leaseMs: number;
  /** Where this process serves other nodes. */
  readonly address: string;
  readonly log: Log;
  /** The owner whose release is left to other processes: the own one of a hand-over on request. It counts as silent later. */
  readonly releasedOwner?: string | undefined;
  /** Called with each observation. */
  readonly onObserved: (observed: statements.Observed) => void;
}

/** A claim that is won: the right to append, once the log is read. */
export interface WonClaim {
  readonly token: Token;
  readonly lineage: string;
  readonly timeline: string;
}

/** Milliseconds between two observations. */
const observeMs = 100;
/** Limits of the pause before another connection, in milliseconds. */
const pauseMs = { min: 50, max: 1_000 };

export class ClaimSession {
  readonly #options: ClaimOptions;
  /** The random owner stays the same until the claim is won: a claim whose answer is lost may win later. */
  #claim = protocol.newClaim(randomUUID(), randomBytes(16).toString('hex'));
  #connection: Connection | undefined;
  #isClosed = false;
  /** Resolves when the claim is won, or with `undefined` after {@link close}. */
  readonly won: Promise<WonClaim | undefined>;

  constructor(options: ClaimOptions) {
    this.#options = options;
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
        this.#claim = protocol.claimConnected(this.#claim);
        isConnected = true;
        await this.#watch(connection);
        failures = 0;
        if (this.#claim.phase === 'won') return this.#result();
      } catch (error) {
        if (failures === 0 && !this.#isClosed) log.warn({ err: error }, 'the database of the cluster is away');
        failures++;
      } finally {
        this.#connection?.close();
        if (isConnected && this.#claim.phase !== 'won') this.#claim = protocol.claimBroken(this.#claim);
      }
      if (!this.#isClosed) await delay(pauseFor(failures, pauseMs));
    }
    this.#connection?.close();
    return undefined;
  }

  /** Watches and claims over one connection, until the claim is won or the session is closed. Rejects if the connection is lost. */
  async #watch(connection: Connection): Promise<void> {
    const { shard, leaseMs, address, releasedOwner, onObserved } = this.#options;
    while (this.#claim.phase !== 'won' && !this.#isClosed) {
      const due = protocol.claimDue(this.#claim);
      if (due === undefined) throw new Error(`a claim in the phase "${this.#claim.phase}" has a statement to send`);
      const { sighting, owner } = this.#claim;
      this.#claim = protocol.claimSent(this.#claim);
      if (due === 'observe') {
        const observed = await statements.observe(connection, shard);
        onObserved(observed);
        const answer = observed.answer.owner === releasedOwner ? { ...observed.answer, released: false } : observed.answer;
        this.#claim = protocol.claimAnswered(this.#claim, answer, leaseMs, now());
      } else {
        const answer =
          due === 'claim'
            ? await statements.claim(connection, shard, sighting as protocol.Sighting, address, owner)
            : await statements.confirm(connection, shard, owner, protocol.confirmedRow(this.#claim));
        this.#claim = protocol.claimAnswered(this.#claim, { to: due, ...answer }, leaseMs, now());
      }
      if (this.#claim.phase === 'watching') await delay(observeMs);
    }
  }

  #result(): WonClaim {
    const { lineage, timeline } = this.#claim.shard as protocol.ShardRow;
    return { token: protocol.wonToken(this.#claim), lineage, timeline };
  }
}
