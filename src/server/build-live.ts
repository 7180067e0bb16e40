/** Builds what executes data sources, variables and actions: it needs no storage. */
import { mebibyte } from '../lib/option-declaration.ts';
import type { Live } from '../live/live.ts';
import { LiveMaps } from '../live/live-maps.ts';
import { EvaluationRuns } from '../live/runs/evaluation-runs.ts';
import { HostRules } from '../live/sources/host-rules.ts';
import { LiveSources } from '../live/sources/live-sources.ts';
import type { Change } from '../store/operations/operations.ts';
import type { ClusterHooks } from './lifecycle/cluster-hooks.ts';
import type { Lifecycle } from './lifecycle/lifecycle.ts';
import { type InMemoryServerOptions, type ServerOptions, serverOptions } from './server-options.ts';

/** Memory of the responses of one account, in bytes. */
const accountBytesMax = 64 * mebibyte;

/** @returns `undefined` if the option `live` is false */
export function buildLive(
  options: ServerOptions | InMemoryServerOptions,
  { log, defer, sockets, metricsListener }: Lifecycle,
  hooks: ClusterHooks,
): Live | undefined {
  if (options.live === false) return undefined;
  const {
    clock = Date.now,
    dataTimeoutMs: timeoutMs = serverOptions.dataTimeoutMs.range[0],
    dataResponseBytes: responseBytesMax = serverOptions.dataResponseBytes.range[0],
  } = options;
  const sources = new LiveSources({
    ...{ timeoutMs, responseBytesMax, log, clock },
    accountBytesMax: Math.max(accountBytesMax, responseBytesMax),
    hosts: new HostRules(options.dataHosts),
    // Those of this server, the other nodes and the database.
    forbidden: () => [
      ...sockets.addresses,
      ...(metricsListener === undefined ? [] : [new URL(metricsListener.url).host]),
      ...hooks.ownAddresses(),
    ],
  });
  const runs = new EvaluationRuns({ log });
  const maps = new LiveMaps({ sources, runs, clock });
  defer(() => runs.close());
  defer(() => sources.close());
  defer(() => maps.close());
  return { ...{ sources, runs, maps, responseBytesMax, timeoutMs, clock } };
}

/** Forgets what belongs to accounts, projects and publications that a record deletes: what is in memory only goes with them. */
export function forgetDeleted({ sources, maps }: Pick<Live, 'sources' | 'maps'>, changes: readonly Change[]): void {
  for (const change of changes) {
    switch (change.op) {
      case 'delete-account':
        sources.forgetAccount(change.accountId);
        break;
      case 'delete-project':
        sources.forgetProject(change);
        maps.forget(change);
        break;
      case 'delete-publication':
        maps.forget(change);
        break;
    }
  }
}
