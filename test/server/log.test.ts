/** The log: the members of its lines, state changes and errors, and no key. */
import path from 'node:path';
import t from 'tap';
import { createServer } from '../../src/index.ts';
import { jsonLog } from '../../src/server/telemetry/json-log.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { startMapwright } from '../support/mapwright.ts';
import { Command, must, serve, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

type Line = Readonly<Record<string, unknown>>;

const flags = ['--segment-mb', '1'];
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

t.test('a request log line has account, key, path and status', async (t) => {
  const { log, logged } = recordingLog();
  const mapwright = await startMapwright(t, { log, logRequests: true });
  const { key, id } = await mapwright.server.createKey('bob');
  const { id: project } = (await mapwright.post('/projects', {}, { key, headers: { 'x-request-id': 'made' } })).shown;
  await mapwright.get(`/projects/${project}?fields=name`, { key, headers: { 'x-request-id': 'read' } });
  await mapwright.get(`/projects/${project}`, { headers: { 'x-request-id': 'not-theirs' } });
  await mapwright.get('/projects', { key: 'nonsense', headers: { 'x-request-id': 'nobody' } });
  await mapwright.ask('GET', '/healthz', { key: '', headers: { 'x-request-id': 'probe' } });
  await mapwright.close();
  const lines = logged.filter(([, , message]) => message === 'request');
  t.ok(lines.every(([level]) => level === 'info'));
  const bob = { account: 'bob', key: id };
  const nobody = { account: '', key: '' };
  const one = { route: '/projects/:project_id', path: `/v1/projects/${project}`, complete: true };
  t.match(
    lines.map(([, fields]) => fields),
    [
      { requestId: 'made', ...bob, method: 'POST', route: '/projects', path: '/v1/projects', status: 200, durationMs: Number },
      { requestId: 'read', ...bob, method: 'GET', ...one, status: 200 },
      { requestId: 'not-theirs', account: 'ann', method: 'GET', ...one, status: 404 },
      { requestId: 'nobody', ...nobody, method: 'GET', route: '/projects', path: '/v1/projects', status: 401 },
      { requestId: 'probe', ...nobody, route: '/healthz', status: 200 },
    ],
  );
  t.equal(lines.length, 5);
  t.notMatch(JSON.stringify(lines), /fields|nonsense/, 'neither a query nor a key');
});

t.test('the log line of a client that disconnects has no status', async (t) => {
  const { log, logged } = recordingLog();
  const mapwright = await startMapwright(t, { log, logRequests: true });
  const { default: net } = await import('node:net');
  const socket = net.connect(mapwright.port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const auth = `authorization: Bearer ${mapwright.key}`;
  await new Promise((resolve) =>
    socket.write(`POST /v1/projects HTTP/1.1\r\nhost: x\r\n${auth}\r\ncontent-length: 9\r\n\r\n{`, resolve),
  );
  const inFlight = async () =>
    Number(/^mapwright_http_requests_in_flight (\d+)$/m.exec((await mapwright.ask('GET', '/metrics')).text)?.[1]);
  while ((await inFlight()) < 2);
  socket.destroy();
  while ((await inFlight()) > 1);
  const gone = logged.filter(([, fields]) => fields['method'] === 'POST');
  t.match(gone, [['info', { account: 'ann', route: '/projects', status: 0, complete: false }, 'request']]);
});

t.test('a malformed request has a log line with the request id of its response', async (t) => {
  const { log, logged } = recordingLog();
  const mapwright = await startMapwright(t, { log, logRequests: true });
  const { default: net } = await import('node:net');
  const socket = net.connect(mapwright.port, '127.0.0.1');
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  socket.write('NONSENSE\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  const id = /^X-Request-Id: (\S+)/m.exec(text)?.[1];
  t.match(logged.at(-1), ['info', { requestId: id, status: 400, reason: 'bad_request' }, 'unreadable request']);
});

t.test('without --log-requests the log has the work of the server and no requests', async (t) => {
  const { log, logged } = recordingLog();
  const mapwright = await startMapwright(t, { log });
  const { server, data } = mapwright;
  await mapwright.post('/projects', {});
  await server.snapshot();
  const { path: file } = await server.backup(path.join(path.dirname(data), 'one.backup'));
  const { id } = await server.createKey('ann');
  await server.rotateKey(id, { overlap: '1h' });
  await server.limitKey(id, '5/s');
  await server.revokeKey(id);
  await server.setLimits('ann', { projects: 5 });
  await server.renameAccount('ann', 'anna');
  await server.deleteAccount('anna');
  await mapwright.close();
  t.match(logged, [
    [
      'info',
      { version: /^\d/, node: process.version, pid: process.pid, folder: data, accounts: 0, records: 0, ms: Number },
      'started',
    ],
    ['info', { url: `http://127.0.0.1:${mapwright.port}` }, 'listening'],
    ['info', { key: String, accountId: String, access: 'write' }, 'key created'],
    ['info', { lsn: 2, records: 2 }, 'snapshot written'],
    ['info', { path: file, lsn: 2, bytes: Number, ms: Number }, 'backup written'],
    ['info', { key: id }, 'key created'],
    ['info', { key: id, successor: String }, 'key rotated'],
    ['info', { key: id, rate: '5/s' }, 'key limited'],
    ['info', { key: id }, 'key revoked'],
    ['info', { projects: 5 }, 'account limited'],
    ['info', { from: 'ann', to: 'anna' }, 'account renamed'],
    ['info', { name: 'anna', projects: 1 }, 'account deleted'],
    ['info', { requests: 0 }, 'draining'],
    ['info', { uptimeS: Number }, 'stopped'],
  ]);
});

t.test('a server logs through a given pino logger, or as JSON lines without one', async (t) => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const data = path.join(temporaryFolder(t), 'data');
  const server = await createServer({ data, log: jsonLog('info', stream) });
  const { key } = await server.createKey('ann');
  await server.close();
  t.match(linesOf(lines.join('')), [{ level: 30, time: Number, msg: 'started' }, {}, {}, { msg: 'stopped' }]);
  jsonLog('warn', stream).error({ err: new Error(`no ${key} here`), at: [key] }, `nor ${key} there`);
  t.match(lines.at(-1), /"msg":"nor mw_\.\.\. there"/);
  t.notMatch(lines.join(''), key.slice(3, 30), 'whatever a line is made of');
  t.equal(lines.length, 5);
  jsonLog('silent', stream).error({}, 'nothing');
  jsonLog('fatal', stream).error({}, 'nothing');
  jsonLog('fatal', stream).fatal?.({}, 'the end');
  t.match(linesOf(lines.slice(5).join('')), [{ level: 60, msg: 'the end' }]);
});

t.test('no output of the process contains a key, wherever it was sent', async (t) => {
  for (const pretty of ['--log-pretty', '--no-log-pretty']) {
    const server = await serve(t, temporaryFolder(t), [...flags, '--log-requests', '--log-level', 'trace', pretty]);
    const { key, url } = server;
    const [, ...bare] = key.split('_');
    const encoded = encodeURIComponent(key).replaceAll('_', '%5F').replace('m', '%6d');
    await must(server, 'POST', '/projects', { name: key });
    for (const target of [`/v1/projects/${key}`, `/v1/projects/${encoded}`, `/v1/projects?name=${key}`, `/${key}`])
      await ask(server, 'GET', target);
    for (const name of ['authorization', 'x-request-id', 'traceparent', 'cookie', 'x-api-key', 'user-agent', 'referer'])
      await (await fetchDescribed(`${url}/v1/projects/x`, { headers: { [name]: key } })).text();
    const { stderr, stdout } = await server.end('SIGTERM');
    t.equal(stdout.split(key).length, 3, 'it is shown once, and in the example, on stdout');
    t.ok(stderr.split('\n').length > 12, 'requests are logged');
    t.notMatch(stderr, bare.join('_').slice(13, 40));
  }
});

test.all('--log-level and --log-pretty select the level and the form of the log', async (t) => {
  const ended = async (...args: string[]) => {
    const server = await serve(t, temporaryFolder(t), [...flags, ...args]);
    await ask(server, 'GET', '/v1/projects');
    return (await server.end('SIGTERM')).stderr;
  };
  t.strictSame(
    linesOf(await ended('--log-requests', '--no-console')).map(({ msg }) => msg),
    ['started', 'listening', 'key created', 'request', 'draining', 'stopped'],
  );
  t.equal(await ended('--log-requests', '--log-level', 'warn'), '');
  t.equal(await ended('--log-level', 'silent'), '');
  const pretty = await ended('--log-requests', '--log-pretty');
  t.match(pretty, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: listening \{"url":"http:/m);
  t.match(
    pretty,
    /INFO: GET \/v1\/projects 200 [\d.]+ ms \{"requestId":"[^"]+","address":"127\.0\.0\.1","account":"default","key":"\w+"\}$/m,
  );
  const wrong = await new Command(['serve', '--log-level', 'loud', '--data', temporaryFolder(t)]).ended;
  t.equal(wrong.code, 2);
  t.match(wrong.stderr, /--log-level must be trace, debug, info, warn, error, fatal or silent\./);
});
