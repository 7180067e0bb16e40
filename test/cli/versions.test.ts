// tier: normal
/** `mapwright versions`, run as a command against real servers. */
import t, { type Test } from 'tap';
import type { Json } from '../support/client.ts';
import { must, run, serve, temporaryFolder } from '../support/process.ts';

t.setTimeout(600_000);

async function world(t: Test) {
  const server = await serve(t, temporaryFolder(t), []);
  const project = await must(server, 'POST', '/projects', { name: 'Rooms', artboards: [{ objects: [{ type: 'poly' }] }] });
  const id = project.id as string;
  const env = { MAPWRIGHT_URL: server.url, MAPWRIGHT_KEY: server.key };
  const versions = (...args: string[]) => run(['versions', id, ...args], { env });
  const list = async (): Promise<Json[]> => JSON.parse((await versions('--json')).stdout);
  return { server, id, versions, list };
}

t.test('versions keeps a state, lists all, newest first, and restores one', async (t) => {
  const { server, id, versions, list } = await world(t);
  t.match(await versions(), { code: 0, stdout: `npx mapwright versions ${id} --keep NAME` });
  const kept = await versions('--keep', 'first');
  t.strictSame([kept.code, kept.stderr], [0, '']);
  const [first] = await list();
  t.match(first, { name: 'first', kind: 'named', counts: { artboards: 1, objects: 1, files: 0 } });
  t.match(kept.stdout, `Kept as version ${first.id}: 1 artboard, 1 object, 0 files`);
  t.match(JSON.parse((await versions('--keep', 'second', '--json')).stdout), { name: 'second' });
  t.strictSame(
    (await list()).map(({ name }) => name),
    ['second', 'first'],
  );
  await must(server, 'PATCH', `/projects/${id}`, { name: 'Other' });
  const restored = await versions('--restore', first.id);
  t.strictSame([restored.code, restored.stderr], [0, '']);
  const [before] = await list();
  t.equal(before.kind, 'before-restore');
  t.match(restored.stdout, `"Rooms" is as in version ${first.id} again.`);
  t.match(restored.stdout, `To undo: npx mapwright versions ${id} --restore ${before.id}`);
  t.equal((await must(server, 'GET', `/projects/${id}`)).name, 'Rooms');
  t.match(JSON.parse((await versions('--restore', before.id, '--json')).stdout), { id, name: 'Other' });
  const { stdout } = await versions();
  t.match(stdout, /│ version +│ created +│ kind +│ name +│ content +│ size +│/);
  t.match(stdout, new RegExp(`│ ${first.id} +│ ${first.created} +│ named +│ first +│`));
});

t.test('versions says what is missing, and prints no character that a terminal obeys', async (t) => {
  const { versions } = await world(t);
  t.match(await versions('--restore', 'nothing'), { code: 1, stdout: '', stderr: /returned 404.*npx mapwright versions \S+$/m });
  await versions('--keep', 'red \u001b[31m');
  const { stdout } = await versions();
  t.match(stdout, 'red');
  t.notMatch(stdout, '\u001b');
});
