/** The peers: the same API on Fastify, with SQLite or PostgreSQL behind it. They are `bench/peers`, with packages of their own. */
import fs from 'node:fs';
import path from 'node:path';
import { output, removeFolder, start, temporaryFolder } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';
import { root } from '../lib/root.ts';
import type { Api } from './api.ts';
import { postgresMissing, startPostgres } from './postgres.ts';

const folder = path.join(root, 'bench', 'peers');

/** Whether their packages are installed: the compiled part of one of them is what takes its time and may fail. */
export const peersInstalled = (): boolean =>
  fs.existsSync(path.join(folder, 'node_modules', 'better-sqlite3', 'build', 'Release', 'better_sqlite3.node'));

let installing: Promise<string | undefined> | undefined;

async function install(): Promise<string | undefined> {
  if (peersInstalled()) return undefined;
  try {
    console.log('installing what is measured beside: npm ci --prefix bench/peers');
    // npm takes proxies, certificates and caches from its surroundings.
    await output(['npm', 'ci', '--prefix', folder, '--no-audit', '--no-fund'], { env: process.env });
    return peersInstalled() ? undefined : 'npm ci --prefix bench/peers did not compile better-sqlite3';
  } catch (error) {
    return `npm ci --prefix bench/peers failed: ${(error as Error).message.trim().split('\n').at(-1)}`;
  }
}

/** Why SQLite's peer cannot run here. Installs it where it is not, which takes a minute. */
export function sqliteMissing(): Promise<string | undefined> {
  installing ??= install();
  return installing;
}

/** Why PostgreSQL's peer cannot run here. */
export const postgresPeerMissing = async (): Promise<string | undefined> => postgresMissing() ?? (await sqliteMissing());

/** Fastify and SQLite (WAL, `synchronous = FULL`). */
export async function startSqlite(): Promise<Api> {
  const data = temporaryFolder();
  const peer = await startPeer('sqlite', data);
  const stop = async (): Promise<void> => {
    await peer.stop();
    removeFolder(data);
  };
  return { ...peer, name: 'Fastify + SQLite', stop };
}

/** Fastify and PostgreSQL with its defaults, both on the core of the servers. */
export async function startPostgresPeer(): Promise<Api> {
  const postgres = await startPostgres();
  try {
    const peer = await startPeer('postgres', postgres.folder);
    const stop = async (): Promise<void> => {
      await peer.stop();
      await postgres.stop();
    };
    return { ...peer, name: 'Fastify + PostgreSQL', stop };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** @param data a folder; for PostgreSQL the folder of its socket, or a URL */
export async function startPeer(kind: 'sqlite' | 'postgres', data: string): Promise<Omit<Api, 'name'>> {
  const command = [process.execPath, path.join(folder, 'main.js'), kind, data];
  const options = { env: { NODE_ENV: 'production' } };
  const { process: running, match } = await start(onServerCore(command), /^Listening on (\S+), key (\S+)$/m, options);
  return { url: `${match[1]}/api/v1`, key: match[2] as string, stop: () => running.stop() };
}
