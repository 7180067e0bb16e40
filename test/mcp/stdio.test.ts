// process: own
/** `mapwright mcp`: the same tools over standard input and output, by the official client. */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import t from 'tap';
import { startMapwright } from '../support/mapwright.ts';
import { projectRoot } from '../support/project.ts';
import { callOf, revisions } from './agent-client.ts';

const program = path.join(projectRoot(import.meta.dirname), 'dist/bin/mapwright.js');

for (const revision of Object.keys(revisions) as (keyof typeof revisions)[])
  t.test(`an agent works over standard input and output (${revision} revision)`, async (t) => {
    const mapwright = await startMapwright(t);
    const { key } = await mapwright.server.createKey('ann', { label: 'Desk' });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: revisions[revision] } });
    const env = { PATH: process.env['PATH'] ?? '', MAPWRIGHT_KEY: key, MAPWRIGHT_URL: `http://127.0.0.1:${mapwright.port}` };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }));
    t.teardown(() => client.close());
    const call = callOf(client);
    t.equal((await client.listTools()).tools.length, 9);
    const made = await call('import', { text: 'name,lat,lon\nA,52.5,13.4\n', new_project: 'Map', dry_run: false });
    t.match(made.data, { created: 1 });
    const { project } = made.data;
    const changed = await call('change', { project, operations: [{ method: 'PATCH', path: '/', body: { name: 'Map 2' } }] });
    t.equal(changed.version_before?.name, 'before agent Desk');
    t.match((await call('find')).data, [{ name: 'Map 2' }]);
    await mapwright.close();
    t.match((await call('find')).error, { status: 503, detail: /does not answer/ });
  });

t.test('without a key or a server, the command says what is missing', async (t) => {
  const run = (env: Record<string, string>) =>
    spawnSync(process.execPath, [program, 'mcp'], { input: '', encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
  const withoutKey = run({});
  t.equal(withoutKey.stdout, '');
  t.match(withoutKey.stderr, /needs an API key/);
  t.not(withoutKey.status, 0);
  const withoutServer = run({ MAPWRIGHT_KEY: 'mw_x', MAPWRIGHT_URL: 'http://127.0.0.1:9' });
  t.match(withoutServer, { stdout: '', stderr: /does not answer/, status: 1 });
});

t.test('calls are answered also if the input ends before, and a line has a limit', async (t) => {
  const mapwright = await startMapwright(t);
  const env = { PATH: process.env['PATH'], MAPWRIGHT_KEY: mapwright.key, MAPWRIGHT_URL: `http://127.0.0.1:${mapwright.port}` };
  const run = (lines: readonly object[]) =>
    new Promise<{ stdout: string; stderr: string; code: number | null }>((resolve) => {
      const child = spawn(process.execPath, [program, 'mcp'], { env });
      const read = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (bytes) => (read[name] += bytes));
      child.stdin.on('error', () => undefined);
      child.on('close', (code) => resolve({ ...read, code }));
      child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    });
  const clientInfo = { name: 'test', version: '1' };
  const hello = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  };
  const calls = Array.from({ length: 20 }, (_, i) => {
    const params = { name: 'change', arguments: { new_project: `Map ${i}`, operations: [] } };
    return { jsonrpc: '2.0', id: i + 1, method: 'tools/call', params };
  });
  const all = await run([hello, ...calls]);
  t.equal(all.code, 0);
  t.equal(all.stdout.trim().split('\n').length, 21);
  t.equal((await mapwright.get('/projects')).list.length, 20);
  const long = await run([hello, { jsonrpc: '2.0', id: 1, method: 'x'.repeat(13 * 1024 * 1024) }]);
  t.match(long, { code: 1, stderr: /longer than 12 MiB/ });
});

t.test('nothing of a key is printed, whatever it is', async (t) => {
  const key = 'mw_secret\nmw_other';
  const env = { PATH: process.env['PATH'], MAPWRIGHT_KEY: key, MAPWRIGHT_URL: 'http://127.0.0.1:9' };
  const { stderr, status } = spawnSync(process.execPath, [program, 'mcp'], { input: '', encoding: 'utf8', env });
  t.not(status, 0);
  t.notMatch(stderr, /secret|other/);
});
