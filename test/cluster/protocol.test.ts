// tier: normal
/**
 * The protocol of the cluster: its machines in a world where everything may happen at any time (world.ts), cell by cell, and its mistakes.
 * `npm run test:cluster` explores a million states.
 */
import t from 'tap';
import { answered, broken, connected, dueOf, newAppender, sent } from '../../src/cluster/protocol/append.ts';
import {
  claimAnswered,
  claimBroken,
  claimConnected,
  claimDue,
  claimPostponed,
  claimSent,
  newClaim,
} from '../../src/cluster/protocol/claim.ts';
import { leaseHolds, noLease } from '../../src/cluster/protocol/lease.ts';
import {
  leaseAnswered,
  leaseConnected,
  leaseDue,
  leaseStatementSent,
  logConnected,
  logDue,
  logSent,
  newOwner,
} from '../../src/cluster/protocol/owner.ts';
import { type Outcome, outcomeOf, type WriteAnswer } from '../../src/cluster/protocol/terms.ts';
import { seed, sized } from '../support/tier.ts';
import { explore } from './explore.ts';
import type { Mistakes } from './world.ts';

t.setTimeout(600_000);

t.test('no step loses an acknowledged batch or answers with a stale state', async (t) => {
  const states = sized({ sample: 60_000, all: 300_000 });
  const { failure, ...found } = explore({ seed, states, exhaustive: states / 6 });
  t.equal(failure, undefined, `SEED=${seed}: ${failure?.rule}: ${failure?.message}\n${failure?.steps.join('\n')}`);
  t.ok(found.states >= states, `${found.states} different states`);
  t.ok(found.acknowledged > found.walks / 2, `${found.acknowledged} of ${found.walks} walks acknowledged batches`);
  t.ok(found.answered > found.walks, `${found.answered} reads were answered`);
});

/** Each with a seed that finds it early; the search does not depend on it. */
const mistakes: Readonly<Record<string, readonly [seed: number, mistake: Mistakes]>> = {
  'the lease is checked before the state is read': [4, { gateBeforeRead: true }],
  'an engine goes on when its process is owner again': [10, { keepsEngine: true }],
  'a lease counts from the answer to its renewal': [6, { leaseFromAnswer: true }],
  'a claim compares no beat': [1, { claimWithoutBeat: true }],
  'an append does not lock the row that a settle changes': [15, { appendWithoutLock: true }],
  'a token is compared without its owner': [1, { tokenWithoutOwner: true }],
};

for (const [name, [first, mistake]] of Object.entries(mistakes)) {
  t.test(`the exploration finds a planted mistake: ${name}`, async (t) => {
    const { failure, states } = explore({ seed: first, states: 300_000, exhaustive: 0, mistakes: mistake });
    t.ok(failure, `in ${states} states: ${failure?.message}`);
  });
}

t.test('a write is acknowledged, refused or unknown depending on its result', async (t) => {
  const good: WriteAnswer = { rows: 1, warned: false, replicates: true, timeline: '1' };
  const cases: [WriteAnswer | { code: string }, Outcome][] = [
    [good, 'acknowledged'],
    [{ ...good, rows: 0 }, 'refused'],
    [{ ...good, warned: true }, 'unknown'],
    [{ ...good, replicates: false }, 'unknown'],
    [{ ...good, timeline: '2' }, 'unknown'],
    ...['40001', '40P01', '53100', '53200', '53300', '25006', '23505', '42501'].map((code): [{ code: string }, Outcome] => [
      { code },
      'refused',
    ]),
    ...['40003', '08006', '57P01', '57014', 'XX000', ''].map((code): [{ code: string }, Outcome] => [{ code }, 'unknown']),
  ];
  for (const [answer, outcome] of cases) t.equal(outcomeOf(answer, '1'), outcome, JSON.stringify(answer));
});

t.test('a lease ends by the monotonic clock, the wall clock, or a clock that goes backwards', async (t) => {
  const lease = { ...noLease, renewedAt: { monotonicMs: 1000, wallMs: 5000 } };
  const holds = (monotonicMs: number, wallMs: number) => leaseHolds(lease, 3000, { monotonicMs, wallMs });
  t.ok(holds(1000, 5000));
  t.ok(holds(3999, 7999));
  t.notOk(holds(4000, 5001), 'the monotonic clock');
  t.notOk(holds(1001, 8000), 'the wall clock');
  t.notOk(holds(1001, 4999), 'backwards');
  t.notOk(leaseHolds(noLease, 3000, { monotonicMs: 0, wallMs: 0 }));
});

t.test('an owner without a response for one lease sends nothing for two, until a response arrives', async (t) => {
  const at = (monotonicMs: number) => ({ monotonicMs, wallMs: monotonicMs });
  const start = { lsn: 0, chain: '' };
  let owner = leaseConnected(logConnected(newOwner({ epoch: 1, owner: 'a' }, '1', start)));
  owner = logSent(owner, 3000, at(100));
  t.equal(leaseDue(owner, 3000, at(3099)), 'check');
  t.equal(leaseDue(owner, 3000, at(3100)), undefined);
  t.equal(leaseDue(owner, 3000, at(9099)), undefined);
  t.equal(leaseDue(owner, 3000, at(9100)), 'check', 'two leases later');
  owner = leaseStatementSent(owner, 3000, at(9100));
  t.equal(
    logDue({ ...owner, appender: { ...newAppender({ epoch: 1, owner: 'a' }, '1', start), phase: 'checking' } }, 3000, at(12_100)),
    undefined,
  );
  owner = leaseAnswered(owner, {
    to: 'check',
    asked: start,
    timeline: '1',
    token: { epoch: 1, owner: 'a' },
    newest: start,
    chainAt: '',
  });
  t.equal(leaseDue(owner, 3000, at(12_100)), 'renew');
});

