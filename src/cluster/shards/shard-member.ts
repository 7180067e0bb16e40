/**
 * What a node does for one shard: it copies the log into a cache while it follows, takes over after a claim is won, and runs the engine while it owns
 * the shard. An engine whose token is gone is discarded.
 *
 *     idle <--> following
 *      | ^-- another node was faster --.         .-- the token is gone --> idle
 *      '-- a claim is won --> taking over --> owner --> handing over ----> idle
 */
import { setTimeout as delay } from 'node:timers/promises';
import { CorruptError } from '../../lib/errors.ts';
import { type Transitions, transition } from '../../lib/invariant.ts';
import type { OperationContext } from '../../server/admin/admin-operations.ts';
import type { DataFolder } from '../../server/lifecycle/data-folder.ts';
import type { StartingServer } from '../../server/server.ts';
import { LostRecordsError } from '../database/database-errors.ts';
import { type Observed, observe } from '../database/owner-statements.ts';
import { isFollowed } from '../database/read-status.ts';
import type { WonClaim } from '../log/claim-session.ts';
import { OwnerSession } from '../log/owner-session.ts';
import type { OwnerAddress } from '../peers/peer.ts';
import type { Position } from '../protocol/terms.ts';
import { haltShard } from './halt-shard.ts';
import { ShardCache } from './shard-cache.ts';
import { ShardEngine } from './shard-engine.ts';
import type { ShardFigures } from './shard-figures.ts';
import type { ShardNode } from './shard-node.ts';

/** `idle`: it does not copy, and does not own. */
export type MemberPhase = 'idle' | 'following' | 'taking over' | 'owner' | 'handing over' | 'closed';

/** `end`: the session of the owner is over. */
export type MemberEvent = 'follow' | 'pause' | 'win' | 'own' | 'handOver' | 'end' | 'close';

// biome-ignore format: a table
export const memberTransitions: Transitions<MemberPhase, MemberEvent> = {
  idle:           { follow: 'following', win: 'taking over', close: 'closed' },
  following:      { pause: 'idle' },
  'taking over':  { own: 'owner', end: 'idle' },
  owner:          { handOver: 'handing over', end: 'idle', close: 'closed' },
  'handing over': { end: 'idle', close: 'closed' },
  closed:         {},
};

/** Records that a copy may lack to take over from a node whose disk is full. */
const copyLagMax = 1_000;

export class ShardMember implements ShardFigures {
  readonly shard: number;
  readonly #node: ShardNode;
  readonly #cache: ShardCache;
  #phase: MemberPhase = 'idle';
  #server: StartingServer | undefined;
  #session: OwnerSession | undefined;
  #engine: ShardEngine | undefined;
  /** The own owner that hands over, or has just handed over, on request. */
  #releasedOwner: string | undefined;
  /** Why this node gave up: its records are not in the database. */
  #lostRecords: Error | undefined;
  /** What was seen last of the shard. */
  #observed: Observed | undefined;

  /** @param folder of the cache, which the member closes */
  constructor(shard: number, node: ShardNode, folder: DataFolder) {
    this.shard = shard;
    this.#node = node;
    this.#cache = new ShardCache(shard, node, folder);
  }

