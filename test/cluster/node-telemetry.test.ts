// tier: normal, process: own
/** Metrics and alarms of a node, with made-up sources. */
import { Registry } from 'prom-client';
import t, { type Test } from 'tap';
import type { DatabaseFault } from '../../src/cluster/database/probe-database.ts';
import { type NodeSources, NodeTelemetry } from '../../src/cluster/node/node-telemetry.ts';
import type { ShardFigures } from '../../src/cluster/shards/shard-figures.ts';
import { problemOf } from '../../src/http/problem.ts';
import { NoSpaceError, StalledError } from '../../src/lib/errors.ts';
import { ServerStatus } from '../../src/server/lifecycle/server-status.ts';
import { alarmTexts, type NodeAlarm } from '../../src/server/telemetry/alarms.ts';
import { MetricBuilder } from '../../src/server/telemetry/metric-helpers.ts';
import { recordingLog } from '../support/engine.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { until } from '../support/until.ts';

type Changing<T> = { -readonly [name in keyof T]: T[name] };

function telemetryOf(t: Pick<Test, 'teardown'>, changes: Partial<NodeSources> = {}) {
  const { log, logged } = recordingLog();
  const shard: Changing<ShardFigures> = {
    ...{ shard: 1, lsn: 40, newestLsn: 0, leaseLeftMs: 2_500, lossReason: '', append: undefined, cacheError: undefined },
  };
  const sources: Changing<NodeSources> = {
    ...{ leaseMs: 10_000, stallMs: 5_000, log },
    role: () => 'owner',
    shards: () => [shard],
    forwarder: () => ({ counters: { requests: 7, failures: { no_owner: 1, owner_lost: 2, broken: 0 } }, inFlight: 3 }),
    probe: async () => undefined,
    ...changes,
  };
  // The conditions are bound at the start, as in a node.
  const now = (name: keyof NodeSources) => (): never => (sources[name] as () => never)();
  const bound = Object.fromEntries(
    Object.keys(sources).map((name) => {
      const value = sources[name as keyof NodeSources];
      return [name, typeof value === 'function' ? now(name as keyof NodeSources) : value];
    }),
  ) as unknown as NodeSources;
  const telemetry = new NodeTelemetry(bound);
  t.teardown(() => telemetry.close());
  return { telemetry, sources, shard, logged, raised: () => [...telemetry.alarms.check()].sort() };
}

t.test('each alarm of a node is raised and cleared by its condition', async (t) => {
  const { sources, shard, raised, logged } = telemetryOf(t);
  t.strictSame(raised(), []);
  const scenes: Partial<Record<NodeAlarm, [Partial<ShardFigures>, Partial<ShardFigures>, Record<string, unknown>]>> = {
    append_stalled: [
      { append: { waitingMs: 6_000, refusal: '53100' } },
      { append: { waitingMs: 4_000, refusal: undefined } },
      { stalledS: 6, reason: '53100' },
    ],
    lease_lost: [{ leaseLeftMs: 0 }, { leaseLeftMs: undefined }, {}],
    records_lost: [{ lossReason: 'records up to 7' }, { lossReason: '' }, { reason: 'records up to 7' }],
    cache_failing: [
      { cacheError: new NoSpaceError('no space left on device') },
      { cacheError: new Error('the database is away') },
      { reason: 'no space left on device' },
    ],
  };
  for (const [name, [bad, good, details]] of Object.entries(scenes)) {
    Object.assign(shard, bad);
    t.strictSame(raised(), [name]);
    Object.assign(shard, good);
    t.strictSame(raised(), [], name);
    const { raised: text, cleared } = alarmTexts[name as NodeAlarm];
    t.match(logged.splice(0), [
      ['error', { alarm: name, shard: 1, ...details }, text],
      ['info', { alarm: name }, cleared],
    ]);
  }
  sources.role = () => 'taking over';
  shard.leaseLeftMs = 0;
  t.strictSame(raised(), [], 'before its first renewal, a node has no lease to lose');
});