t.test('a lease counts from a renewal only if the renewal is acknowledged', async (t) => {
  const at = (monotonicMs: number) => ({ monotonicMs, wallMs: monotonicMs });
  const [start, token] = [
    { lsn: 0, chain: '' },
    { epoch: 1, owner: 'a' },
  ];
  let owner = leaseStatementSent(leaseConnected(newOwner(token, '1', start)), 3000, at(100));
  owner = leaseAnswered(owner, { to: 'check', asked: start, timeline: '1', token, newest: start, chainAt: '' });
  owner = leaseStatementSent(owner, 3000, at(200));
  const after = (answer: WriteAnswer | { code: string }) => leaseAnswered(owner, { to: 'renew', answer }).lease.renewedAt;
  const good: WriteAnswer = { rows: 1, warned: false, replicates: true, timeline: '1' };
  t.strictSame(after(good), at(200));
  for (const answer of [{ ...good, warned: true }, { ...good, replicates: false }, { code: '57P01' }])
    t.equal(after(answer), undefined, JSON.stringify(answer));
});

t.test('a postponed claim is due again with its earlier observation', async (t) => {
  const at = (monotonicMs: number) => ({ monotonicMs, wallMs: monotonicMs });
  const shard = { epoch: 1, lineage: 'L', timeline: '1' };
  const seen = { to: 'observe', owner: 'other', beat: 7, released: false, shard, timeline: '1' } as const;
  const observe = (claim: ReturnType<typeof newClaim>, ms: number) => claimAnswered(claimSent(claim), seen, 1000, at(ms));
  let claim = observe(claimConnected(newClaim('me', 'new')), 0);
  claim = observe(claim, 1250);
  t.equal(claimDue(claim), 'claim');
  claim = claimPostponed(claim);
  t.equal(claimDue(claim), 'observe');
  claim = observe(claim, 1300);
  t.equal(claimDue(claim), 'claim', 'at once: the beat is still the same');
  t.match(claim.sighting, { owner: 'other', beat: 7, sinceMs: 0 });
  t.throws(() => claimPostponed(claimSent(claim)), /before it is sent/);
});

t.test('a heartbeat that repeats after a failover counts as a new one', async (t) => {
  const shard = { epoch: 1, lineage: 'L', timeline: '1' };
  const observe = (claim: ReturnType<typeof newClaim>, ms: number, beat: number, timeline: string) => {
    const seen = { to: 'observe', owner: 'other', beat, released: false, shard, timeline } as const;
    return claimAnswered(claimSent(claim), seen, 1000, { monotonicMs: ms, wallMs: ms });
  };
  // Visible, and not replicated: the commit was cancelled, or the primary restarted.
  let claim = observe(claimConnected(newClaim('me', 'new')), 0, 8, '1');
  // The standby, which has beat 7, is promoted, and the owner renews its lease there.
  claim = observe(claimConnected(claimBroken(claim)), 1300, 8, '2');
  t.equal(claimDue(claim), 'observe', 'the owner may answer');
  t.match(claim.sighting, { beat: 8, timeline: '2', sinceMs: 1300 });
  claim = observe(claim, 2549, 8, '2');
  t.equal(claimDue(claim), 'observe');
  t.equal(claimDue(observe(claim, 2550, 8, '2')), 'claim');
});

t.test('an unacknowledged epoch removed by a failover loses no record', (t) => {
  const newest = { lsn: 5, chain: 'five' };
  const found = (epoch: number, timeline: string) => ({ timeline, token: { epoch, owner: 'me' }, newest, chainAt: newest.chain });
  const check = (epoch: number, timeline: string) => ({ to: 'check' as const, ...found(epoch, timeline) });
  const settled = (replicates: boolean, epoch: number, timeline: string) =>
    ({ to: 'settle', answer: { rows: 1, warned: false, replicates, timeline }, epoch }) as const;
  let appender = connected(newAppender({ epoch: 3, owner: 'me' }, 'one', newest));
  const next = (answer: Parameters<typeof answered>[1]): void => {
    t.equal(dueOf(appender), answer.to);
    appender = answered(sent(appender), answer);
  };
  // A new timeline has to be settled; the epoch is raised, and not replicated.
  next(check(3, 'two'));
  next(settled(false, 4, 'two'));
  next(check(4, 'two'));
  t.equal(appender.phase, 'settling', 'it is not acknowledged');
  appender = connected(broken(appender));
  next(check(3, 'three'));
  t.equal(appender.phase, 'settling');
  next(settled(true, 4, 'three'));
  next({ to: 'look', ...found(4, 'three') });
  t.equal(appender.phase, 'ready');
  // That one was acknowledged.
  appender = connected(broken(appender));
  next(check(3, 'four'));
  t.equal(appender.phase, 'lost');
  t.end();
});
