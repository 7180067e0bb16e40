/** `mapwright serve`: the server, until it is told to stop. */
import closeWithGrace from 'close-with-grace';
import type { CommandModule } from 'yargs';
import { heapLimitBytes, memoryBytesMax } from '../engine/memory.ts';
import { faultOfOrigins } from '../http/cors.ts';
import type { SyncMode } from '../journal/segment.ts';
import { packageVersion } from '../lib/package.ts';
import { type Compat, compats } from '../model/resource.ts';
import type { ServerOptions } from '../server/options.ts';
import { createServer, type MapwrightServer } from '../server/server.ts';
import { orAdvice } from './damage.ts';
import { accountDefaultsOf, type LimitArguments, limitOptions, limitsOf } from './limit-options.ts';
import { makeLog } from './log.ts';
import { dataOption, durationMs, integerFrom, listFrom, numberFrom, textFor, UsageError, withOptions } from './options.ts';
import { beforeThat } from './stdout.ts';
import { plural, shellWord } from './words.ts';

const mebibyte = 1024 * 1024;
/** Segments are whole sectors, whatever part of a MiB is asked for. */
const sector = 512;
/** Name of the account that a first start creates. */
const firstAccount = 'default';

const options = {
  ...dataOption,
  host: { type: 'string', default: '127.0.0.1', describe: 'Address to listen on', coerce: textFor('host') },
  port: {
    type: 'number',
    default: 8070,
    describe: 'Port to listen on; 0 takes any free one',
    coerce: integerFrom(0, 65_535, 'port'),
  },
  sync: {
    choices: ['always', 'interval', 'never'] as const,
    default: 'always' as SyncMode,
    describe:
      'When writes reach the disk: before each answer; once a second; when the system likes. The latter two lose acknowledged writes in a crash: for bulk loads and measurements',
  },
  'segment-mb': {
    type: 'number',
    default: 16,
    describe: 'Size of a log file, in MiB; bounds what one request may change, but for copies and imports',
    coerce: numberFrom(1, 256, 'segment-mb'),
  },
  'snapshot-mb': {
    type: 'number',
    default: 64,
    describe: 'Fold a snapshot when this much log has been sealed, in MiB',
    coerce: numberFrom(1, 65_536, 'snapshot-mb'),
  },
  'snapshot-minutes': {
    type: 'number',
    default: 60,
    describe: 'Fold a snapshot after this long, when something was written',
    coerce: numberFrom(0.01, 1_000_000, 'snapshot-minutes'),
  },
  'fold-pause': {
    type: 'number',
    default: 10,
    describe: 'Pause after each MiB that a fold or a backup writes, in milliseconds, so that requests get at the disk',
    coerce: numberFrom(0, 10_000, 'fold-pause'),
  },
  'backup-dir': {
    type: 'string',
    describe: 'Folder for backups on a schedule and the log between them; outside of the data folder, best on another disk',
  },
  'backup-every': {
    type: 'string',
    default: '6h',
    describe: 'Time between two backups: 30m, 6h, 1d',
    coerce: durationMs('backup-every'),
  },
  'backup-keep': {
    type: 'number',
    default: 28,
    describe: 'How many of the newest backups stay',
    coerce: integerFrom(1, 1_000_000, 'backup-keep'),
  },
  'elements-max': {
    type: 'number',
    default: 50_000,
    describe: 'Most elements that the collections in one request may hold',
    coerce: integerFrom(1, 1_000_000, 'elements-max'),
  },
  compat: {
    choices: compats,
    default: 'contract' as Compat,
    describe:
      'Which API is spoken: the one of the contract, or what the original has become since, with a few types and members more',
  },
  'idempotency-mb': {
    type: 'number',
    default: 64,
    describe: 'Memory for answers that an account gets again when it repeats a request with its Idempotency-Key, in MiB',
    coerce: numberFrom(0, 65_536, 'idempotency-mb'),
  },
  'cache-mb': {
    type: 'number',
    default: 64,
    describe: 'Memory for answers that were given before, resources, short lists and what was compressed, in MiB',
    coerce: numberFrom(0, 65_536, 'cache-mb'),
  },
  cors: {
    type: 'string',
    default: '',
    defaultDescription: 'none',
    describe: 'Origins whose pages may use the API from a browser: https://editor.example,http://localhost:5173, or * for any',
    coerce: originsFrom,
  },
  compression: {
    type: 'boolean',
    default: true,
    describe: 'Compress answers for clients that ask for it; --no-compression to leave that to a proxy',
  },
  'audit-log': {
    type: 'boolean',
    default: true,
    describe: 'Write refused keys, and changes of keys and accounts, to audit.log in the data folder',
  },
  ...limitOptions,
  'memory-mb': {
    type: 'number',
    defaultDescription: 'what the machine allows',
    describe: 'Memory that may be needed, in MiB, before changes that grow are refused with 507',
    coerce: memoryFrom,
  },
  'decoded-mb': {
    type: 'number',
    defaultDescription: '2/5 of --memory-mb',
    describe: 'Memory for members that were looked at as values, in MiB; the rest are bytes until somebody looks',
    coerce: (value: number | undefined) => (value === undefined ? undefined : numberFrom(0, 65_536, 'decoded-mb')(value)),
  },
  metrics: { type: 'boolean', default: true, describe: 'Show figures for Prometheus at /metrics; --no-metrics for none' },
  'log-requests': { type: 'boolean', default: false, describe: 'A line in the log for every request' },
} as const;

