/** `/metrics`: the format, the counters, no names of accounts or projects, and the option that turns it off. */
import path from 'node:path';
import parseText from 'parse-prometheus-text-format';
import t, { type Test } from 'tap';
import type { ServerOptions } from '../../src/index.ts';
import { durationBoundsS, Histogram } from '../../src/lib/observability/histogram.ts';
import { packageVersion } from '../../src/lib/package.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { parseExposition, sampleOf } from '../support/exposition.ts';
import { fetchDescribed } from '../support/fetch.ts';
import { serverOfTier } from '../support/mapwright.ts';
import { run, temporaryFolder } from '../support/process.ts';

async function served(t: Pick<Test, 'teardown'>, options: Partial<ServerOptions> = {}) {
  const data = path.join(temporaryFolder(t), 'data');
  const server = await serverOfTier({ data, log: recordingLog().log, segmentBytes: 1024 * 1024, ...options });
  t.teardown(() => server.close());
  const { url } = await server.listen(0);
  const { key } = await server.createKey('Anna Account');
  const scrape = async () => parseExposition((await ask({ url }, 'GET', '/metrics')).text);
  return { server, url, key, scrape };
}

t.test('/metrics has the format of Prometheus from the start and needs no key', async (t) => {
  const { url } = await served(t);
  const { status, headers, text } = await ask({ url }, 'GET', '/metrics');
  t.equal(status, 200);
  t.match(headers['content-type'], /^text\/plain; version=0\.0\.4/);
  const families = parseExposition(text);
  t.ok(families.size > 30);
  for (const [name, { samples }] of families) {
    t.ok(
      samples.every(({ value }) => Number.isFinite(value)),
      name,
    );
  }
  t.equal((await ask({ url }, 'HEAD', '/metrics')).status, 200);
  t.equal((await ask({ url }, 'POST', '/metrics')).status, 405);
});

t.test('another parser of the Prometheus format reads the same metrics', async (t) => {
  const { url, key } = await served(t);
  await ask({ url, key }, 'POST', '/v1/projects', {});
  const { text } = await ask({ url }, 'GET', '/metrics');
  const ours = parseExposition(text);
  const theirs = parseText(text);
  t.strictSame(
    theirs.map(({ name, type, help }) => [name, type.toLowerCase(), help]),
    [...ours.values()].map(({ name, type, help }) => [name, type, help]),
  );
  for (const { name, type, metrics } of theirs) {
    if (type === 'HISTOGRAM') continue;
    const values = ours.get(name)?.samples.map(({ value }) => value);
    t.strictSame(
      metrics.map(({ value }) => Number(value)),
      values,
      name,
    );
  }
});