  #on(event: MemberEvent): void {
    this.#phase = transition(memberTransitions, this.#phase, event);
  }

  // Following

  /** Copies the log into the cache until {@link stopFollowing}. */
  follow(): void {
    this.#on('follow');
    this.#cache.follow();
  }

  /** @param keepsOpen whether the cache stays open: it is about to be used */
  async stopFollowing(keepsOpen: boolean): Promise<void> {
    this.#on('pause');
    await this.#cache.stopFollowing(keepsOpen);
  }

  /** The own owner that was released on request: other nodes claim the shard first. It is given once. */
  takeReleasedOwner(): string | undefined {
    const owner = this.#releasedOwner;
    this.#releasedOwner = undefined;
    return owner;
  }

  // Owning

  /** Reads the log to its end and opens the engine. Whether this node owns the shard: another one may have taken over meanwhile. */
  async takeOver(won: WonClaim): Promise<boolean> {
    const { options, telemetry, state, id, shards } = this.#node;
    const { shard } = this;
    const startedMs = performance.now();
    this.#on('win');
    try {
      const acknowledged = await this.#readToEnd(won.lineage, won.token.owner);
      if (acknowledged === undefined) return false;
      const session = this.#openSession(won, acknowledged);
      this.#session = session;
      const server = await this.#openIntact(session, won.lineage);
      if (server === undefined) return false;
      try {
        if (session.ended === undefined) await options.onOwner?.(server, shard, shards);
      } catch (error) {
        await server.close().catch(() => undefined);
        throw error;
      }
      if (session.ended !== undefined || state.isStopping) {
        await server.close().catch(() => undefined);
        return false;
      }
      this.#server = server;
      this.#on('own');
      state.on('own');
      telemetry.takeovers++;
      const ms = Math.round(performance.now() - startedMs);
      options.log.info({ node: id, shard, lsn: acknowledged.lsn, ms }, 'took over');
      return true;
    } catch (error) {
      if (this.#session?.ended === undefined && !state.isStopping) throw error;
      return false;
    } finally {
      if (this.#phase === 'taking over') await this.#end();
    }
  }

  #openSession({ token, timeline }: WonClaim, acknowledged: Position): OwnerSession {
    const { options, url, durability, leaseMs, telemetry } = this.#node;
    return new OwnerSession({
      ...{ url, durability, shard: this.shard, leaseMs, log: options.log },
      ...{ token, timeline, acknowledged, counters: telemetry.owner },
      onEnded: (error) => this.#onEnded(error),
      onAsked: () => void this.#handOver('on request'),
    });
  }

  /** Copies the log up to the newest row; `undefined` if another node has claimed. */
  #readToEnd(lineage: string, owner: string, damage?: string): Promise<Position | undefined> {
    const hasOtherOwner = async (): Promise<boolean> => {
      try {
        const observed = await observe(await this.#node.bulk.connection(), this.shard);
        this.onObserved(observed);
        return observed.answer.owner !== owner;
      } catch {
        return false;
      }
    };
    return this.#cache.readToEnd({ lineage, owner, hasOtherOwner, ...(damage === undefined ? {} : { damage }) });
  }

  /** Opens the engine, on a new download if the cache is damaged: its log was compared with the database, but not its snapshots. */
  async #openIntact(session: OwnerSession, lineage: string): Promise<StartingServer | undefined> {
    try {
      return await this.#openEngine(session, lineage);
    } catch (error) {
      if (!(error instanceof CorruptError) || session.ended !== undefined) throw error;
      const end = await this.#readToEnd(lineage, session.token.owner, error.message);
      return end && (await this.#openEngine(session, lineage));
    }
  }

  #openEngine(session: OwnerSession, lineage: string): Promise<StartingServer> {
    const { folder } = this.#cache;
    this.#engine = new ShardEngine(this.#node, {
      ...{ session, lineage, folder },
      // The engine ends itself when the token is gone. Any other failure is one of the cache's disk.
      onFailed: (error) => {
        if (session.ended === undefined && !this.#node.state.isStopping) this.#cache.failed(error);
      },
    });
    return this.#engine.open();
  }

  /** Answers until the token is gone or the node stops; then discards the engine. */
  async own(): Promise<void> {
    const { state } = this.#node;
    await this.#session?.over;
    if (state.isStopping) return;
    state.on('leave');
    const server = this.#server;
    this.#server = undefined;
    await server?.close().catch(() => undefined);
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#session?.close();
    this.#session = undefined;
    this.#engine = undefined;
    this.#on('end');
  }

  #onEnded(error: Error): void {
    const { telemetry, options, state, id } = this.#node;
    if (error instanceof LostRecordsError) {
      this.#lostRecords = error;
      telemetry.alarms.check();
    } else if (!state.isStopping && this.#phase !== 'handing over')
      options.log.warn({ node: id, shard: this.shard }, 'another node has taken over');
  }

  /** Writes into the database that no node may serve, if records are lost. The cache with them is set aside afterwards. */
  async haltIfLost(lineage: string): Promise<void> {
    if (this.#lostRecords === undefined) return;
    // From then on the database has the reason.
    if (await haltShard(this.#node, this.shard, this.#lostRecords.message, lineage)) this.#lostRecords = undefined;
  }

  /**
   * Gives the shard to a node that has a copy, if the disk of the cache is full: here writes would be refused until there is room.
   *
   * @param withinMs milliseconds within which another node must have entered itself into the database
   */
  async leaveFullDisk(withinMs: number): Promise<void> {
    const session = this.#session;
    if (this.#engine?.isDiskFull !== true || session === undefined) return;
    const connection = await this.#node.bulk.connection();
    const lsn = session.acknowledged.lsn - copyLagMax;
    if (await isFollowed(connection, this.shard, { notBy: this.#node.id, lsn, withinMs: 2 * withinMs }))
      await this.#handOver('because the disk of the data folder is full');
  }

  /** Gives the shard to another node, and follows. Requests that arrive meanwhile wait for the next owner. */
  async #handOver(reason: string): Promise<void> {
    const { options, state, id } = this.#node;
    if (this.#phase !== 'owner' || state.isStopping) return;
    options.log.info({ node: id, shard: this.shard }, `handing over ${reason}`);
    this.#releasedOwner = this.#session?.token.owner;
    this.#observed = undefined;
    state.on('leave');
    await this.stopServing();
    await this.release();
  }

  /** Whether this node owns the shard, or is taking it over. */
  get hasToken(): boolean {
    return this.#activeSession !== undefined;
  }

  /** Finishes the requests in flight before the shard is released. While the node takes over, there are none. Never rejects. */
  async stopServing(): Promise<void> {
    const { log } = this.#node.options;
    if (this.#phase === 'owner') this.#on('handOver');
    await this.#server?.close().catch((error: unknown) => log.error({ err: error }, 'the server did not close in order'));
  }

  /** Lets another node claim the shard at once. */
  async release(): Promise<void> {
    await this.#session?.release();
  }

  async closeSession(): Promise<void> {
    await this.#session?.close();
  }

  /** Waits until another node owns the shard, which this one has released. */
  async watchForOwner(untilMs: number, pauseMs: number): Promise<void> {
    const connection = await this.#node.bulk.connection();
    while (performance.now() < untilMs) {
      this.onObserved(await observe(connection, this.shard));
      if (this.ownerAddress !== undefined) return;
      await delay(pauseMs);
    }
  }

  // What it knows

  onObserved(observed: Observed): void {
    const { telemetry, options, ownerChanged } = this.#node;
    telemetry.observed();
    // What the database says about lost records replaces what this node found.
    if (observed.halted !== '') this.#lostRecords = undefined;
    const before = this.#observed;
    this.#observed = observed;
    this.#cache.onLineage(observed.answer.shard.lineage);
    if (observed.halted !== '' && observed.halted !== before?.halted)
      options.log.error({ shard: this.shard, reason: observed.halted }, 'no node serves the data before mapwright cluster fork');
    if (observed.node !== before?.node || observed.answer.owner !== before?.answer.owner) ownerChanged();
  }

  /** The owner that was observed last, if it is another node; `undefined` if it has released the shard. */
  get ownerAddress(): OwnerAddress | undefined {
    const observed = this.#observed;
    if (observed === undefined || observed.address === '' || observed.answer.released) return undefined;
    if (observed.node === undefined || observed.node === this.#node.id) return undefined;
    return { url: observed.address, nodeId: observed.node };
  }

  /** What commands need of the engine, while this node owns the shard. */
  get commands(): OperationContext | undefined {
    return this.#engine?.commands;
  }

  /** The server of the engine, while this node owns the shard. */
  get server(): StartingServer | undefined {
    return this.#server;
  }

  get #activeSession(): OwnerSession | undefined {
    return this.#session?.ended === undefined ? this.#session : undefined;
  }

  get lsn(): number | undefined {
    return this.#cache.lsn ?? this.#session?.acknowledged.lsn;
  }

  get newestLsn(): number {
    return this.#activeSession === undefined ? (this.#observed?.newestLsn ?? 0) : 0;
  }

  get leaseLeftMs(): number | undefined {
    return this.#activeSession?.leaseLeftMs;
  }

  get lossReason(): string {
    return this.#lostRecords?.message ?? (this.#activeSession === undefined ? (this.#observed?.halted ?? '') : '');
  }

  get append(): { readonly waitingMs: number; readonly refusal: string | undefined } | undefined {
    const waitingMs = this.#engine?.worker.waitingMs;
    return waitingMs === undefined ? undefined : { waitingMs, refusal: this.#activeSession?.refusal };
  }

  get cacheError(): Error | undefined {
    return this.#cache.error;
  }

  /** Whether the cache cannot be opened or written, because of its disk. */
  get hasFailedCache(): boolean {
    return this.#cache.hasFailed;
  }

  // The end

  async close(): Promise<void> {
    this.#on('close');
    await this.#cache.close();
  }
}
