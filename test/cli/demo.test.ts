// tier: all, process: own
/** The examples in a real server, loaded by `mapwright demo`: identical responses after a kill. */
import t from 'tap';
import { ask } from '../support/client.ts';
import { differences, everything } from '../support/everything.ts';
import { run, type Served, serve, temporaryFolder } from '../support/process.ts';

t.setTimeout(600_000);

/** All that the server's key can read, of large collections a part. */
const read = (server: Served) => everything((route) => ask(server, 'GET', `/v1${route}`), sample);

/** All of a few; of many, some from everywhere. */
function sample(members: readonly { readonly id: string }[]) {
  const step = Math.max(1, Math.floor(members.length / 25));
  return members.filter((_, i) => i % step === 0);
}

t.test('every example survives a kill, from the log and from a snapshot', async (t) => {
  const folder = temporaryFolder(t);
  let server = await serve(t, folder);
  const { code, stdout, stderr } = await run(['demo', '--json', '--url', server.url], { env: { MAPWRIGHT_KEY: server.key } });
  t.equal(code, 0, stderr);
  const { projects } = JSON.parse(stdout);
  t.ok(projects.length >= 4);
  for (const { id, name } of projects)
    t.strictSame((await ask(server, 'GET', `/v1/projects/${id}/problems`)).json, [], `${name}: every reference leads somewhere`);
  const before = await read(server);
  t.ok(before.size > 200, `${before.size} addresses`);
  const same = async (what: string) => {
    await server.end('SIGKILL');
    server = await serve(t, folder, [], server.key);
    const after = await read(server);
    t.strictSame(differences(before, after), [], `${what}: the same bytes everywhere`);
  };
  await same('from the log');
  t.equal((await run(['snapshot', '--data', folder])).code, 0);
  await same('from a snapshot');
  t.match((await server.end('SIGTERM')).stdout, /Restored \d+ projects from snapshot \d+ and 0 records/);
});

t.test('demo without a server or with a wrong key says what to do', async (t) => {
  const server = await serve(t, temporaryFolder(t), ['--segment-mb', '1']);
  const wrong = await run(['demo', '--url', server.url, '--key', 'mw_wrong']);
  t.equal(wrong.code, 1);
  t.match(wrong.stderr, /key/);
  await server.end('SIGTERM');
  const refused = await run(['demo', '--url', server.url, '--key', server.key]);
  t.equal(refused.code, 1);
  t.match(refused.stderr, server.url);
  t.notMatch(refused.stderr, server.key);
});