t.test('requests are counted by route, method and status, with durations, and refusals by reason', async (t) => {
  const { url, key, scrape } = await served(t);
  const at = { url, key };
  const { json: project } = await ask(at, 'POST', '/v1/projects', { name: 'Secret Garden' });
  await ask(at, 'GET', `/api/v1/projects/${project.id}`);
  await ask(at, 'GET', `/v1/projects/${project.id}`);
  await ask(at, 'HEAD', `/v1/projects/${project.id}`);
  await ask(at, 'GET', '/v1/projects/nobody');
  await ask(at, 'PATCH', `/v1/projects/${project.id}`, { nome: '' });
  await ask({ url, key: 'mw_wrong' }, 'GET', '/v1/projects');
  await ask(at, 'GET', '/v1/elsewhere');
  const families = await scrape();
  const requests = (route: string, method: string, status: string) =>
    sampleOf(families, 'mapwright_http_requests_total', { route, method, status });
  t.equal(requests('/projects', 'POST', '200'), 1);
  t.equal(requests('/projects/:project_id', 'GET', '200'), 3, 'whatever the prefix; HEAD is a GET');
  t.equal(requests('/projects/:project_id', 'GET', '404'), 1);
  t.equal(requests('/projects/:project_id', 'PATCH', '400'), 1);
  t.equal(requests('/projects', 'GET', '401'), 1);
  t.equal(requests('other', 'other', '404'), 1);
  const route = { route: '/projects/:project_id', method: 'GET' };
  t.equal(sampleOf(families, 'mapwright_http_request_duration_seconds_count', route), 4);
  const sum = sampleOf(families, 'mapwright_http_request_duration_seconds_sum', route) ?? 0;
  t.ok(sum > 0 && sum < 60, 'in seconds');
  const refused = (status: string, reason: string) => sampleOf(families, 'mapwright_http_refusals_total', { status, reason });
  t.equal(refused('401', 'unauthorized'), 1, 'refused keys');
  t.equal(refused('404', 'not_found'), 2);
  t.equal(refused('400', 'validation_failed'), 1);
  t.equal(sampleOf(families, 'mapwright_http_requests_in_flight'), 1, 'this one');
  t.equal(sampleOf(families, 'mapwright_http_connections'), 1);
  const { text } = await ask({ url }, 'GET', '/metrics');
  for (const name of ['Anna', 'Secret', project.id, key, key.slice(0, 15), 'nobody', 'elsewhere']) t.notMatch(text, name);
});