t.test('a database silent for one lease is probed, and its alarm ends when it answers', async (t) => {
  let fault: DatabaseFault | undefined = { kind: 'standby', reason: 'no synchronous standby is connected' };
  let probes = 0;
  const { telemetry, sources, shard, raised, logged } = telemetryOf(t, {
    leaseMs: 100,
    probe: async () => {
      probes++;
      return fault;
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 700));
  t.equal(probes, 0, 'an owner with a lease has heard of the database');
  sources.role = () => 'following';
  shard.leaseLeftMs = undefined;
  await until('standby_missing', () => raised().includes('standby_missing'));
  fault = { kind: 'away', reason: 'connect ECONNREFUSED' };
  await until('database_away', () => raised().includes('database_away'));
  t.strictSame(raised(), ['database_away']);
  t.match(
    logged.map(([level, fields]) => [level, fields['alarm'], fields['reason']]),
    [
      ['error', 'standby_missing', 'no synchronous standby is connected'],
      ['error', 'database_away', 'connect ECONNREFUSED'],
      ['info', 'standby_missing', undefined],
    ],
  );
  const hearing = setInterval(() => telemetry.observed(), 20);
  t.teardown(() => clearInterval(hearing));
  await until('no alarm', () => raised().length === 0);
});

t.test('owners and followers export their metrics', async (t) => {
  const { telemetry, sources, shard } = telemetryOf(t);
  const registry = new Registry();
  telemetry.addMetrics(new MetricBuilder(registry));
  telemetry.owner.appendDurations.observe(0.003);
  Object.assign(telemetry.owner, { renewals: 5, failedRenewals: 2, unacknowledgedAppends: 1 });
  telemetry.takeovers = 1;
  const value = async (name: string, labels: Record<string, string> = {}) =>
    sampleOf(parseExposition(await registry.metrics()), `mapwright_cluster_${name}`, labels);
  const expected: [string, number, Record<string, string>?][] = [
    ['role', 1, { role: 'owner' }],
    ['role', 0, { role: 'following' }],
    ['takeovers_total', 1],
    ['owned', 1, { shard: '1' }],
    ['lease_seconds', 2.5, { shard: '1' }],
    ['lsn', 40, { shard: '1' }],
    ['lag_records', 0, { shard: '1' }],
    ['append_duration_seconds_count', 1],
    ['unacknowledged_appends_total', 1],
    ['renewals_total', 5],
    ['renewals_failed_total', 2],
    ['forwards_total', 7],
    ['forward_failures_total', 2, { reason: 'owner_lost' }],
    ['forwards_in_flight', 3],
  ];
  for (const [name, number, labels] of expected) t.equal(await value(name, labels), number, name);
  Object.assign(sources, { role: () => 'taking over' });
  Object.assign(shard, { leaseLeftMs: undefined, newestLsn: 100 });
  t.equal(await value('lag_records', { shard: '1' }), 60);
  t.equal(await value('lease_seconds', { shard: '1' }), 0);
  t.equal(await value('owned', { shard: '1' }), 0);
  shard.lsn = undefined;
  t.equal(await value('lag_records', { shard: '1' }), undefined, 'a shard that this node does not copy');
  t.equal(await value('role', { role: 'taking_over' }), 1);
});

t.test('errors of a write that waits for the database do not mention the disk', async (t) => {
  for (const stall of ['refused', 'unconfirmed', 'closing'] as const) {
    const error = new StalledError(stall, 5_000, 'database');
    for (const text of [error.message, problemOf(error)?.detail ?? '']) {
      t.match(text, /[Tt]he database/);
      t.notMatch(text, /disk/);
    }
  }
  const status = new ServerStatus();
  t.match(status.readiness({ ms: 6_000, medium: 'database' }), { detail: /^append_stalled: the database .* for 6 s$/ });
  t.match(status.readiness({ ms: 6_000, medium: 'disk' }, 'lease_lost: x'), { detail: /^flush_stalled: the disk / });
  t.strictSame(status.readiness(undefined, 'lease_lost: x'), { status: 'stalled', detail: 'lease_lost: x' });
  t.strictSame(status.readiness(undefined), { status: 'ready' });
  t.notMatch(alarmTexts.append_stalled.raised, /disk/);
});
