/** `mapwright serve --cluster`: runs a node of a cluster until it is stopped. */
import closeWithGrace from 'close-with-grace';
import type { ClusterOptions } from '../../../cluster/cluster-options.ts';
import { ClusterNode } from '../../../cluster/node/cluster-node.ts';
import { logFatal } from '../../../lib/observability/logger.ts';
import { packageVersion } from '../../../lib/package.ts';
import { NameElsewhereError } from '../../../server/admin/registry.ts';
import type { StartingServer } from '../../../server/server.ts';
import { printJsonLine } from '../../output/stdout.ts';
import { firstAccount } from '../console/console-account.ts';
import { type ServeArguments, serverOptionsOf } from './serve-options.ts';
import {
  announceConsole,
  announceFirstKey,
  exitOnSignals,
  killProcess,
  listenErrorOf,
  makeServerLog,
  newConsoleAddress,
  signalsToSkip,
} from './serve-process.ts';

export async function serveCluster(args: ServeArguments, cluster: ClusterOptions): Promise<void> {
  const log = await makeServerLog(args);
  const removeSignalHandlers = exitOnSignals();
  const { metricsListen: _, backup: __, ...options } = serverOptionsOf(args);
  const say = (text: string): void => void (args.json || process.stdout.write(text));
  const onOwner = async (server: StartingServer, shard: number, shards: number): Promise<void> => {
    const what = shards === 1 ? 'the data' : `shard ${shard}`;
    say(`This node owns ${what} now: ${server.recovery.projects} projects.\n`);
    // Other shards get their first account when one is created.
    if (server.recovery.accounts > 0 || shard > 0) return;
    try {
      if (args.json) printJsonLine({ first_key: { account: firstAccount, key: (await server.createKey(firstAccount)).key } });
      else {
        await announceFirstKey(server, args, cluster.advertise, 'cluster');
        const address = await newConsoleAddress(server, args);
        await announceConsole(address === undefined ? [] : [cluster.advertise + address.path], args);
      }
    } catch (error) {
      // It exists already, in another shard.
      if (!(error instanceof NameElsewhereError)) throw error;
    }
  };
  const onFatal = (error: Error): void => {
    logFatal(log, { err: error }, error.message);
    process.exitCode = 1;
    killLater();
    void node?.close().finally(() => process.exit(1));
  };
  let node: ClusterNode | undefined;
  const started = await ClusterNode.start({ ...options, cluster, log, onOwner, onFatal }, args.port, args.host).catch(
    (error: unknown) => {
      killLater();
      throw listenErrorOf(error, args);
    },
  );
  node = started.node;
  const { url } = started.listening;
  if (args.json) printJsonLine({ version: packageVersion(), url, node: node.id, advertise: cluster.advertise, pid: process.pid });
  else {
    process.stdout.write(
      `mapwright ${packageVersion()}\nListening on ${url} as a node of a cluster, with a cache in ${args.data}. Press Ctrl-C to stop.\n`,
    );
  }
  closeWithGrace(
    { skip: signalsToSkip(args), delay: 30_000, logger: false, onSecondSignal: killProcess, onTimeout: killProcess },
    async ({ signal, err }) => {
      if (err !== undefined) logFatal(log, { err }, 'uncaught error; stopping');
      else say(`\n${signal}: handing over to another node. Signal again to stop immediately.\n`);
      await started.node.close();
      if (err === undefined) say('Goodbye.\n');
    },
  );
  removeSignalHandlers();
}

/** Ends the process even if something still holds it. */
function killLater(): void {
  setTimeout(() => process.exit(), exitMs).unref();
}

const exitMs = 5_000;
