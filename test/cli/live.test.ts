// tier: normal
/** `mapwright evaluate` and `mapwright demo --live`, run as commands against real servers. */
import fs from 'node:fs';
import path from 'node:path';
import t, { type Test } from 'tap';
import { ask, type Json } from '../support/client.ts';
import { Command, must, run, serve, temporaryFolder } from '../support/process.ts';
import { type ServedHere, serveHere } from '../support/serve-here.ts';

t.setTimeout(600_000);

const environmentOf = ({ url, key }: Pick<ServedHere, 'url' | 'key'>) => ({ MAPWRIGHT_URL: url, MAPWRIGHT_KEY: key });

/** A project with a room whose colour follows a number, and one variable that refers to a name that does not exist. */
async function world(t: Test) {
  const server = await serveHere(t);
  const project = await must(server, 'POST', '/projects', { name: 'Rooms', artboards: [{ objects: [{ type: 'poly' }] }] });
  const { results } = await must(server, 'POST', `/projects/${project.id}/batch`, {
    operations: [
      { method: 'POST', path: '/data-sources', body: { name: 'Sensors' }, as: 'sensors' },
      {
        method: 'POST',
        path: '/variables',
        body: {
          ...{ name: 'Taken', type: 'primitive', data_source_id: '{sensors}' },
          data_path: { nodes: [{ id: 'a', key: 'taken' }], node_id: 'a' },
        },
        as: 'taken',
      },
      { method: 'POST', path: '/variables', body: { name: 'Double', type: 'expression', expression: '{Taken} * 2' } },
      { method: 'POST', path: '/variables', body: { name: 'Wrong', type: 'expression', expression: '{Nothing} + 1' } },
    ],
  });
  const [source] = results.map(({ body }: Json) => body.id);
  return { server, id: project.id as string, source: source as string, env: environmentOf(server) };
}

t.test('evaluate prints values, changes and problems of the newest responses', async (t) => {
  const { server, id, source, env } = await world(t);
  await must(server, 'PUT', `/projects/${id}/data-sources/${source}/response`, { taken: 21 });
  const { code, stdout, stderr } = await run(['evaluate', id], { env });
  t.strictSame([code, stderr], [0, '']);
  t.match(stdout, /│ Taken +│ primitive +│ 21 +│/);
  t.match(stdout, /│ Double +│ expression +│ 42 +│/);
  t.match(stdout, /│ Wrong +│ expression +│ none +│/);
  t.match(stdout, 'It changes 0 objects and 0 popups, and creates 0 objects. 1 problem.');
  t.match(stdout, /│ variable "Wrong" +│ .*Nothing/);
  t.match(stdout, '/variables/2/expression');
});

t.test('evaluate takes responses by name or identifier from a file, and prints everything with --json', async (t) => {
  const { id, source, env } = await world(t);
  const cwd = temporaryFolder(t);
  for (const key of ['Sensors', source]) {
    fs.writeFileSync(path.join(cwd, 'given.json'), JSON.stringify({ [key]: { taken: 4 } }));
    const { code, stdout } = await run(['evaluate', id, '--responses', 'given.json', '--json'], { env, cwd });
    t.equal(code, 0);
    const { values, problems } = JSON.parse(stdout);
    t.strictSame(Object.values(values), [4, 8], key);
    t.match(problems, [{ resource: { kind: 'variable' }, pointer: '/variables/2/expression', detail: /Nothing/ }]);
  }
});

t.test('evaluate prints no character that a terminal obeys', async (t) => {
  const { server, id, source, env } = await world(t);
  await must(server, 'PUT', `/projects/${id}/data-sources/${source}/response`, { taken: 'red \u001b[31m\u0007 text\u009b' });
  const { stdout } = await run(['evaluate', id], { env });
  t.match(stdout, 'red �[31m� text�');
  t.notMatch(stdout, /[^\P{Cc}\n]/u);
});

t.test('evaluate refuses a file that has no responses of the project, and says what it should have', async (t) => {
  const { id, env } = await world(t);
  const cwd = temporaryFolder(t);
  const refusal = async (text: string) => {
    fs.writeFileSync(path.join(cwd, 'given.json'), text);
    const { code, stderr } = await run(['evaluate', id, '--responses', 'given.json'], { env, cwd });
    t.equal(code, 2, text);
    return stderr;
  };
  t.match(await refusal('{'), /^given\.json is not JSON: .*such as \{"Occupancy"/);
  t.match(await refusal('[]'), /^given\.json has no responses/);
  t.match(await refusal('{"Sensor":1}'), /"Sensor" in given\.json: .* no data source .*Its data sources are "Sensors" \(/);
  t.match(await run(['evaluate', id, '--responses', 'none.json'], { env, cwd }), {
    code: 1,
    stderr: /none\.json does not exist/,
  });
  t.match(await run(['evaluate', id, '--now', 'yesterday'], { env, cwd }), { code: 1, stderr: /now/ });
  t.match(await run(['evaluate', 'nothing'], { env, cwd }), { code: 1, stderr: /List your projects with: curl/ });
});

t.test('demo --live loads the office, pushes into it until Ctrl-C, and goes on with --project', async (t) => {
  const server = await serve(t, temporaryFolder(t));
  const env = environmentOf(server);
  const demo = new Command(['demo', '--live'], { env });
  t.teardown(() => demo.end('SIGKILL'));
  const [, id = ''] = await demo.printed(/office\.json as (\S+)\.\n[\s\S]*Ctrl-C ends the simulation\./);
  t.match(demo.stdout, `npx mapwright console ${id} --open`);
  await pushed(server, id);
  const { created, problems } = await must(server, 'POST', `/projects/${id}/evaluate`);
  t.ok(created.length > 0);
  t.strictSame(problems, []);
  const { code, stdout, stderr } = await demo.end('SIGINT');
  t.strictSame([code, stderr], [0, '']);
  t.match(stdout, `To go on: npx mapwright demo --live --project ${id}\n`);
  const again = new Command(['demo', '--live', '--project', id], { env });
  t.teardown(() => again.end('SIGKILL'));
  await again.printed(/Ctrl-C ends/);
  t.equal((await must(server, 'GET', '/projects')).length, 1, 'no second office');
  // The server goes away under it, between two requests or during one.
  await server.end('SIGTERM');
  const gone = /Start one with: npx mapwright serve|closed the connection without a response/;
  t.match(await again.ended, { code: 1, stderr: gone });
});

/** Waits until each data source of a project has a response. */
async function pushed(server: Pick<ServedHere, 'url' | 'key'>, id: string): Promise<void> {
  const sources: Json[] = await must(server, 'GET', `/projects/${id}/data-sources`);
  for (const { id: source } of sources)
    while ((await ask(server, 'GET', `/v1/projects/${id}/data-sources/${source}/response`)).status === 404);
}

t.test('demo --live refuses a project that is no office, and a server that evaluates nothing', async (t) => {
  const { server, id, env } = await world(t);
  t.match(await run(['demo', '--live', '--project', id], { env }), {
    ...{ code: 2, stdout: '' },
    stderr: /is no office of the examples: it has no data source "Occupancy", "Bookings"/,
  });
  t.match(await run(['demo', '--project', id], { env }), { code: 2, stderr: /--project needs --live/ });
  await server.close();
  const still = await serveHere(t, { live: false });
  t.match(await run(['demo', '--live'], { env: environmentOf(still) }), { code: 1, stderr: /--no-live/ });
});
