/** The roles of a node, one after the other: it follows all shards until it wins one, owns it until its token is gone, and follows again. */
import { type ClaimOptions, ClaimSession, type StrayClaim, settleStray, type WonClaim } from '../log/claim-session.ts';
import type { ShardMember } from '../shards/shard-member.ts';
import type { ShardNode } from '../shards/shard-node.ts';
import type { NodeState } from './node-state.ts';
import type { NodeTelemetry } from './node-telemetry.ts';

/** The parts of a node. A shard gets them with a part of the state and of the telemetry. */
export interface NodeParts extends ShardNode {
  readonly state: NodeState;
  readonly telemetry: NodeTelemetry;
}

export class NodeRoles {
  readonly #node: NodeParts;
  readonly #members: readonly ShardMember[];
  /** The shard that this node owns, takes over or gives away. */
  #member: ShardMember | undefined;
  #claim: ClaimSession | undefined;
  /** Watches the other shards while this node owns one. */
  #watch: ClaimSession | undefined;
  /** Caches of shards that this node does not copy any more. */
  #closingCaches: Promise<unknown> = Promise.resolve();
  /** Claims of this process that may still win a second shard. */
  #strays: StrayClaim[] = [];
  #running: Promise<void> = Promise.resolve();

  /** @param members one for each shard, in the order of their numbers */
  constructor(node: NodeParts, members: readonly ShardMember[]) {
    this.#node = node;
    this.#members = members;
  }

  /** The shard that this node owns, takes over or gives away. */
  get member(): ShardMember | undefined {
    return this.#member;
  }

  /** Begins to follow. A failure of the engine or of this program ends the process. */
  start(): void {
    this.#running = this.#run().catch((error: Error) => this.#node.options.onFatal(error));
  }

  async #run(): Promise<void> {
    const { state } = this.#node;
    while (!state.isStopping) {
      const won = await this.#follow();
      if (won === undefined) return;
      const member = this.#members[won.shard] as ShardMember;
      if (await member.takeOver(won)) await member.own();
      if (state.isStopping) return;
      await this.#watch?.close();
      this.#watch = undefined;
      await member.haltIfLost(won.lineage);
    }
  }

  /** Follows all shards until a claim is won; `undefined` if the node stops. */
  async #follow(): Promise<WonClaim | undefined> {
    const { state, options } = this.#node;
    this.#member = undefined;
    await this.#closingCaches;
    if (state.isStopping) return undefined;
    const claim = this.#openClaims({ releasedOwners: this.#takeReleasedOwners() });
    this.#claim = claim;
    state.on('follow');
    for (const member of this.#members) member.follow();
    const won = await claim.won;
    this.#claim = undefined;
    if (won !== undefined) {
      this.#member = this.#members[won.shard];
      this.#strays.push(...won.strays);
      if (this.#members.length > 1) this.#watch = this.#openClaims({ watchesOnly: true });
    }
    // The take-over does not wait for the caches of other shards.
    const others = this.#members.filter((member) => member !== this.#member);
    this.#closingCaches = Promise.all(others.map((member) => member.stopFollowing(false))).catch((error: unknown) =>
      options.log.warn({ err: error }, 'cannot close the cache of a shard in order'),
    );
    await this.#member?.stopFollowing(true);
    if (won === undefined || state.isStopping) return undefined;
    state.on('win');
    return won;
  }

  #openClaims(options: Pick<ClaimOptions, 'watchesOnly' | 'releasedOwners'>): ClaimSession {
    const { url, durability, leaseMs, options: nodeOptions } = this.#node;
    return new ClaimSession({
      ...{ url, durability, leaseMs, log: nodeOptions.log, ...options },
      shards: this.#members.filter((member) => member !== this.#member).map(({ shard }) => shard),
      address: nodeOptions.cluster.advertise,
      mayClaim: (shard) => this.#members[shard]?.hasFailedCache === false,
      onObserved: (observed) => this.#members[observed.shard]?.onObserved(observed),
    });
  }

  /** The own owners that were released on request: other nodes claim their shards first. */
  #takeReleasedOwners(): ReadonlyMap<number, string> {
    const released = new Map<number, string>();
    for (const member of this.#members) {
      const owner = member.takeReleasedOwner();
      if (owner !== undefined) released.set(member.shard, owner);
    }
    return released;
  }

  /** Releases shards that late claims of this process have won: it owns at most one. */
  async releaseStrays(): Promise<void> {
    const { bulk, id, options } = this.#node;
    for (const stray of this.#strays) {
      const state = await settleStray(await bulk.connection(), stray);
      if (state === 'released')
        options.log.warn({ node: id, shard: stray.shard }, 'released a shard that a late claim of this node has won');
      if (state !== 'open') this.#strays = this.#strays.filter((each) => each !== stray);
    }
  }

  /** Ends the current role, and closes all shards. The node must be stopping. */
  async close(): Promise<void> {
    await this.#claim?.close();
    await this.#watch?.close();
    await Promise.all(this.#members.map((member) => member.closeSession()));
    await this.#running;
    await this.#closingCaches;
    await Promise.all(this.#members.map((member) => member.close()));
  }
}
