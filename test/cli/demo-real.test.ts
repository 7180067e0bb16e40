/** The examples in a real server: loaded by `mapwright demo`, and after a kill every answer is the same, byte for byte. */
import t from 'tap';
import { ask } from '../support/client.ts';
import { run, type Served, serve, temporaryFolder } from '../support/process.ts';

t.setTimeout(120_000);

/** Every address with something behind it, and what it answers. */
async function everything(server: Served): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const get = async (route: string) => {
    const { status, text, json } = await ask(server, 'GET', `/v1${route}`);
    if (status !== 200) throw new Error(`GET ${route}: ${status}`);
    seen.set(route, text);
    return json;
  };
  for (const project of await get('/projects')) {
    const at = `/projects/${project.id}`;
    await get(at);
    for (const name of ['popups', 'data-sources', 'variables', 'actions']) {
      const members = await get(`${at}/${name}`);
      for (const { id } of sample(members)) await get(`${at}/${name}/${id}`);
      if (members.length > 1) await get(`${at}/${name}?limit=1`);
    }
    for (const artboard of await get(`${at}/artboards`)) {
      await get(`${at}/artboards/${artboard.id}`);
      const objects = await get(`${at}/artboards/${artboard.id}/objects`);
      for (const { id } of sample(objects)) await get(`${at}/artboards/${artboard.id}/objects/${id}`);
      await get(`${at}/artboards/${artboard.id}/objects?limit=100&fields=name,coords`);
    }
  }
  return seen;
}

/** All of a few; of many, some from everywhere. */
function sample(members: readonly { id: string }[]): { id: string }[] {
  const step = Math.max(1, Math.floor(members.length / 25));
  return members.filter((_, i) => i % step === 0);
}

t.test('every example, loaded and read, survives a kill: from the log, and from a snapshot', async (t) => {
  const folder = temporaryFolder(t);
  let server = await serve(t, folder);
  const { code, stdout, stderr } = await run(['demo', '--json', '--url', server.url], { env: { MAPWRIGHT_KEY: server.key } });
  t.equal(code, 0, stderr);
  const { projects } = JSON.parse(stdout);
  t.ok(projects.length >= 4);
  const before = await everything(server);
  t.ok(before.size > 200, `${before.size} addresses`);
  const same = async (what: string) => {
    await server.end('SIGKILL');
    server = await serve(t, folder, [], server.key);
    const after = await everything(server);
    t.strictSame([...after.keys()], [...before.keys()], `${what}: the same addresses`);
    const changed = [...before].filter(([route, text]) => after.get(route) !== text).map(([route]) => route);
    t.strictSame(changed, [], `${what}: the same bytes at each`);
  };
  await same('from the log');
  t.equal((await run(['snapshot', '--data', folder])).code, 0);
  await same('from a snapshot');
  t.match((await server.end('SIGTERM')).stdout, /Restored \d+ projects from snapshot \d+ and 0 records/);
});

t.test('without a server, or with a wrong key, it says what to do', async (t) => {
  const server = await serve(t, temporaryFolder(t), ['--segment-mb', '1']);
  const wrong = await run(['demo', '--url', server.url, '--key', 'mw_wrong']);
  t.equal(wrong.code, 1);
  t.match(wrong.stderr, /key/);
  await server.end('SIGTERM');
  const nobody = await run(['demo', '--url', server.url, '--key', server.key]);
  t.equal(nobody.code, 1);
  t.match(nobody.stderr, server.url);
  t.notMatch(nobody.stderr, server.key);
});
