// tier: normal, process: own
/**
 * An owner that is stopped until another node owns the data, and then resumes, answers nothing from its old state: every status that the API has
 * is provoked on it. At first the database does not answer it, so that it cannot know of the other owner: the only answer is then 503.
 */
import net from 'node:net';
import t from 'tap';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { until } from '../support/until.ts';
import { type Answer, ownerOf, send, startCluster } from './support/cluster.ts';
import type { ClusterNode } from './support/nodes.ts';
import type { Postgres } from './support/postgres.ts';
import { startProxy, type TcpProxy } from './support/tcp-proxy.ts';

t.setTimeout(180_000);

interface Provocation {
  readonly status: number;
  readonly method: string;
  readonly route: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly key?: 'main' | 'readOnly';
}

/** Requests of a second. */
const rate = 10;

t.test('a former owner never answers with stale data', async (t) => {
  const proxies: TcpProxy[] = [];
  const urls = async (pair: Postgres) => {
    for (const { port } of pair.servers) proxies.push(await startProxy(t, port));
    return [`postgres://postgres@${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`, pair.urls];
  };
  const cluster = await startCluster(t, {
    urls,
    count: 2,
    flags: ['--heartbeat', '0.2', '--lease', '1s', '--body-mb', '1', '--write-timeout', '2'],
  });
  const [owner, other] = cluster.nodes as [ClusterNode, ClusterNode];
  t.equal(await ownerOf(cluster), owner);
  const admin = async <T>(node: ClusterNode, verb: Parameters<typeof askServer>[1], args: object): Promise<T> =>
    (await askServer(node.data, verb, args as never)) as T;
  const make = (node: ClusterNode, account: string, readOnly = false) =>
    admin<{ id: string; key: string }>(node, 'keys.create', { account, readOnly });
  const keys = { main: await make(owner, 'one'), readOnly: await make(owner, 'one', true) };
  const limited = await make(owner, 'limited');
  await admin(owner, 'keys.limit', { id: limited.id, rate: `${rate}/s` });
  const full = await make(owner, 'full');
  await admin(owner, 'accounts.limit', { name: 'full', projects: 1 });

  const must = async (method: string, route: string, body: unknown, headers = {}): Promise<Answer> => {
    const answer = await send(owner, keys.main.key, method, `/v1${route}`, body, { headers });
    if (answer.status !== 200) throw new Error(`${method} ${route}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const made = await must('POST', '/projects', { name: 'before', artboards: [{ name: 'a' }, { name: 'b' }] });
  const { id, artboards } = JSON.parse(made.text) as { id: string; artboards: { id: string }[] };
  const [a, b] = artboards.map((artboard) => artboard.id) as [string, string];
  await must('POST', `/projects/${id}/artboards/${a}/objects`, { type: 'spot', click_action_artboard_id: b });
  await must('POST', '/projects', { name: 'first' }, { 'idempotency-key': '"used"' });
  await send(owner, full.key, 'POST', '/v1/projects', { name: 'only' });
  const { etag = '' } = (await must('GET', `/projects/${id}`, undefined)).headers;

  const project = `/v1/projects/${id}`;
  const json = { 'content-type': 'application/json' };
  const provocations: Provocation[] = [
    { status: 200, method: 'GET', route: project },
    { status: 200, method: 'GET', route: '/v1/projects' },
    { status: 200, method: 'HEAD', route: project },
    { status: 200, method: 'POST', route: '/v1/projects', body: { name: 'late' } },
    { status: 200, method: 'PATCH', route: project, body: { name: 'late' }, headers: { 'if-match': '*' } },
    { status: 200, method: 'POST', route: '/v1/projects', body: { name: 'first' }, headers: { 'idempotency-key': '"used"' } },
    { status: 304, method: 'GET', route: project, headers: { 'if-none-match': etag } },
    { status: 400, method: 'POST', route: '/v1/projects', body: { nmae: 'x' } },
    { status: 400, method: 'GET', route: `${project}/popups?limit=none` },
    { status: 403, method: 'POST', route: '/v1/projects', body: {}, key: 'readOnly' },
    { status: 404, method: 'GET', route: '/v1/projects/01a206e9-c624-74d7-929f-1af47d7af0fb' },
    { status: 404, method: 'DELETE', route: `${project}/popups/01a206e9-c624-74d7-929f-1af47d7af0fb` },
    { status: 405, method: 'PUT', route: '/v1/projects', headers: json },
    { status: 409, method: 'DELETE', route: `${project}/artboards/${b}?strict=true` },
    { status: 412, method: 'PATCH', route: project, body: { name: 'x' }, headers: { 'if-match': '"none"' } },
    { status: 413, method: 'POST', route: '/v1/projects', body: { name: 'x'.repeat(1_100_000) } },
    { status: 415, method: 'POST', route: '/v1/projects', body: {}, headers: { 'content-type': 'text/plain' } },
    { status: 422, method: 'POST', route: '/v1/projects', body: { name: 'other' }, headers: { 'idempotency-key': '"used"' } },
  ];
  const provoke = ({ method, route, body, headers = {}, key = 'main' }: Provocation): Promise<Answer> =>
    send(owner, keys[key].key, method, route, body, { headers });
  const provokeQuota = () => send(owner, full.key, 'POST', '/v1/projects', { name: 'more' });

  // They provoke what they say, changes aside.
  for (const provocation of provocations.filter(({ route, body }) => !JSON.stringify({ route, body }).includes('late'))) {
    const { status, text } = await provoke(provocation);
    t.equal(status, provocation.status, `${provocation.method} ${provocation.route}: ${text.slice(0, 200)}`);
  }
  t.equal((await provokeQuota()).status, 403);
  const burst = () => Promise.all(Array.from({ length: 3 * rate }, () => send(owner, limited.key, 'GET', '/v1/projects')));
  t.ok((await burst()).some(({ status }) => status === 429));

  const stream = net.connect(owner.port, '127.0.0.1');
  let streamed = '';
  stream.setEncoding('latin1').on('data', (piece: string) => {
    streamed += piece;
  });
  stream.on('error', () => undefined);
  stream.write(`GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${keys.main.key}\r\n\r\n`);
  await until('the stream has a heartbeat', () => /\n(id: ?\S+|:)\r?\n/.test(streamed.split('retry: 2000')[1] ?? ''));

  owner.pause();
  t.teardown(() => owner.isRunning && owner.resume());
  await until('another node owns the data', async () => (await ownerOf(cluster)) === other);
  await until('it writes', async () => {
    const { status } = await send(other, keys.main.key, 'PATCH', project, { name: 'after' });
    return status === 200;
  });
  await admin(other, 'keys.revoke', { id: keys.main.id });
  await admin(other, 'keys.revoke', { id: keys.readOnly.id });
  await admin(other, 'keys.revoke', { id: full.id });
  await admin(other, 'keys.revoke', { id: limited.id });
  const created = await make(other, 'one');

  const before = streamed;
  const asked = provocations.map(provoke);
  const quota = provokeQuota();
  const limitedAnswers = burst();
  const ready = send(owner, created.key, 'GET', '/readyz/owner');
  const unknown = send(owner, created.key, 'GET', project);
  for (const proxy of proxies) proxy.fault = { hold: 'both' };
  owner.resume();
  for (const [i, answer] of (await Promise.all(asked)).entries()) {
    const { method, route, status } = provocations[i] as Provocation;
    t.equal(answer.status, 503, `${method} ${route}, once ${status}: ${answer.status} ${answer.text.slice(0, 200)}`);
  }
  t.equal((await quota).status, 503, 'quota');
  const statuses = (await limitedAnswers).map(({ status }) => status);
  t.ok(
    statuses.every((status) => status === 503),
    `requests beyond the rate: ${[...new Set(statuses)]}`,
  );
  t.equal((await ready).status, 503, 'readiness of the owner');
  t.equal((await unknown).status, 503, 'a key that is new');
  for (const proxy of proxies) proxy.fault = 'pass';
  await until('the stream ends', () => stream.closed || stream.readableEnded || streamed.includes('the stream ends here'));
  const after = streamed.slice(before.length);
  t.notMatch(after, /\n(id|data|event):|(^|\n):\n/, `after it resumed: ${JSON.stringify(after)}`);
  stream.destroy();
  await until('it forwards', async () => (await send(owner, created.key, 'GET', project)).status === 200);
  t.equal((await send(owner, keys.main.key, 'GET', project)).status, 401, 'the revoked key');
});
