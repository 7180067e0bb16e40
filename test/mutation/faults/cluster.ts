/** Faults of the messages and clocks of the cluster. */
import type { Lease } from '../../../src/cluster/protocol/lease.ts';
import type { Instant, WriteAnswer, WriteError } from '../../../src/cluster/protocol/terms.ts';
import { type Fault, seam } from '../seam.ts';

const protocol = 'messages and clocks of the cluster';
const leases = seam<typeof import('../../../src/cluster/protocol/lease.ts')>(protocol, 'src/cluster/protocol/lease');
const terms = seam<typeof import('../../../src/cluster/protocol/terms.ts')>(protocol, 'src/cluster/protocol/terms');
const append = seam<typeof import('../../../src/cluster/protocol/append.ts')>(protocol, 'src/cluster/protocol/append');
const owners = seam<typeof import('../../../src/cluster/protocol/owner.ts')>(protocol, 'src/cluster/protocol/owner');
const claims = seam<typeof import('../../../src/cluster/protocol/claim.ts')>(protocol, 'src/cluster/protocol/claim');
const registry = seam<typeof import('../../../src/cluster/shards/owner-registry.ts')>(
  'names of all shards',
  'src/cluster/shards/owner-registry',
);

const peers = seam<typeof import('../../../src/cluster/node/peer-handler.ts')>(
  'requests of peers',
  'src/cluster/node/peer-handler',
);

/** An answer that changed a row arrives as one that is committed and replicated in this timeline. */
const made = <A extends WriteAnswer | WriteError>(answer: A, timeline: string): A =>
  'code' in answer || answer.rows === 0 ? answer : { ...answer, warned: false, replicates: true, timeline };

/** Answers of the database have other members. */
const onOutcome = (members: Partial<WriteAnswer>): Fault =>
  terms.withArguments('outcomeOf', (answer, timeline) => ['code' in answer ? answer : { ...answer, ...members }, timeline]);

/** A fault of the moments by which a lease is judged. */
const onLease = (change: (lease: Lease, asked: Instant, now: Instant) => readonly [asked: Instant, now: Instant]): Fault =>
  leases({
    leaseHolds: (sound) => (lease, leaseMs, now) => sound.leaseHolds(lease, leaseMs, change(lease, now, now)[1]),
    leaseProves: (sound) => (lease, leaseMs, asked, now) => sound.leaseProves(lease, leaseMs, ...change(lease, asked, now)),
  });

export const clusterFaults = {
  'answers arrive without their WARNING': onOutcome({ warned: false }),
  'answers say that standbys are configured': onOutcome({ replicates: true }),
  'the answer to an append says that it is replicated': append.withArguments('answered', (appender, answer) => [
    appender,
    answer.to === 'append' ? { ...answer, answer: made(answer.answer, appender.timeline) } : answer,
  ]),
  'the answer to a look has the batch that was not acknowledged': append.withArguments('answered', (appender, answer) => [
    appender,
    answer.to === 'look' && answer.newest.lsn === appender.acknowledged.lsn
      ? { ...answer, newest: appender.batch?.end ?? answer.newest }
      : answer,
  ]),
  'the answer to a settle says that it is replicated': append.withArguments('answered', (appender, answer) => [
    appender,
    answer.to === 'settle' ? { ...answer, answer: made(answer.answer, appender.foundTimeline) } : answer,
  ]),
  'the answer to a renewal says that it is replicated': owners.withArguments('leaseAnswered', (owner, answer) => [
    owner,
    answer.to === 'renew' ? { ...answer, answer: made(answer.answer, owner.appender.timeline) } : answer,
  ]),
  'an owner that releases is asked as one that does not': owners.withArguments('mayAnswer', (owner, ...others) => [
    { ...owner, isReleasing: false },
    ...others,
  ]),
  'an observation has the timeline of the one before it': claims.withArguments('claimAnswered', (claim, answer, ...others) => [
    claim,
    answer.to === 'observe' ? { ...answer, timeline: claim.sighting?.timeline ?? answer.timeline } : answer,
    ...others,
  ]),
  'a confirmed row has the lineage of the row before it': claims.withResult('confirmedRow', (row, { shard }) => ({
    ...row,
    lineage: shard?.lineage ?? row.lineage,
  })),
  'the monotonic clock of a claimer is 2.5 times as fast': claims.withArguments(
    'claimAnswered',
    (claim, answer, leaseMs, now) => [claim, answer, leaseMs, { ...now, monotonicMs: 2.5 * now.monotonicMs }],
  ),
  'the wall clock stands still from each renewal on': onLease((lease, asked, now) => [
    asked,
    { ...now, wallMs: lease.renewedAt?.wallMs ?? now.wallMs },
  ]),
  'the monotonic clock stands still from each renewal on': onLease((lease, asked, now) => [
    asked,
    { ...now, monotonicMs: lease.renewedAt?.monotonicMs ?? now.monotonicMs },
  ]),
  'the time of a question is 8 ms too early': onLease((_, asked, now) => [{ ...asked, monotonicMs: asked.monotonicMs - 8 }, now]),
  'every name of a map is free': registry.withMethods('OwnerRegistry', () => ({ reserveMapName: async () => true })),
  'every shard is of this node': peers.withParts('PeerHandler', (options) => [{ ...options, isOwner: () => true }]),
} as const satisfies Readonly<Record<string, Fault>>;
