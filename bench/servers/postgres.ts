/** PostgreSQL as Debian packages it, with its defaults (so durable), on a folder of its own and reached through a socket in it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { installed, output, removeFolder, start, temporaryFolder } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';

/** Where Debian has the programs, which are not on everybody's path. */
const debianFolder = '/usr/lib/postgresql/15/bin';
/** Users that stand in for root, under whom PostgreSQL refuses to run. */
const unprivileged = ['postgres', 'nobody'];
/** Ends without waiting for clients (fast shutdown). */
const fastShutdown = 'SIGINT';

/** A program of PostgreSQL; `undefined` when it is not installed. */
function program(name: string): string | undefined {
  const debian = path.join(debianFolder, name);
  if (fs.existsSync(debian)) return debian;
  return installed(name) ? name : undefined;
}

const isRoot = (): boolean => process.getuid?.() === 0;

/** Why it cannot run here. */
export function postgresMissing(): string | undefined {
  if (program('initdb') === undefined || program('postgres') === undefined)
    return 'PostgreSQL is not installed (Debian: apt install postgresql-15)';
  return isRoot() && !installed('setpriv')
    ? 'PostgreSQL does not run as root, and there is no setpriv to run it as another'
    : undefined;
}

/** Starts it on a new database; `folder` has its socket. */
export async function startPostgres(): Promise<{ readonly folder: string; stop(): Promise<void> }> {
  const folder = temporaryFolder();
  const data = path.join(folder, 'data');
  const asUser = isRoot() ? giveAway(folder) : [];
  const initdb = [program('initdb') as string, '--pgdata', data, '--username', 'bench', '--auth', 'trust', '--encoding', 'UTF8'];
  await output([...asUser, ...initdb, '--no-sync']); // of the empty database; what is written later is synced
  const postgres = [
    program('postgres') as string,
    '-D',
    data,
    '-c',
    'listen_addresses=',
    '-c',
    `unix_socket_directories=${folder}`,
  ];
  const { process: running } = await start(
    onServerCore([...asUser, ...postgres]),
    /database system is ready to accept connections/,
  );
  return {
    folder,
    async stop() {
      await running.stop(fastShutdown);
      removeFolder(folder);
    },
  };
}

/** Makes a folder an unprivileged user's; the beginning of a command that runs as that user. */
function giveAway(folder: string): string[] {
  for (const user of unprivileged) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout.trim());
    if (!uid || !gid) continue;
    fs.chownSync(folder, Number(uid), Number(gid));
    return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user called ${unprivileged.join(' or ')}`);
}
