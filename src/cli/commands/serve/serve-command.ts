/** `mapwright serve`: runs the server until it is stopped. */

import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { withoutSlash } from '../../../http/proxy.ts';
import { StalledError } from '../../../lib/errors.ts';
import { logFatal } from '../../../lib/observability/logger.ts';
import { packageVersion } from '../../../lib/package.ts';
import { StartupListener } from '../../../server/lifecycle/startup-listener.ts';
import { type MapwrightServer, openServer, type StartingServer } from '../../../server/server.ts';
import { command } from '../../command-declaration.ts';
import { commandOutlines } from '../../command-outlines.ts';
import { plural, shellWord } from '../../output/format-values.ts';
import { progressLine } from '../../output/progress.ts';
import { withRepairHint } from '../../output/repair-hint.ts';
import { beforeBrokenPipeExit, printJsonLine } from '../../output/stdout.ts';
import { firstAccount } from '../console/console-account.ts';
import { openBrowser } from '../console/open-browser.ts';
import { clusterOptionsOf, type ServeArguments, serveOptions, serverOptionsOf } from './serve-options.ts';
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

/** Grace period for the process to end after a failed start, in milliseconds. */
const exitMs = 5000;

export const serveCommand = command({
  ...commandOutlines.serve,
  options: serveOptions,
  examples: [
    ['serve', 'on http://127.0.0.1:8070, with the data in data/store'],
    ['serve --data /var/lib/mapwright --host 0.0.0.0 --port 8071', 'with another folder, for other machines'],
    ['serve --backup-dir /mnt/backups --backup-every 6h', 'with scheduled backups'],
    ['config serve', 'print the effective options and their sources'],
  ],
  notes: 'More options: npx mapwright serve --help --all',
  handler: serve,
});

async function serve(args: ServeArguments): Promise<void> {
  const cluster = clusterOptionsOf(args);
  if (cluster !== undefined) {
    const { serveCluster } = await import('./serve-cluster.ts');
    await serveCluster(args, cluster);
    return;
  }
  const log = await makeServerLog(args);
  const removeSignalHandlers = exitOnSignals();
  const started = performance.now();
  const startup = new StartupListener(args.port, args.host);
  const progress = progressLine('Restoring');
  startup.counter.onAdd = () => progress.show({ done: startup.counter.done, total: startup.counter.expected });
  const opening = openServer({ ...serverOptionsOf(args), log, onFatal: () => process.exit(1) }, startup).catch(
    (error: unknown) => {
      // Everything is closed now, so the process should end. The timer covers handles that were left open.
      setTimeout(() => process.exit(), exitMs).unref();
      throw listenErrorOf(error, args);
    },
  );
  startup.onRestored = () => progress.end();
  const server = await withRepairHint(args.data, opening).finally(() => progress.end());
  // With --json, programs read the log instead of these messages.
  const say = (text: string): void => void (args.json || process.stdout.write(text));
  const durability = args.sync === 'always' ? ' Every acknowledged write is durable; a write without a response may be.' : '';
  const stop = async () => {
    try {
      await server.close();
    } catch (error) {
      if (error instanceof StalledError) {
        log.error({ err: error }, `the ${error.medium} does not respond; the process ends without waiting for it`);
        say(`The ${error.medium} does not respond. Stopped without waiting for it.${durability}\n`);
        killProcess();
      }
      throw error;
    }
  };
  beforeBrokenPipeExit(stop);
  const onSecondSignal = () => {
    say(`Stopped immediately.${durability}\n`);
    killProcess();
  };
  const restoredMs = Math.round(performance.now() - started);
  try {
    const { url } = await server.handOver();
    // From now on requests may be in flight, so a signal lets them finish, also while the addresses below are being printed.
    closeWithGrace(
      { skip: signalsToSkip(args), delay: 30_000, logger: false, onSecondSignal, onTimeout: killProcess },
      async ({ signal, err }) => {
        if (err !== undefined) logFatal(log, { err }, 'uncaught error; stopping');
        else say(`\n${signal}: finishing requests in flight (up to 10 s). Signal again to stop immediately.\n`);
        await stop();
        if (err === undefined) say('All data is on disk. Goodbye.\n');
      },
    );
    removeSignalHandlers();
    if (args.json) await announceJson(server, args, url, restoredMs);
    else {
      announce(server, args, url, restoredMs);
      if (server.recovery.accounts === 0) await announceFirstKey(server, args, publicUrlOf(args, url) ?? url);
      await announceConsole((await newConsoleAddress(server, args))?.urls ?? [], args);
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

function announce(server: MapwrightServer, args: ServeArguments, url: string, ms: number): void {
  const { accounts, projects, records, snapshotLsn, damaged } = server.recovery;
  process.stdout.write(`mapwright ${packageVersion()}\n`);
  if (accounts > 0) {
    const from = snapshotLsn === 0 ? '' : `snapshot ${snapshotLsn} and `;
    const log = `${plural(records, 'record')} of the log in ${args.data}`;
    process.stdout.write(`Restored ${plural(projects, 'project')} from ${from}${log}, in ${ms} ms.\n`);
  }
  for (const { message } of damaged)
    process.stdout.write(
      `Damage found, but nothing is lost (restored from an older snapshot and the log after it): ${message}. List all damage with: npx mapwright verify --data ${shellWord(args.data)}\n`,
    );
  if (args.sync !== 'always') {
    process.stdout.write(
      `With --sync ${args.sync}, a crash may lose acknowledged writes. Use it only for bulk loads and measurements.\n`,
    );
  }
  process.stdout.write(`Listening on ${url}, with the data in ${args.data}. Press Ctrl-C to stop.\n`);
  if (server.metricsUrl !== undefined) process.stdout.write(`Metrics for Prometheus: ${server.metricsUrl}\n`);
  const publicUrl = publicUrlOf(args, url);
  if (publicUrl !== undefined) process.stdout.write(`Public address: ${publicUrl}, if your proxy forwards it here.\n`);
}

/** @param url the address of the server; a relative public URL is below it */
function publicUrlOf({ publicUrl }: ServeArguments, url: string): string | undefined {
  if (publicUrl === undefined) return undefined;
  return publicUrl.startsWith('/') ? url + withoutSlash(publicUrl) : withoutSlash(publicUrl);
}

/** Prints the messages of a start as JSON. */
async function announceJson(server: StartingServer, args: ServeArguments, url: string, restored_ms: number): Promise<void> {
  const { data, open } = args;
  const { accounts, projects, records, snapshotLsn: snapshot_lsn, damaged } = server.recovery;
  const first = accounts === 0 ? await server.createKey(firstAccount) : undefined;
  const [consoleUrl] = (await newConsoleAddress(server, args))?.urls ?? [];
  if (open && consoleUrl !== undefined) await openBrowser(consoleUrl);
  const damage = damaged.map(({ file, offset, found: problem }) => ({ file, offset, problem }));
  const restored = { accounts, projects, records, snapshot_lsn, restored_ms, damage };
  const key = first === undefined ? null : { account: firstAccount, key: first.key };
  const metrics = server.metricsUrl === undefined ? {} : { metrics_url: server.metricsUrl };
  printJsonLine({
    version: packageVersion(),
    url,
    ...metrics,
    data: resolve(data),
    pid: process.pid,
    ...restored,
    first_key: key,
    ...(consoleUrl === undefined ? {} : { console_url: consoleUrl }),
  });
}
