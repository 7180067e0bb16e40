// tier: all, process: own
/** The commands of docs/cluster.md on a real pair of databases, and `/metrics` and alarms of two nodes while parts of it fail. */
import t from 'tap';
import { ask } from '../support/client.ts';
import { wordsOf } from '../support/command-lines.ts';
import { blocksOf } from '../support/documents.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';
import { type ClusterNode, startNodes } from './support/nodes.ts';
import { startPostgres } from './support/postgres.ts';

t.setTimeout(240_000);

const families = async (node: ClusterNode) => parseExposition((await ask(node, 'GET', '/metrics')).text);
const metric = async (node: ClusterNode, name: string, labels: Record<string, string> = {}) =>
  sampleOf(await families(node), `mapwright_${name}`, labels);

t.test('metrics and alarms of two nodes show a locked table, a missing standby and a missing database', async (t) => {
  const pair = await startPostgres(t);
  const page = (language: string) => blocksOf('docs/cluster.md', 'Start', language);
  for (const statement of page('sql').join('').trim().split('\n')) await pair.primary.sql(statement);
  const shown = 'postgres://maps@db1,db2/maps';
  const cluster = shown.replace('db1,db2', pair.servers.map(({ host }) => host).join(','));
  const cwd = temporaryFolder(t);
  const command = async (words: string, flags: readonly string[] = []) => {
    const line =
      page('sh')
        .join('')
        .split('\n')
        .find((each) => each.startsWith(`npx mapwright ${words} `)) ?? '';
    const { code, stdout, stderr } = await run([...wordsOf(line.replace(shown, cluster)), ...flags], { cwd });
    t.strictSame([code, stderr], [0, ''], line);
    return stdout;
  };
  t.match(await command('cluster init'), /^Created a cluster in postgres:\/\/maps@/);
  const flags = ['--lease', '1s', '--write-timeout', '1'];
  const [owner, follower] = (await startNodes(t, { cluster, count: 2, flags })) as [ClusterNode, ClusterNode];
  const key = await owner.firstKey();
  for (const node of [owner, follower]) await node.answers('/readyz', 200);

  const { status } = await ask({ url: follower.url, key }, 'POST', '/v1/projects', { name: 'Forwarded' });
  t.equal(status, 200);
  t.equal(await metric(owner, 'cluster_role', { role: 'owner' }), 1);
  t.equal(await metric(follower, 'cluster_role', { role: 'following' }), 1);
  t.ok((await metric(owner, 'cluster_append_duration_seconds_count')) as number);
  t.ok(((await metric(owner, 'cluster_lease_seconds')) as number) > 0);
  t.equal(await metric(follower, 'cluster_lease_seconds'), 0);
  t.equal(await metric(follower, 'cluster_forwards_total'), 1);
  const lsn = await metric(owner, 'cluster_lsn');
  await until('copied', async () => (await metric(follower, 'cluster_lsn')) === lsn);
  await until('no lag', async () => (await metric(follower, 'cluster_lag_records')) === 0);
  const all = await Promise.all([owner, follower].map(families));
  t.ok(all.every((each) => each.has('mapwright_build_info') && each.has('process_cpu_seconds_total')));
  t.strictSame(
    all.map((each) => each.get('mapwright_alarm')?.samples.filter(({ value }) => value !== 0)),
    [[], []],
  );
  t.strictSame(
    all.map((each) => each.get('mapwright_alarm')?.samples.some(({ labels }) => labels['name'] === 'disk_full')),
    [true, false],
    'a follower has no engine',
  );

  t.match(await command('cluster status'), /^Shard 0: record \d+, epoch \d+, owned by http/);
  // The entry of a node changes two seconds after its role, at most.
  const doctor = () => command('doctor', ['--port', '0']);
  await until('announced', async () => /^ok +nodes +.*\(owner, up to date\)/m.test(await doctor()));

  // Appends wait for the lock, renewals do not.
  const lock = await pair.primary.connect({ connectionString: pair.primary.url.replace(/postgres$/, 'maps') });
  await lock.query('BEGIN');
  await lock.query('SELECT 1 FROM mw_shard FOR UPDATE');
  const stalled = await ask({ url: follower.url, key }, 'POST', '/v1/projects', { name: 'Waits' });
  t.match(stalled, {
    status: 503,
    json: { code: 'storage_stalled', detail: /^The database of the server did not respond/ },
  });
  await until('append_stalled', async () => (await metric(owner, 'alarm', { name: 'append_stalled' })) === 1);
  t.equal(await metric(owner, 'alarm', { name: 'flush_stalled' }), 0);
  t.match((await ask(owner, 'GET', '/readyz')).json, { status: 'stalled', detail: /^append_stalled: the database / });
  await lock.query('ROLLBACK');
  await lock.end();
  await owner.answers('/readyz', 200);
  await until('no alarm', async () => (await metric(owner, 'alarm', { name: 'append_stalled' })) === 0);

  await pair.standby.kill();
  await until('standby_missing', async () => (await metric(owner, 'alarm', { name: 'standby_missing' })) === 1);
  t.equal(await metric(owner, 'alarm', { name: 'lease_lost' }), 1);
  t.match((await ask(owner, 'GET', '/readyz')).json, { status: 'stalled', detail: /^lease_lost: / });
  await pair.standby.start();
  const any = async (name: string) =>
    (await Promise.all([owner, follower].map((node) => metric(node, 'alarm', { name })))).includes(1);
  await until('no alarm', async () => !(await any('standby_missing')) && !(await any('lease_lost')));
  const ready = async (node: ClusterNode) => (await ask({ url: node.url, key }, 'GET', '/v1/projects')).status === 200;
  await until('answers', async () => (await ready(owner)) && (await ready(follower)));
  await pair.primary.pause();
  for (const node of [owner, follower])
    await until('database_away', async () => (await metric(node, 'alarm', { name: 'database_away' })) === 1);
  // The owner has sent a renewal meanwhile, whose answer never comes.
  await pair.primary.kill();
  await until('a failed renewal', async () => {
    const failed = await Promise.all([owner, follower].map((node) => metric(node, 'cluster_renewals_failed_total')));
    return failed.some((count) => (count as number) > 0);
  });
  t.match(owner.output + follower.output, /"alarm":"database_away","reason":"No host of the database can be used: /);
});