t.test('a client that disconnects before its response is counted with the status "none"', async (t) => {
  const { url, key, scrape } = await served(t);
  const { default: net } = await import('node:net');
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  await new Promise((resolve) =>
    socket.write(`POST /v1/projects HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-length: 9\r\n\r\n{`, resolve),
  );
  for (let i = 0; i < 5; i++) await ask({ url }, 'GET', '/healthz');
  socket.destroy();
  const gone = { route: '/projects', method: 'POST', status: 'none' };
  for (let i = 0; i < 200 && sampleOf(await scrape(), 'mapwright_http_requests_total', gone) !== 1; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  t.equal(sampleOf(await scrape(), 'mapwright_http_requests_total', gone), 1);
});

t.test('a malformed request is counted as a refusal', async (t) => {
  const { url, scrape } = await served(t);
  const { default: net } = await import('node:net');
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  socket.resume().write('NONSENSE\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  t.equal(sampleOf(await scrape(), 'mapwright_http_refusals_total', { status: '400', reason: 'bad_request' }), 1);
});

t.test('/metrics has the journal, snapshots and the process', async (t) => {
  const { server, url, key, scrape } = await served(t);
  const first = await scrape();
  t.equal(sampleOf(first, 'mapwright_wal_durable_lsn'), 1);
  t.equal(sampleOf(first, 'mapwright_snapshot_lsn'), 0);
  t.equal(sampleOf(first, 'mapwright_snapshot_timestamp_seconds'), 0);
  for (let i = 0; i < 5; i++) await ask({ url, key }, 'POST', '/v1/projects', { name: 'x'.repeat(1000) });
  const before = Date.now() / 1000;
  await server.snapshot();
  const then = await scrape();
  const now = (name: string, labels = {}) => sampleOf(then, `mapwright_${name}`, labels) ?? Number.NaN;
  t.equal(now('wal_records_total'), 6);
  t.equal(now('wal_durable_lsn'), 6);
  t.ok(now('wal_frames_total') >= 6);
  t.ok(now('wal_written_bytes_total') >= 6 * 1024);
  t.equal(now('wal_sync_duration_seconds_count'), 6, 'one sync for each batch');
  t.ok(now('wal_syncs_total') >= 7, 'and those of the seal');
  t.equal(now('wal_queue_bytes'), 0);
  t.equal(
    ['none', 'making', 'ready', 'failed'].reduce((sum, state) => sum + now('wal_preallocation', { state }), 0),
    1,
  );
  t.equal(now('snapshots_total'), 1);
  t.equal(now('snapshot_lsn'), 6);
  t.ok(Math.abs(now('snapshot_timestamp_seconds') - before) < 60);
  t.ok(now('snapshot_last_duration_seconds') > 0);
  t.equal(now('snapshot_lag_segments'), 0);
  t.ok(now('memory_used_bytes') > 1_000_000);
  t.ok(now('memory_used_bytes') < now('memory_budget_bytes'));
  t.ok((sampleOf(then, 'process_cpu_seconds_total') ?? 0) > 0);
  t.ok((sampleOf(then, 'process_resident_memory_bytes') ?? 0) > 10_000_000);
  t.ok((sampleOf(then, 'nodejs_eventloop_lag_max_seconds') ?? -1) >= 0);
  await ask({ url, key }, 'GET', '/v1/projects');
  t.equal(sampleOf(await scrape(), 'mapwright_cache_bytes'), 0, 'a project holds others, and is not kept as one answer');
});

t.test('/metrics has batches, keys, caches and the build', async (t) => {
  const { url, key, server, scrape } = await served(t);
  const at = { url, key };
  const first = await scrape();
  const was = (name: string, labels = {}) => sampleOf(first, `mapwright_${name}`, labels);
  t.equal(was('build_info', { version: packageVersion(), node: process.version }), 1);
  t.strictSame([was('accounts'), was('projects')], [1, 0]);
  const reasons = ['malformed', 'unknown', 'expired', 'revoked', 'read-only', 'other-project'];
  t.strictSame(
    reasons.map((reason) => was('key_refusals_total', { reason })),
    reasons.map(() => 0),
    'also before there was any: a rate begins at something',
  );
  t.ok((was('cache_limit_bytes', { cache: 'json' }) ?? 0) > (was('cache_limit_bytes', { cache: 'compressed' }) ?? 0));

  const { json: project } = await ask(at, 'POST', '/v1/projects', {});
  const popups = `/v1/projects/${project.id}/popups`;
  const made = await Promise.all(Array.from({ length: 40 }, () => ask(at, 'POST', popups, { content: 'x'.repeat(2000) })));
  for (let i = 0; i < 3; i++) await ask(at, 'GET', `${popups}/${made[0]?.json.id}`);
  for (let i = 0; i < 3; i++)
    await fetchDescribed(url + popups, { headers: { authorization: `Bearer ${key}` } }).then((res) => res.text());
  const reader = await server.createKey('Anna Account', { readOnly: true });
  await ask({ url, key: reader.key }, 'POST', '/v1/projects', {});
  await ask({ url, key: 'mw_wrong' }, 'GET', '/v1/projects');
  await ask({ url }, 'GET', '/v1/projects');
  await server.revokeKey(reader.id);
  await ask({ url, key: reader.key }, 'GET', '/v1/projects');
  await server.limitKey((await server.keys())[0]?.id ?? '', '1/h');
  for (let i = 0; i < 3; i++) await ask(at, 'GET', '/v1/projects');

  const then = await scrape();
  const now = (name: string, labels = {}) => sampleOf(then, `mapwright_${name}`, labels) ?? Number.NaN;
  t.strictSame([now('accounts'), now('projects')], [1, 1]);
  t.equal(now('wal_batch_records_sum'), now('wal_records_total'));
  t.equal(now('wal_batch_records_count'), now('wal_sync_duration_seconds_count'));
  t.equal(now('wal_batch_records_bucket', { le: '+Inf' }), now('wal_batch_records_count'));
  t.ok(now('wal_batch_records_bucket', { le: '1' }) >= 2, 'who is alone has a batch of his own');
  t.strictSame(
    reasons.map((reason) => now('key_refusals_total', { reason })),
    [1, 0, 0, 1, 1, 0],
    'without any key none is refused',
  );
  t.equal(now('http_refusals_total', { status: '429', reason: 'rate_limited' }), 2);
  t.ok(now('cache_hits_total', { cache: 'json' }) >= 2);
  t.ok(now('cache_misses_total', { cache: 'json' }) >= 1);
  t.ok(now('cache_hits_total', { cache: 'compressed' }) >= 1);
  t.ok(now('cache_misses_total', { cache: 'compressed' }) >= 1);
  for (const name of ['json', 'compressed']) t.ok(now('cache_bytes', { cache: name }) > 0, name);
});

t.test('the maximum of the event loop lag is kept for every scraper', async (t) => {
  const { scrape } = await served(t);
  // What is before the first measurement is in none.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const until = performance.now() + 100;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const most = async () => sampleOf(await scrape(), 'nodejs_eventloop_lag_max_seconds') ?? 0;
  const first = await most();
  t.ok(first > 0.05);
  t.ok((await most()) >= first);
});

t.test('two servers in one process have separate metrics', async (t) => {
  const [one, other] = [await served(t), await served(t)];
  await ask(one, 'POST', '/v1/projects', {});
  t.equal(sampleOf(await one.scrape(), 'mapwright_wal_records_total'), 2);
  t.equal(sampleOf(await other.scrape(), 'mapwright_wal_records_total'), 1);
});

t.test('metrics: false and --no-metrics serve no /metrics', async (t) => {
  const { url } = await served(t, { metrics: false });
  t.equal((await ask({ url }, 'GET', '/metrics')).status, 404);
  t.equal((await ask({ url }, 'GET', '/healthz')).status, 200);
  t.match((await run(['serve', '--help', '--all'])).stdout, /--no-metrics/);
});

t.test('a duration is counted in the histogram bucket that contains it', async (t) => {
  const durations = new Histogram(durationBoundsS);
  for (const seconds of [0, 0.0001, 0.00011, 0.004, 9.9, 10.1, 1000]) durations.observe(seconds);
  const counted = durations.counts.map((count, i) => [durationBoundsS[i] ?? Number.POSITIVE_INFINITY, count]);
  t.strictSame(
    counted.filter(([, count]) => count !== 0),
    [
      [0.0001, 2],
      [0.00025, 1],
      [0.005, 1],
      [10, 1],
      [Number.POSITIVE_INFINITY, 2],
    ],
  );
  t.equal(Math.round(durations.sum), 1020);
});

t.test('the test parser refuses invalid Prometheus text', async (t) => {
  const head = '# HELP a_total A.\n# TYPE a_total counter\n';
  t.equal(
    parseExposition(`${head}a_total{x="1",y="a\\"b\\n"} 5\na_total 1e3\n`).get('a_total')?.samples[0]?.labels['y'],
    'a"b\n',
  );
  const wrong = [
    `${head}a_total 5`,
    `${head}a_total  5\n`,
    `${head}a_total{x=1} 5\n`,
    `${head}a_total{x="1" y="2"} 5\n`,
    `${head}a_total{x="1",x="2"} 5\n`,
    `${head}a_total five\n`,
    `${head}a_total 5\na_total 5\n`,
    `${head}b_total 5\n`,
    'a_total 5\n',
    '# TYPE a_total counter\na_total 5\n',
    `${head}a_total 1\n${head}`,
    '# HELP a A.\n# TYPE a counter\na 5\n',
    '# HELP aB A.\n# TYPE aB gauge\naB 5\n',
    '# HELP a_count A.\n# TYPE a_count gauge\na_count 5\n',
    '# HELP a_gauge A.\n# TYPE a_gauge gauge\na_gauge 5\n',
    '# HELP a A.\n# TYPE a gauge\na{quantile="0.5"} 5\n',
    '# HELP a A.\n# TYPE a gauge\na{le="0.5"} 5\n',
    '# HELP a_ms A.\n# TYPE a_ms gauge\na_ms 5\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_sum 1\na_count 2\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_bucket{le="+Inf"} 2\na_sum 1\na_count 3\n',
  ];
  for (const text of wrong) t.throws(() => parseExposition(text), text);
});
