// tier: normal, process: own
/** Nodes that find a cache or a stored snapshot damaged, or that were interrupted while they downloaded one, take over nevertheless. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { ask } from '../support/client.ts';
import { snapshotIn } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';
import { until } from '../support/until.ts';
import { newCluster, startNode } from './support/local-nodes.ts';
import { type Postgres, startPostgres } from './support/postgres.ts';

t.setTimeout(120_000);

const options = { leaseMs: 1_000 };
let pair: Postgres;

t.before(async () => {
  pair = await startPostgres(t);
});

/** An owner with some projects. */
async function startOwner(t: Test) {
  const database = await newCluster(t, pair);
  const folder = temporaryFolder(t);
  const owner = await startNode(t, database.text, path.join(folder, 'owner'), options);
  const { key } = await (await owner.owned()).createKey('acme');
  let projects = 0;
  const write = async (): Promise<void> => {
    t.equal((await ask({ url: owner.url, key }, 'POST', '/v1/projects', { name: 'x'.repeat(1_000) })).status, 200);
    projects++;
  };
  const storedLsn = async (): Promise<number> =>
    Number((await database.sql('SELECT max(lsn) AS lsn FROM mw_snapshot'))[0]?.['lsn']);
  /** Makes a snapshot and waits until the database has it. */
  const snapshot = async (): Promise<number> => {
    await write();
    const { lsn } = (await askServer(owner.data, 'snapshot', {})) as { lsn: number };
    await until('the snapshot is stored', async () => (await storedLsn()) === lsn);
    return lsn;
  };
  const start = (name: string) => startNode(t, database.text, path.join(folder, name), options);
  /** Stops the owner, and reads from the next one. */
  const takesOver = async (next: Awaited<ReturnType<typeof start>>): Promise<void> => {
    await owner.close();
    let owns = false;
    const fails = async (): Promise<void> => {
      while (next.fatal.length === 0 && !owns) await delay(20);
    };
    await Promise.race([next.owned(), fails()]);
    owns = true;
    const { status, json } = await ask({ url: next.url, key }, 'GET', '/v1/projects');
    t.same([status, json.length], [200, projects]);
    t.same(next.fatal, []);
  };
  return { database, folder, write, snapshot, start, takesOver };
}

t.test('an interrupted download of a snapshot starts again', async (t) => {
  const { folder, snapshot, start, takesOver } = await startOwner(t);
  const lsn = await snapshot();
  const snapshots = path.join(folder, 'next', 'snapshots');
  fs.mkdirSync(snapshots, { recursive: true, mode: 0o700 });
  fs.writeFileSync(`${snapshotIn(snapshots, lsn)}.tmp`, 'the beginning');
  await takesOver(await start('next'));
});

test.all('a node whose snapshot is damaged downloads it when it takes over', async (t) => {
  const { write, snapshot, start, takesOver } = await startOwner(t);
  const lsn = await snapshot();
  await write();
  const before = await start('next');
  const file = snapshotIn(path.join(before.data, 'snapshots'), lsn);
  await until('it is downloaded', () => fs.existsSync(file));
  await before.close();
  const bytes = fs.readFileSync(file);
  const at = bytes.length >> 1;
  bytes[at] = ~(bytes[at] as number) & 0xff;
  fs.writeFileSync(file, bytes);
  const next = await start('next');
  await takesOver(next);
  t.ok(next.logged.some(([, , text]) => /^set the cache aside and downloads it again: .* does not verify/.test(text)));
});

test.all('if the newest snapshot in the database is damaged, the one before it is downloaded', async (t) => {
  const { database, write, snapshot, start, takesOver } = await startOwner(t);
  await snapshot();
  const damaged = await snapshot();
  await write();
  await database.sql("DELETE FROM mw_file USING mw_snapshot s WHERE s.lsn = $1 AND digest = s.files -> 0 ->> 'digest'", [
    damaged,
  ]);
  const next = await start('next');
  await takesOver(next);
  t.ok(next.logged.some(([, , text]) => text === 'a snapshot in the database is damaged: run mapwright cluster verify'));
});
