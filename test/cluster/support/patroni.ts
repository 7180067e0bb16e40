/**
 * Two PostgreSQL servers that Patroni manages in its strict synchronous mode, with etcd for its elections; all from Debian. Patroni starts the
 * servers, promotes the standby when the primary is gone, and makes a former primary a standby.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../support/ports.ts';
import { surroundings } from '../../support/process.ts';
import { processesIn, watchedFolder } from '../../support/watched-folder.ts';
import { debianBin, postgresUser } from './postgres.ts';

const patroniProgram = '/usr/bin/patroni';
const etcdProgram = '/usr/bin/etcd';

const pollMs = 100;
const startMsMax = 90_000;

/** Why there is no Patroni here; `undefined` if there is. */
export const withoutPatroni: string | undefined =
  debianBin !== undefined && [patroniProgram, etcdProgram].every((file) => fs.existsSync(file))
    ? undefined
    : 'Patroni, etcd or PostgreSQL 15 is not installed: apt-get install patroni etcd-server postgresql-15';

/** What a member says about itself at its REST API. */
interface MemberState {
  readonly state: string;
  readonly role: string;
  readonly sync_standby?: boolean;
}

/** A server and the Patroni that manages it. */
export class PatroniMember {
  readonly name: string;
  readonly port: number;
  readonly #folder: string;
  readonly #restPort: number;
  #child: ChildProcess | undefined;

  constructor(name: string, folder: string, port: number, restPort: number) {
    this.name = name;
    this.port = port;
    this.#folder = folder;
    this.#restPort = restPort;
  }

  get log(): string {
    return fs.readFileSync(path.join(this.#folder, 'log'), 'utf8');
  }

  start(): void {
    const log = fs.openSync(path.join(this.#folder, 'log'), 'a');
    this.#child = spawn(patroniProgram, [path.join(this.#folder, 'patroni.yaml')], {
      cwd: this.#folder,
      env: { ...surroundings, HOME: this.#folder, TZ: 'UTC' },
      stdio: ['ignore', log, log],
      ...postgresUser(),
    });
    fs.closeSync(log);
  }

  /** Kills Patroni and its server, as the loss of the machine does. */
  async kill(): Promise<void> {
    const exited = new Promise((resolve) => this.#child?.once('exit', resolve));
    this.#child?.kill('SIGKILL');
    await exited;
    for (;;) {
      const pids = processesIn(path.join(this.#folder, 'data'));
      if (pids.length === 0) return;
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
      await sleep(pollMs);
    }
  }

  /** `undefined` while it does not answer. */
  async state(): Promise<MemberState | undefined> {
    try {
      const response = await fetch(`http://127.0.0.1:${this.#restPort}/patroni`, { signal: AbortSignal.timeout(2_000) });
      return (await response.json()) as MemberState;
    } catch {
      return undefined;
    }
  }

  async isPrimary(): Promise<boolean> {
    const state = await this.state();
    return state?.state === 'running' && (state.role === 'master' || state.role === 'primary');
  }
}

export class PatroniPair {
  readonly members: readonly PatroniMember[];

  constructor(members: readonly PatroniMember[]) {
    this.members = members;
  }

  get urls(): string {
    return `postgres://postgres@${this.members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`;
  }

  /** Waits for a primary. */
  async primary(): Promise<PatroniMember> {
    return await this.#eventually('a primary', async () => {
      for (const member of this.members) if (await member.isPrimary()) return member;
      return undefined;
    });
  }

  /** Waits for a primary with a synchronous standby. */
  async synchronized(): Promise<void> {
    await this.#eventually('a synchronous standby', async () => {
      const states = await Promise.all(this.members.map((member) => member.state()));
      return states.some((state) => state?.state === 'running' && state.sync_standby === true) || undefined;
    });
  }

  async #eventually<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
    const until = performance.now() + startMsMax;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (performance.now() > until) {
        const logs = this.members.map(({ name, log }) => `--- ${name}\n${log.slice(-3000)}`).join('\n');
        throw new Error(`there is not ${what} after ${startMsMax} ms:\n${logs}`);
      }
      await sleep(pollMs);
    }
  }
}

/** Starts etcd and two members; they live until the test is over, or this process. */
export async function startPatroni(t: Pick<Test, 'teardown'>): Promise<PatroniPair> {
  if (withoutPatroni !== undefined) throw new Error(withoutPatroni);
  const scratch = watchedFolder();
  t.teardown(() => scratch.remove());
  const { uid, gid = 0 } = postgresUser();
  const folderOf = (name: string): string => {
    const folder = path.join(scratch.path, name);
    fs.mkdirSync(folder);
    if (uid !== undefined) fs.chownSync(folder, uid, gid);
    return folder;
  };
  const etcdPort = await startEtcd(folderOf('etcd'));
  const members: PatroniMember[] = [];
  for (const name of ['a', 'b']) {
    const folder = folderOf(name);
    const [port, restPort] = [await freePort(), await freePort()];
    const settings = { name, folder, port, restPort, etcdPort };
    fs.writeFileSync(path.join(folder, 'patroni.yaml'), JSON.stringify(configuration(settings)));
    members.push(new PatroniMember(name, folder, port, restPort));
  }
  const pair = new PatroniPair(members);
  for (const member of members) {
    member.start();
    // The first one makes the database that the second one copies.
    await pair.primary();
  }
  await pair.synchronized();
  return pair;
}

async function startEtcd(folder: string): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const log = fs.openSync(path.join(folder, 'log'), 'a');
  const flags = {
    name: 'etcd',
    'data-dir': path.join(folder, 'data'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
  };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  spawn(etcdProgram, args, { cwd: folder, env: surroundings, stdio: ['ignore', log, log], ...postgresUser() });
  fs.closeSync(log);
  return port;
}

/** Of a member, as JSON, which is YAML. */
function configuration(of: { name: string; folder: string; port: number; restPort: number; etcdPort: number }): object {
  const { name, folder, port, restPort, etcdPort } = of;
  return {
    scope: 'maps',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: path.join(folder, 'data'),
      bin_dir: debianBin,
      pgpass: path.join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: 'postgres' },
        replication: { username: 'replicator', password: 'replicator' },
        rewind: { username: 'postgres', password: 'postgres' },
      },
      parameters: { unix_socket_directories: folder, dynamic_shared_memory_type: 'mmap' },
    },
  };
}
