/** Who may use the tools: API keys, with what they may do and no more; pages of other sites and other hosts may not. */
import http from 'node:http';
import t from 'tap';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';
import { type Answered, ask, signIn } from '../support/signed-in.ts';
import { agentOf, message } from './agent-client.ts';

const post = (mapwright: Mapwright, headers: Record<string, string>, body: unknown = message('tools/list')): Promise<Answered> =>
  ask(mapwright, 'POST', '/mcp', { body, headers: { accept: 'application/json, text/event-stream', ...headers } });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Arguments with which every tool would do something. */
const argumentsOf = (project: string, artboard: string, version: string): Record<string, Record<string, unknown>> => ({
  find: { project },
  read: { project },
  change: { project, operations: [{ method: 'PATCH', path: '/', body: { name: 'Changed' } }] },
  import: { project, text: 'name,lat,lon\nA,1,2', dry_run: false, artboard },
  evaluate: { project },
  problems: { project },
  picture: { project },
  publish: { project },
  versions: { project, action: 'restore', version },
});

t.test('a key for reading sees no tool that writes, and calls none', async (t) => {
  const mapwright = await startMapwright(t);
  const { id: project, artboards } = (await mapwright.post('/projects', { name: 'Map', artboards: [{}] })).shown;
  const [{ id: artboard } = { id: '' }] = artboards as { id: string }[];
  const { id: version } = (await mapwright.post(`/projects/${project}/versions`, { name: 'v' })).shown;
  const { key } = await mapwright.server.createKey('ann', { readOnly: true });
  const { client, call } = await agentOf(t, mapwright, key);
  const { tools } = await client.listTools();
  t.strictSame(
    tools.map(({ name }) => name),
    ['find', 'read', 'evaluate', 'problems', 'picture', 'versions'],
  );
  t.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true && annotations.destructiveHint === false));
  t.notMatch(JSON.stringify(tools.find(({ name }) => name === 'versions')), /restore/);
  const before = (await mapwright.get(`/projects/${project}`)).text;
  for (const [name, args] of Object.entries(argumentsOf(project, artboard, version))) {
    const isSeen = tools.some((tool) => tool.name === name);
    if (isSeen && name !== 'versions') t.equal((await call(name, args)).error, undefined, name);
    else if (isSeen) t.match((await call(name, args)).error, { status: 400 }, name);
    else await t.rejects(client.callTool({ name, arguments: args }), { code: -32602 }, name);
  }
  t.equal((await mapwright.get(`/projects/${project}`)).text, before);
  t.equal((await mapwright.get(`/projects/${project}/versions`)).list.length, 1);
});

t.test('a key of one project reaches no other one, whatever a tool is asked', async (t) => {
  const mapwright = await startMapwright(t);
  const own = (await mapwright.post('/projects', { name: 'Own', artboards: [{}] })).shown;
  const other = (await mapwright.post('/projects', { name: 'Secret', artboards: [{}] })).shown;
  const [{ id: artboard } = { id: '' }] = other['artboards'] as { id: string }[];
  const { id: version } = (await mapwright.post(`/projects/${other.id}/versions`, { name: 'v' })).shown;
  const { key } = await mapwright.server.createKey('ann', { projects: [own.id] });
  const { client, call } = await agentOf(t, mapwright, key);
  t.match((await call('find')).data, [{ name: 'Own' }]);
  t.equal((await call('find')).data.length, 1);
  const before = (await mapwright.get(`/projects/${other.id}`)).text;
  for (const [name, args] of Object.entries(argumentsOf(other.id, artboard, version))) {
    const { error, data } = await call(name, args);
    t.match(error, { status: /^40[34]$/ }, name);
    t.notMatch(JSON.stringify(data), /Secret/);
  }
  const created = [
    { new_project: 'x', operations: [] },
    { new_project: 'x', text: 'name,lat,lon\nA,1,2', dry_run: false },
  ];
  t.match((await call('change', created[0])).error, { status: 403 });
  t.match((await call('import', created[1])).error, { status: 403 });
  await t.rejects(client.readResource({ uri: `mapwright://project/${other.id}` }), { code: -32602 });
  t.equal((await mapwright.get(`/projects/${other.id}`)).text, before);
  t.equal((await mapwright.get('/projects')).list.length, 2);
});

t.test('a key that is revoked or over its rate is refused, also within a call', async (t) => {
  const mapwright = await startForRequests(t);
  t.equal((await post(mapwright, {})).status, 401);
  t.equal((await post(mapwright, bearer('mw_wrong'))).status, 401);
  const { key, id } = await mapwright.server.createKey('ann', { rate: '3/h' });
  const { id: project } = (await mapwright.post('/projects', { name: 'Map' })).shown;
  // One for the request, and two of the five that the outline needs.
  const body = message('tools/call', { name: 'read', arguments: { project } });
  const limited = await post(mapwright, bearer(key), body);
  t.match(limited.bytes.toString(), /"status":429/);
  t.match(limited.bytes.toString(), /"retry_after":\d+/);
  t.equal((await post(mapwright, bearer(key), body)).status, 429);
  await mapwright.server.revokeKey(id);
  t.equal((await post(mapwright, bearer(key), body)).status, 401);
});

