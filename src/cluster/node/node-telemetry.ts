/** Metrics and alarms of a node. The node keeps one for its whole life, so that counters only grow and alarms outlast a change of role. */

import type { Log } from '../../lib/observability/logger.ts';
import { type AlarmConditions, Alarms, type NodeAlarm } from '../../server/telemetry/alarms.ts';
import type { MetricBuilder, Sample } from '../../server/telemetry/metric-helpers.ts';
import type { NodeMetrics } from '../../server/telemetry/metrics.ts';
import type { DatabaseFault } from '../database/probe-database.ts';
import type { Forwarder } from '../forward/forwarder.ts';
import { OwnerCounters } from '../log/owner-counters.ts';
import { isOfCache } from '../shards/cache-errors.ts';
import type { ShardFigures } from '../shards/shard-figures.ts';
import type { Role } from './node-state.ts';

/** What the node knows when it is asked. */
export interface NodeSources {
  readonly leaseMs: number;
  /** Milliseconds after which an append that waits is an alarm. */
  readonly stallMs: number;
  readonly log: Log;
  role(): Role;
  shards(): readonly ShardFigures[];
  forwarder(): Pick<Forwarder, 'counters' | 'inFlight'> | undefined;
  /** Looks for the reason why the database gives no answers. Never rejects. */
  probe(): Promise<DatabaseFault | undefined>;
}

const roles: readonly Role[] = ['starting', 'following', 'taking over', 'owner'];

/** Milliseconds between two probes, and between two looks whether one is needed. */
const probeEveryMs = 2_000;
const checkEveryMs = 500;

export class NodeTelemetry {
  readonly #sources: NodeSources;
  readonly owner = new OwnerCounters();
  readonly alarms: Alarms;
  /** How often this node became the owner. */
  takeovers = 0;
  /** When the database was observed last, by `performance.now()`. */
  #observedAt = performance.now();
  #fault: DatabaseFault | undefined;
  #probedAt = Number.NEGATIVE_INFINITY;
  #probing = false;
  readonly #timer: NodeJS.Timeout;

