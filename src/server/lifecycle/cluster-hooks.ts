/** How a node of a cluster takes part in a server. The defaults are those of one machine, so no other file asks whether there is a cluster. */
import type { OpenOptions } from '../../engine/open-engine.ts';
import type { PublicEndpoint } from '../../http/route.ts';
import type { StalledMedium } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { OperationContext } from '../admin/admin-operations.ts';
import { respondOn, serveControl } from '../admin/control-socket.ts';
import { noRegistry, type Registry } from '../admin/registry.ts';
import type { NodeMetrics } from '../telemetry/metrics.ts';
import { type DataFolder, openDataFolder } from './data-folder.ts';

export interface ClusterHooks {
  /** Opens the data folder. Gets what closes it, unless the node does. */
  openFolder(path: string, log: Log, defer: Defer): DataFolder;
  /** What the engine gets in addition: lineage, gate and worker of a log in a database, of which the folder is a cache. */
  readonly engine: Pick<OpenOptions, 'cacheOf' | 'workers' | 'sync'>;
  /** Whether a response may be sent now, see `ListenerOptions.responseGate`. */
  gate(): Promise<void> | undefined;
  /** What a write waits for at the moment. */
  waitsFor(): StalledMedium;
  /** Why no response may be sent, for `/readyz`; `undefined` if responses may be sent. */
  unproven(): string | undefined;
  readonly endpoints: readonly PublicEndpoint[];
  /** Addresses of the other nodes and of the database, as `host:port`: data sources never reach them. */
  ownAddresses(): readonly string[];
  readonly node: NodeMetrics;
  readonly shard: number;
  /** What all nodes know, and nobody else; `undefined` on one machine. */
  readonly secret: Uint8Array | undefined;
  readonly registry: Registry;
  /** Writes a change of keys or accounts where all nodes see it. */
  audit(entry: object): Promise<void>;
  /** Lets commands reach the server: here at the control socket of its folder. */
  serveCommands(context: OperationContext, folder: DataFolder, log: Log, defer: Defer): Promise<void>;
}

/** Takes a function that closes something just opened. */
type Defer = (close: () => unknown) => void;

export const oneMachine: ClusterHooks = {
  openFolder(path, log, defer) {
    const folder = openDataFolder(path, log);
    defer(() => folder.close());
    return folder;
  },
  engine: {},
  gate: () => undefined,
  waitsFor: () => 'disk',
  unproven: () => undefined,
  endpoints: [],
  ownAddresses: () => [],
  node: { alarms: [], addMetrics: () => undefined },
  shard: 0,
  secret: undefined,
  registry: noRegistry,
  audit: async () => undefined,
  async serveCommands(context, folder, log, defer) {
    try {
      const control = await serveControl(folder.root, respondOn(context));
      defer(() => control.close());
    } catch (error) {
      // A full disk, or a system without sockets, must not prevent reads of the data.
      log.warn({ err: error }, 'cannot create the control socket: commands cannot reach this server');
    }
  },
};
