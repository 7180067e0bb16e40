/** pgbouncer, a pooler of PostgreSQL connections, in transaction mode: each transaction may run in another session of the database. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from '../../support/ports.ts';
import { surroundings } from '../../support/process.ts';
import { watchedFolder } from '../../support/watched-folder.ts';
import { postgresUser } from './postgres.ts';

/** The program from Debian; `undefined` where it is not installed. */
export const poolerProgram: string | undefined = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) =>
  fs.existsSync(file),
);

/** Seconds after which a session of the database is replaced by another one. */
export const lifetimeS = 1;

const pollMs = 10;
const startMsMax = 10_000;

/** Starts a pooler before the server on `port`; it lives until the test is over, or this process. Returns its own port. */
export async function startPooler(t: Pick<Test, 'teardown'>, port: number): Promise<number> {
  if (poolerProgram === undefined) throw new Error('pgbouncer is not installed: apt-get install pgbouncer');
  const scratch = watchedFolder();
  t.teardown(() => scratch.remove());
  const own = await freePort();
  // The folder ends what works in a folder below it.
  const folder = path.join(scratch.path, 'pooler');
  fs.mkdirSync(folder);
  const file = (name: string): string => path.join(folder, name);
  fs.writeFileSync(file('users'), '"postgres" ""\n');
  fs.writeFileSync(
    file('pgbouncer.ini'),
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${file('users')}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 100
server_login_retry = 0.2
server_lifetime = ${lifetimeS}
`,
  );
  const user = postgresUser();
  if (user.uid !== undefined) for (const made of [folder, file('users'), file('pgbouncer.ini')]) fs.chownSync(made, user.uid, 0);
  const log = fs.openSync(file('log'), 'a');
  const child = spawn(poolerProgram, [file('pgbouncer.ini')], {
    cwd: folder,
    env: surroundings,
    stdio: ['ignore', log, log],
    ...user,
  });
  fs.closeSync(log);
  const until = performance.now() + startMsMax;
  while (!(await listens(own))) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`pgbouncer did not start:\n${fs.readFileSync(file('log'), 'utf8')}`);
    await sleep(pollMs);
  }
  return own;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
