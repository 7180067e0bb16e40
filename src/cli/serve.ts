/** `mapwright serve`: the server, until it is told to stop. */
import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { withoutSlash } from '../http/front.ts';
import { StalledError } from '../lib/errors.ts';
import { tellFatal } from '../lib/log.ts';
import { packageVersion } from '../lib/package.ts';
import { type MapwrightServer, openServer } from '../server/server.ts';
import { WaitingRoom } from '../server/waiting-room.ts';
import { painter } from './colour.ts';
import { command } from './command.ts';
import { orAdvice } from './damage.ts';
import { makeLog } from './log.ts';
import { progressLine } from './progress.ts';
import { type ServeArguments, serveOptions, serverOptionsOf } from './serve-options.ts';
import { beforeThat, printJsonLine } from './stdout.ts';
import { plural, shellWord } from './words.ts';

/** Name of the account that a first start creates. */
const firstAccount = 'default';

/** How long the process may outlive a start that failed, in milliseconds. */
const exitMs = 5000;

export const serveCommand = command<ServeArguments>({
  command: 'serve',
  describe: 'Run the server',
  options: serveOptions,
  examples: [
    ['serve', 'on http://127.0.0.1:8070, with everything in data/store'],
    ['serve --data /var/lib/mapwright --host 0.0.0.0 --port 8071', 'elsewhere, for other machines'],
    ['serve --backup-dir /mnt/backups --backup-every 6h', 'with backups on a schedule'],
    ['config serve', 'which options are in force, and from where'],
  ],
  handler: serve,
});

async function serve(args: ServeArguments): Promise<void> {
  const log = await makeLog({ level: args.logLevel, pretty: args.logPretty, requests: args.logRequests });
  const settled = endAtOnce();
  const started = performance.now();
  const room = new WaitingRoom(args.port, args.host);
  const progress = progressLine('Restoring');
  room.meter.onAdd = () => progress.show({ done: room.meter.done, total: room.meter.expected });
  const opening = openServer({ ...serverOptionsOf(args), log, onFatal: () => process.exit(1) }, room).catch((error: unknown) => {
    // All is closed by now, and the process ends by itself; this is for what may be left open all the same.
    setTimeout(() => process.exit(), exitMs).unref();
    throw aboutPort(error, args);
  });
  room.onRestored = () => progress.end();
  const server = await orAdvice(args.data, opening).finally(() => progress.end());
  // What is for people is in the way of a program, which has the same from the log.
  const say = (text: string): void => void (args.json || process.stdout.write(text));
  const kept = args.sync === 'always' ? ' Every write that was answered is on the disk; one that was not may be.' : '';
  const stop = async () => {
    try {
      await server.close();
    } catch (error) {
      if (error instanceof StalledError) {
        log.error({ err: error }, 'the disk does not answer: the process ends without it');
        say(`The disk does not answer: stopped without it.${kept}\n`);
        killProcess();
      }
      throw error;
    }
  };
  beforeThat(stop);
  const restoredMs = Math.round(performance.now() - started);
  try {
    const { url } = await server.takeOver();
    if (args.json) await announceJson(server, args, url, restoredMs);
    else {
      announce(server, args, url, restoredMs);
      if (server.recovery.accounts === 0) await announceFirstKey(server, args, publicUrlOf(args, url) ?? url);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const onSecondSignal = () => {
    say(`Stopped at once.${kept}\n`);
    killProcess();
  };
  closeWithGrace({ delay: 30_000, logger: false, onSecondSignal, onTimeout: killProcess }, async ({ signal, err }) => {
    if (err !== undefined) tellFatal(log, { err }, 'an error that nothing caught: stopping');
    else say(`\n${signal}: finishing what is in flight (up to 10 s). Once more to stop at once.\n`);
    await stop();
    if (err === undefined) say('Everything is on the disk. Goodbye.\n');
  });
  settled();
}

/**
 * Ends the process whatever its threads wait for: `process.exit` joins them, and one that waits for a disk does not end. A crash costs nothing
 * that was acknowledged. (The first process of a container cannot kill itself; it goes on to `process.exit`.)
 */
function killProcess(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Signals end the process at once, until what is returned is called: as long as nothing is under way, there is nothing to finish. Without
 * this they would not end the first process of a container, to which the system passes only those that somebody waits for.
 */
function endAtOnce(): () => void {
  const end = () => process.exit();
  const signals = ['SIGTERM', 'SIGINT'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}

/** Why nobody can listen there, in words; any other error as it is. */
function aboutPort(error: unknown, args: ServeArguments): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return error;
  if (code === 'EADDRINUSE') return new Error(`Port ${args.port} on ${args.host} is taken. Try another: ${otherPort(args)}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new Error(`This machine has no address ${args.host} to listen on.`);
  if (code === 'EACCES')
    return new Error(`Port ${args.port} needs privileges that this process does not have. Try a port above 1024.`);
  return error;
}

function otherPort({ data, port }: ServeArguments): string {
  const folder = data === serveOptions.data.default ? '' : ` --data ${shellWord(data)}`;
  return `npx mapwright serve${folder} --port ${port < 65_535 ? port + 1 : port - 1}`;
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
      `Damage found, nothing lost (what is before it was used, with the log from there): ${message}. Look at all of it with: npx mapwright verify --data ${shellWord(args.data)}\n`,
    );
  if (args.sync !== 'always') {
    process.stdout.write(
      `With --sync ${args.sync} a crash may lose writes that were answered: for bulk loads and measurements only.\n`,
    );
  }
  process.stdout.write(`Listening on ${url}, keeping everything in ${args.data}. Ctrl-C stops.\n`);
  if (server.metricsUrl !== undefined) process.stdout.write(`Figures for Prometheus are at ${server.metricsUrl}.\n`);
  const publicUrl = publicUrlOf(args, url);
  if (publicUrl !== undefined) process.stdout.write(`Clients reach it at ${publicUrl}, once your proxy leads here.\n`);
}

/** @param url where the server listens; a path alone is below it */
function publicUrlOf({ publicUrl }: ServeArguments, url: string): string | undefined {
  if (publicUrl === undefined) return undefined;
  return publicUrl.startsWith('/') ? url + withoutSlash(publicUrl) : withoutSlash(publicUrl);
}

/** All that is said at a start, for programs. */
async function announceJson(server: MapwrightServer, { data }: ServeArguments, url: string, restored_ms: number): Promise<void> {
  const { accounts, projects, records, snapshotLsn: snapshot_lsn, damaged } = server.recovery;
  const first = accounts === 0 ? await server.createKey(firstAccount) : undefined;
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
  });
}

/** A first start makes a key, so that the first request needs nothing else. */
async function announceFirstKey(server: MapwrightServer, { docs }: ServeArguments, url: string): Promise<void> {
  const { key } = await server.createKey(firstAccount);
  const paint = painter();
  process.stdout.write(`
This folder is new. Its first account is "${firstAccount}"; this is its API key, shown only now:

  ${paint('bold', key)}

Make a first project:

  curl -H 'Authorization: Bearer ${key}' \\
       -H 'Content-Type: application/json' -d '{"name":"My first map"}' ${url}/api/v1/projects

${docs ? `Everything else is at ${url}/docs, where requests can be tried as well.\n\n` : ''}`);
}