t.test("a browser's session and a program without a key are refused", async (t) => {
  const mapwright = await startForRequests(t);
  const owner = await signIn(mapwright);
  const refused = await post(mapwright, owner.headers as Record<string, string>);
  t.match(refused, { status: 403, json: { detail: /API key/ } });
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const init = { method: 'POST', body: JSON.stringify(message('tools/list')), headers };
  t.equal((await mapwright.server.fetch('/mcp', { ...init, account: 'ann' })).status, 403);
  t.equal((await mapwright.server.fetch('/mcp', { ...init, headers: { ...headers, ...bearer(mapwright.key) } })).status, 200);
});

t.test('pages of other sites are refused, and hosts that are not those of the server', async (t) => {
  const options = { cors: ['https://studio.example'], publicUrl: 'https://maps.example/maps' };
  const mapwright = await startForRequests(t, options);
  const status = async (headers: Record<string, string>) =>
    (await post(mapwright, { ...bearer(mapwright.key), ...headers })).status;
  const own = `127.0.0.1:${mapwright.port}`;
  t.equal(await status({ origin: `http://${own}` }), 200);
  t.equal(await status({ origin: 'https://studio.example' }), 200);
  t.equal(await status({ origin: 'https://maps.example' }), 200);
  for (const origin of [
    'https://evil.example',
    'null',
    `http://127.0.0.1:${mapwright.port + 1}`,
    'https://maps.example.evil',
    `ftp://${own}`,
    `http://x@${own}`,
  ])
    t.equal(await status({ origin }), 403, origin);
  for (const host of ['localhost', `localhost:${mapwright.port}`, '[::1]:80', 'maps.example'])
    t.equal(await status({ host }), 200, host);
  for (const host of ['evil.example', `evil.example:${mapwright.port}`, '127.0.0.1.evil.example', 'localhost.evil'])
    t.equal(await status({ host }), 403, host);
  // What a page sees after its name was made to point here.
  t.equal(await status({ host: 'evil.example', origin: 'http://evil.example' }), 403);
});

t.test('--no-mcp leaves nothing of it', async (t) => {
  const mapwright = await startForRequests(t, { mcp: false });
  t.equal((await post(mapwright, bearer(mapwright.key))).status, 404);
});

t.test('messages that are none are refused, and the server goes on', async (t) => {
  const mapwright = await startForRequests(t);
  const headers = bearer(mapwright.key);
  const statuses = async (body: unknown, more = {}) => (await post(mapwright, { ...headers, ...more }, body)).status;
  for (const body of [
    '',
    '{',
    '[]',
    '"x"',
    '{"a":1,"a":2}',
    '\ufeff{}',
    `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(100_000)}"}`,
  ])
    t.ok([400, 404, 200].includes(await statuses(body)), body.slice(0, 40));
  t.equal(await statuses('{}', { 'content-type': 'text/plain' }), 415);
  t.equal(await statuses(JSON.stringify({ x: 'y'.repeat(12 * 1024 * 1024) })), 413);
  for (const method of ['GET', 'DELETE', 'PUT']) t.equal((await ask(mapwright, method, '/mcp', { headers })).status, 405, method);
  t.equal((await ask(mapwright, 'POST', '/mcp?x=1', { headers, body: message('tools/list') })).status, 400);
  t.match((await post(mapwright, headers, message('subscriptions/listen'))).json, { error: { code: -32601 } });
  for (const args of [null, [], 'x', { name: 'find', arguments: [] }, { name: 'find', arguments: { text: 5 } }, { name: {} }])
    t.ok(
      [200, 400].includes((await post(mapwright, headers, message('tools/call', args as object))).status),
      JSON.stringify(args),
    );
  const { call } = await agentOf(t, mapwright, mapwright.key);
  t.strictSame(await call('find'), { data: [] });
});

t.test('an import whose agent is gone writes nothing', async (t) => {
  const mapwright = await startForRequests(t);
  const rows = Array.from({ length: 20_000 }, (_, i) => `P${i},${(i % 80) / 10},${i / 1000}`);
  const args = { text: `name,lat,lon\n${rows.join('\n')}`, new_project: 'Late', dry_run: false };
  const body = JSON.stringify(message('tools/call', { name: 'import', arguments: args }));
  const headers = { ...bearer(mapwright.key), accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const req = http.request({ host: '127.0.0.1', port: mapwright.port, method: 'POST', path: '/mcp', headers });
  await new Promise<void>((resolve) => {
    req.on('error', () => undefined);
    req.on('close', resolve);
    req.on('finish', () => req.destroy());
    req.end(body);
  });
  // It runs after the one that was given up.
  const { call } = await agentOf(t, mapwright, mapwright.key);
  t.match((await call('import', { text: 'name,lat,lon\nA,1,2', new_project: 'Next', dry_run: false })).data, { created: 1 });
  t.match((await call('find')).data, [{ name: 'Next' }]);
  t.equal((await call('find')).data.length, 1);
});