  constructor(sources: NodeSources) {
    this.#sources = sources;
    this.alarms = new Alarms(this.#conditions(), sources.log);
    this.#timer = setInterval(() => this.#watch(), checkEveryMs).unref();
  }

  /** The database answered an observation. */
  observed(): void {
    this.#observedAt = performance.now();
  }

  close(): void {
    clearInterval(this.#timer);
    this.alarms.close();
  }

  /** Whether the database has given no answer that counts for one lease. */
  get #isSuspicious(): boolean {
    const { leaseMs, shards } = this.#sources;
    const leftMs = shards().find((each) => each.leaseLeftMs !== undefined)?.leaseLeftMs;
    return leftMs === undefined ? performance.now() - this.#observedAt > leaseMs : leftMs === 0;
  }

  /** Probes a database that does not answer. */
  #watch(): void {
    if (!this.#isSuspicious) this.#fault = undefined;
    else if (!this.#probing && performance.now() - this.#probedAt >= probeEveryMs) {
      this.#probing = true;
      void this.#sources.probe().then((fault) => {
        this.#probing = false;
        this.#probedAt = performance.now();
        this.#fault = this.#isSuspicious ? fault : undefined;
      });
    }
  }

  #conditions(): AlarmConditions & Required<Pick<AlarmConditions, NodeAlarm>> {
    const { stallMs, role, shards } = this.#sources;
    const faultOf = (kind: DatabaseFault['kind']) => () =>
      this.#fault?.kind === kind ? { reason: this.#fault.reason } : undefined;
    return {
      append_stalled() {
        const stalled = shards().find(({ append }) => append !== undefined && append.waitingMs >= stallMs);
        if (stalled?.append === undefined) return undefined;
        const { waitingMs, refusal } = stalled.append;
        const { shard } = stalled;
        return { shard, stalledS: Math.round(waitingMs / 1000), ...(refusal === undefined ? {} : { reason: refusal }) };
      },
      database_away: faultOf('away'),
      standby_missing: faultOf('standby'),
      lease_lost() {
        const lost = role() === 'owner' ? shards().find(({ leaseLeftMs }) => leaseLeftMs === 0) : undefined;
        return lost && { shard: lost.shard };
      },
      records_lost() {
        const lost = shards().find(({ lossReason }) => lossReason !== '');
        return lost && { shard: lost.shard, reason: lost.lossReason };
      },
      cache_failing() {
        const failing = shards().find(({ cacheError }) => cacheError !== undefined && isOfCache(cacheError));
        return failing && { shard: failing.shard, reason: (failing.cacheError as Error).message };
      },
    };
  }

  /** What the node adds to the metrics of its listener. */
  get node(): NodeMetrics {
    return { alarms: [this.alarms], addMetrics: (builder) => this.addMetrics(builder) };
  }

  addMetrics(builder: MetricBuilder): void {
    const { role, shards } = this.#sources;
    const byShard = (figure: (of: ShardFigures) => number | undefined) => () =>
      shards().flatMap((of): Sample[] => {
        const value = figure(of);
        return value === undefined ? [] : [[{ shard: `${of.shard}` }, value]];
      });
    builder.gauge('mapwright_cluster_role', '1 for the role of this node in the cluster.', ['role'], () =>
      roles.map((each) => [{ role: each.replace(' ', '_') }, each === role() ? 1 : 0]),
    );
    builder.gauge(
      'mapwright_cluster_owned',
      '1 if this node owns the shard.',
      ['shard'],
      byShard(({ leaseLeftMs }) => (role() === 'owner' && leaseLeftMs !== undefined ? 1 : 0)),
    );
    builder.counter(
      'mapwright_cluster_takeovers_total',
      'Times that this node became the owner of a shard.',
      [],
      () => this.takeovers,
    );
    builder.gauge(
      'mapwright_cluster_lease_seconds',
      'Seconds until the lease of the owner ends; 0 on other nodes.',
      ['shard'],
      byShard(({ leaseLeftMs = 0 }) => leaseLeftMs / 1000),
    );
    builder.gauge(
      'mapwright_cluster_lsn',
      'LSN of the newest acknowledged record that this node has.',
      ['shard'],
      byShard(({ lsn }) => lsn),
    );
    builder.gauge(
      'mapwright_cluster_lag_records',
      'Records in the database that this node has not copied; 0 on the owner.',
      ['shard'],
      byShard(({ lsn, newestLsn }) => (lsn === undefined ? undefined : Math.max(0, newestLsn - lsn))),
    );
    this.#addOwnerMetrics(builder);
    this.#addForwardMetrics(builder);
  }

  #addOwnerMetrics(builder: MetricBuilder): void {
    const { owner } = this;
    builder.histogram(
      'mapwright_cluster_append_duration_seconds',
      'From the order to append a batch of records to its acknowledgement by the database.',
      () => [[{}, owner.appendDurations]],
    );
    builder.counter(
      'mapwright_cluster_unacknowledged_appends_total',
      'Answers to an append that did not acknowledge it: refused, or unknown.',
      [],
      () => owner.unacknowledgedAppends,
    );
    builder.counter('mapwright_cluster_renewals_total', 'Renewals of the lease.', [], () => owner.renewals);
    builder.counter(
      'mapwright_cluster_renewals_failed_total',
      'Renewals of the lease that the database did not acknowledge.',
      [],
      () => owner.failedRenewals,
    );
  }

  #addForwardMetrics(builder: MetricBuilder): void {
    const { forwarder } = this.#sources;
    builder.counter(
      'mapwright_cluster_forwards_total',
      'Requests forwarded to the owner.',
      [],
      () => forwarder()?.counters.requests ?? 0,
    );
    builder.counter(
      'mapwright_cluster_forward_failures_total',
      'Requests that could not be forwarded. no_owner: nothing was done. owner_lost: a change may have been made. broken: the response broke off.',
      ['reason'],
      () => Object.entries(forwarder()?.counters.failures ?? {}).map(([reason, count]) => [{ reason }, count]),
    );
    builder.gauge(
      'mapwright_cluster_forwards_in_flight',
      'Forwarded requests in flight, event streams included.',
      [],
      () => forwarder()?.inFlight ?? 0,
    );
  }
}