interface Arguments extends LimitArguments {
  data: string;
  host: string;
  port: number;
  sync: SyncMode;
  segmentMb: number;
  snapshotMb: number;
  snapshotMinutes: number;
  foldPause: number;
  backupDir?: string;
  backupEvery: number;
  backupKeep: number;
  elementsMax: number;
  compat: Compat;
  idempotencyMb: number;
  cacheMb: number;
  cors: string[];
  compression: boolean;
  auditLog: boolean;
  memoryMb?: number;
  decodedMb?: number;
  metrics: boolean;
  logRequests: boolean;
}

export const serveCommand: CommandModule<object, Arguments> = {
  command: 'serve',
  describe: 'Run the server',
  builder: withOptions(options),
  handler: serve,
};

async function serve(args: Arguments): Promise<void> {
  const log = makeLog();
  const started = performance.now();
  const opening = createServer({
    data: args.data,
    sync: args.sync,
    segmentBytes: Math.round((args.segmentMb * mebibyte) / sector) * sector,
    snapshotBytes: args.snapshotMb * mebibyte,
    snapshotMinutes: args.snapshotMinutes,
    foldPauseMs: args.foldPause,
    ...scheduleIn(args),
    elementsMax: args.elementsMax,
    compat: args.compat,
    idempotencyBytes: args.idempotencyMb * mebibyte,
    cacheBytes: args.cacheMb * mebibyte,
    metrics: args.metrics,
    cors: args.cors,
    compression: args.compression,
    ...(args.memoryMb === undefined ? {} : { memoryBytes: args.memoryMb * mebibyte }),
    ...(args.decodedMb === undefined ? {} : { decodedBytes: args.decodedMb * mebibyte }),
    limits: limitsOf(args),
    ...accountDefaultsOf(args),
    auditLog: args.auditLog,
    logRequests: args.logRequests,
    log,
    onFatal: () => process.exit(1),
  });
  const server = await orAdvice(args.data, opening);
  beforeThat(() => server.close());
  const restoredMs = Math.round(performance.now() - started);
  try {
    const { url } = await server.listen(args.port, args.host);
    announce(server, args, url, restoredMs);
    if (server.recovery.accounts === 0) await announceFirstKey(server, url);
  } catch (error) {
    await server.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Error(`Port ${args.port} on ${args.host} is taken. Try another: ${otherPort(args)}`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`This machine has no address ${args.host} to listen on.`);
    if (code === 'EACCES')
      throw new Error(`Port ${args.port} needs privileges that this process does not have. Try a port above 1024.`);
    throw error;
  }
  const onSecondSignal = () => {
    const kept = args.sync === 'always' ? ' Every write that was answered is on the disk.' : '';
    process.stdout.write(`Stopped at once.${kept}\n`);
  };
  closeWithGrace({ delay: 30_000, logger: false, onSecondSignal }, async ({ signal, err }) => {
    if (err !== undefined) log.error({ err }, 'an error that nothing caught: stopping');
    else process.stdout.write(`\n${signal}: finishing what is in flight (up to 10 s). Once more to stop at once.\n`);
    await server.close();
    if (err === undefined) process.stdout.write('Everything is on the disk. Goodbye.\n');
  });
}

function originsFrom(text: string): string[] {
  const origins = listFrom('cors')(text);
  const fault = faultOfOrigins(origins);
  if (fault !== undefined) throw new UsageError(`--cors must be origins: ${fault}.`);
  return origins;
}

/** V8 settles how far its heap may grow before a program's first line, so a larger budget needs another start. */
function memoryFrom(value: number | undefined): number {
  const mostMb = Math.floor(memoryBytesMax() / mebibyte);
  if (value !== undefined && value >= 1 && value <= mostMb) return value;
  const heapMb = Math.ceil((((value ?? 0) * mebibyte) / memoryBytesMax()) * (heapLimitBytes() / mebibyte));
  const more =
    value !== undefined && value > mostMb ? ` For ${value} start with: NODE_OPTIONS=--max-old-space-size=${heapMb}` : '';
  throw new UsageError(`--memory-mb must be a number from 1 to ${mostMb}, which is what V8's heap has room for here.${more}`);
}

function scheduleIn({ backupDir: dir, backupEvery: everyMs, backupKeep: keep }: Arguments): Pick<ServerOptions, 'backup'> {
  if (dir === '') throw new UsageError('--backup-dir needs the name of a folder.');
  return dir === undefined ? {} : { backup: { dir, everyMs, keep } };
}

function otherPort({ data, port }: Arguments): string {
  const folder = data === options.data.default ? '' : ` --data ${shellWord(data)}`;
  return `npx mapwright serve${folder} --port ${port < 65_535 ? port + 1 : port - 1}`;
}

function announce(server: MapwrightServer, args: Arguments, url: string, ms: number): void {
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
}

/** A first start makes a key, so that the first request needs nothing else. */
async function announceFirstKey(server: MapwrightServer, url: string): Promise<void> {
  const { key } = await server.createKey(firstAccount);
  process.stdout.write(`
This folder is new. Its first account is "${firstAccount}"; this is its API key, shown only now:

  ${key}

Make a first project:

  curl -H 'Authorization: Bearer ${key}' \\
       -H 'Content-Type: application/json' -d '{"name":"My first map"}' ${url}/api/v1/projects

`);
}
