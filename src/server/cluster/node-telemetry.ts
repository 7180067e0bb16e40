/** Metrics and alarms of a node. The node keeps one for its whole life, so that counters only grow and alarms outlast a change of role. */

import type { Observed } from '../../cluster/database/owner-statements.ts';
import type { DatabaseFault } from '../../cluster/database/probe-database.ts';
import { OwnerCounters } from '../../cluster/log/owner-counters.ts';
import { CorruptError, FolderError, NoSpaceError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { type AlarmConditions, Alarms, type NodeAlarm } from '../telemetry/alarms.ts';
import type { MetricBuilder } from '../telemetry/metric-helpers.ts';
import type { NodeMetrics } from '../telemetry/metrics.ts';
import type { Forwarder } from './forwarder.ts';

export type Role = 'starting' | 'following' | 'taking over' | 'owner' | 'stopped';

/** What the node knows when it is asked. */
export interface NodeSources {
  readonly leaseMs: number;
  /** Milliseconds after which an append that waits is an alarm. */
  readonly stallMs: number;
  readonly log: Log;
  role(): Role;
  /** The newest record that this node has. */
  lsn(): number;
  /** Milliseconds until the lease of this node as owner ends; `undefined` while it is not the owner. */
  leaseLeftMs(): number | undefined;
  /** What was seen last of an owner, by this node or another. */
  observed(): Observed | undefined;
  forwarder(): Pick<Forwarder, 'counters' | 'inFlight'> | undefined;
  /** The write that waits for the database: for how long, and how the database answered last. */
  append(): { readonly waitingMs: number; readonly refusal: string | undefined } | undefined;
  /** Why the cache cannot be written or read; any other error of the follower counts as one of the database. */
  cacheError(): Error | undefined;
  /** Looks for the reason why the database gives no answers. Never rejects. */
  probe(): Promise<DatabaseFault | undefined>;
}

const roles: readonly Role[] = ['starting', 'following', 'taking over', 'owner'];

/** Milliseconds between two probes, and between two looks whether one is needed. */
const probeEveryMs = 2_000;
const checkEveryMs = 500;

export class NodeTelemetry implements NodeMetrics {
  readonly #sources: NodeSources;
  readonly owner = new OwnerCounters();
  readonly alarms: Alarms;
  /** How often this node became the owner. */
  takeovers = 0;
  /** Why the node gave up: its records are not in the database. */
  lostRecords: Error | undefined;
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

  /** The database answered an observation. What it says about lost records replaces what this node found. */
  observed({ halted }: Pick<Observed, 'halted'>): void {
    this.#observedAt = performance.now();
    if (halted !== '') this.lostRecords = undefined;
  }

  close(): void {
    clearInterval(this.#timer);
    this.alarms.close();
  }

  /** Whether the database has given no answer that counts for one lease. */
  get #isSuspicious(): boolean {
    const { leaseMs, leaseLeftMs } = this.#sources;
    const leftMs = leaseLeftMs();
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
    const { append, stallMs, role, leaseLeftMs, observed, cacheError } = this.#sources;
    const faultOf = (kind: DatabaseFault['kind']) => () =>
      this.#fault?.kind === kind ? { reason: this.#fault.reason } : undefined;
    return {
      append_stalled() {
        const waiting = append();
        if (waiting === undefined || waiting.waitingMs < stallMs) return undefined;
        const { refusal } = waiting;
        return { stalledS: Math.round(waiting.waitingMs / 1000), ...(refusal === undefined ? {} : { reason: refusal }) };
      },
      database_away: faultOf('away'),
      standby_missing: faultOf('standby'),
      lease_lost: () => (role() === 'owner' && leaseLeftMs() === 0 ? {} : undefined),
      records_lost: () => {
        const reason = this.lostRecords?.message ?? observed()?.halted ?? '';
        return reason === '' ? undefined : { reason };
      },
      cache_failing() {
        const error = cacheError();
        return error && isOfCache(error) ? { reason: error.message } : undefined;
      },
    };
  }

  addMetrics(builder: MetricBuilder): void {
    const { role, lsn, leaseLeftMs, observed, forwarder } = this.#sources;
    const { owner } = this;
    builder.gauge('mapwright_cluster_role', '1 for the role of this node in the cluster.', ['role'], () =>
      roles.map((each) => [{ role: each.replace(' ', '_') }, each === role() ? 1 : 0]),
    );
    builder.counter('mapwright_cluster_takeovers_total', 'Times that this node became the owner.', [], () => this.takeovers);
    builder.gauge(
      'mapwright_cluster_lease_seconds',
      'Seconds until the lease of the owner ends; 0 on other nodes.',
      [],
      () => (leaseLeftMs() ?? 0) / 1000,
    );
    builder.gauge('mapwright_cluster_lsn', 'LSN of the newest acknowledged record that this node has.', [], lsn);
    builder.gauge(
      'mapwright_cluster_lag_records',
      'Records in the database that this node has not copied; 0 on the owner.',
      [],
      () => (leaseLeftMs() === undefined ? Math.max(0, (observed()?.newestLsn ?? 0) - lsn()) : 0),
    );
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

/** System errors of a disk or a folder. */
const diskCodes: ReadonlySet<string> = new Set(
  'ENOSPC EDQUOT EROFS EACCES EPERM EIO ENOENT ENOTDIR EISDIR EEXIST EMFILE ENFILE'.split(' '),
);

/** Whether an error of copying is one of the folder, and not of the database. */
function isOfCache(error: Error): boolean {
  if (error instanceof NoSpaceError || error instanceof FolderError || error instanceof CorruptError) return true;
  return diskCodes.has((error as NodeJS.ErrnoException).code ?? '');
}
