/** `mapwright top`: what it makes of two looks, how it shows that, and what it does when the server is away. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { isSameRun, percentile, type Scrape, scrape, type TopSample, topSample } from '../../src/cli/commands/top/scrape.ts';
import { coloured, lineOf, plainText, screenOf } from '../../src/cli/commands/top/top-view.ts';
import { Screen } from '../../src/cli/output/screen.ts';
import { startMapwright } from '../support/mapwright.ts';
import { Command, run } from '../support/process.ts';

/** What a server shows, by hand. */
function figures(values: Readonly<Record<string, number>>, startedS = 1000): string {
  const all = { 'mapwright_build_info{version="1.2.3",node="v20.0.0"}': 1, process_start_time_seconds: startedS, ...values };
  return Object.entries(all)
    .map(([name, value]) => `${name} ${value}\n`)
    .join('');
}

const look = (values: Readonly<Record<string, number>>, atS: number, startedS?: number): Scrape =>
  scrape(`# HELP x X.\n# TYPE x gauge\n${figures(values, startedS)}`, atS * 1000) as Scrape;

const requests = (status: string, route = '/projects', method = 'GET') =>
  `mapwright_http_requests_total{route="${route}",method="${method}",status="${status}"}`;
const duration = (le: string, route = '/projects', method = 'GET') =>
  `mapwright_http_request_duration_seconds_bucket{route="${route}",method="${method}",le="${le}"}`;
const count = 'mapwright_http_request_duration_seconds_count{route="/projects",method="GET"}';

t.test('rates and percentiles are of the time between two looks', async (t) => {
  const before = look(
    {
      [requests('200')]: 100,
      [duration('0.01')]: 100,
      [duration('0.1')]: 100,
      [duration('+Inf')]: 100,
      [count]: 100,
      process_cpu_seconds_total: 5,
    },
    2000,
  );
  const now = look(
    {
      [requests('200')]: 190,
      [requests('204')]: 4,
      [requests('404')]: 6,
      [requests('none')]: 2,
      [duration('0.01')]: 150,
      [duration('0.1')]: 200,
      [duration('+Inf')]: 202,
      [count]: 202,
      process_cpu_seconds_total: 6,
      mapwright_wal_records_total: 30,
      mapwright_wal_batch_records_sum: 30,
      mapwright_wal_batch_records_count: 12,
      'mapwright_cache_hits_total{cache="json"}': 3,
      'mapwright_cache_misses_total{cache="json"}': 1,
      'mapwright_alarm{name="disk_full"}': 1,
      'mapwright_alarm{name="memory_full"}': 0,
    },
    2002,
  );
  t.ok(isSameRun(before, now));
  const sample = topSample('http://x', before, now);
  t.match(sample, {
    time: '1970-01-01T00:33:22.000Z',
    version: '1.2.3',
    uptimeS: 1002,
    intervalS: 2,
    alarms: ['disk_full'],
    requests: { perSecond: 51, byStatus: { '2xx': 47, '3xx': 0, '4xx': 3, '5xx': 0, none: 1 } },
    writes: { perSecond: 15, batch: 2.5, syncP99Ms: null },
    caches: { json: { hits: 0.75 }, compressed: { hits: null } },
    process: { cores: 0.5 },
    routes: [{ method: 'GET', route: '/projects', perSecond: 51 }],
  });
  t.ok(Math.abs((sample.requests.p50Ms ?? 0) - 11.8) < 0.01, `${sample.requests.p50Ms}`);
  t.equal(sample.requests.p99Ms, 100, 'what lies beyond all bounds is told by the last');
});

t.test('a percentile', async (t) => {
  const buckets = [
    [1, 10],
    [2, 30],
    [Number.POSITIVE_INFINITY, 40],
  ] as const;
  t.equal(percentile(buckets, 0.25), 1);
  t.equal(percentile(buckets, 0.5), 1.5);
  t.equal(percentile(buckets, 0.9), 2);
  t.equal(
    percentile(
      [
        [1, 0],
        [Number.POSITIVE_INFINITY, 0],
      ],
      0.5,
    ),
    undefined,
  );
  t.equal(percentile([], 0.5), undefined);
});

t.test('what is no answer of a mapwright is none; one that was started anew is another run', async (t) => {
  t.equal(scrape('', 0), undefined);
  t.equal(scrape('process_start_time_seconds 5\n', 0), undefined);
  t.equal(scrape('<html>not found</html>', 0), undefined);
  t.notOk(isSameRun(look({}, 1, 10), look({}, 2, 11)));
});

/** Everything at its worst and longest. */
const worst: TopSample = {
  ...topSample('http://127.0.0.1:8070', look({}, 1), look({}, 3)),
  alarms: ['disk_full', 'memory_full'],
  memory: { neededBytes: 999e9, budgetBytes: 1e12, residentBytes: 999e9, heapBytes: 999e9 },
  routes: Array.from({ length: 60 }, (_, i) => ({
    method: 'DELETE',
    route: `/r${i}/${'x'.repeat(100)}`,
    perSecond: 1e6,
    p99Ms: 1e5,
  })),
};

t.test('the screen keeps within the terminal, with colours and without', async (t) => {
  const colours = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
  for (const columns of [20, 50, 80, 200]) {
    for (const rows of [5, 12, 24, 50]) {
      const lines = screenOf(worst, { columns, rows, paint: plainText });
      t.ok(lines.length <= rows, `${lines.length} of ${rows}`);
      t.ok(lines.every((line) => line.length <= columns));
      t.notMatch(lines.join(''), colours);
      const painted = screenOf(worst, { columns, rows, paint: coloured });
      t.match(painted.join(''), colours);
      t.strictSame(
        painted.map((line) => line.replaceAll(colours, '')),
        lines,
        'the same, but for the colours',
      );
      for (const line of painted)
        t.ok(!line.includes('\u001b') || line.lastIndexOf('\u001b[0m') > line.search(colours), 'which end with the line');
    }
  }
  const roomy = screenOf(worst, { columns: 200, rows: 24, paint: plainText });
  t.match(roomy[1], /^alarm: disk_full, memory_full$/);
  t.match(roomy.at(-1), /DELETE \/r8\//);
  t.match(roomy.join('\n'), /memory +█{20} 100 % of 931 GiB/);
  t.match(lineOf(worst), /^1970-01-01 00:00:03 {2}0 req\/s {2}p50 – .* memory 100 % .*alarm: disk_full, memory_full$/);
});

t.test('--once, against a server: a screen, or JSON', async (t) => {
  const mapwright = await startMapwright(t);
  const url = `http://127.0.0.1:${mapwright.port}`;
  let over = false;
  const writing = (async () => {
    while (!over) await mapwright.post('/projects', {});
  })();
  const [shown, json] = await Promise.all([
    run(['top', '--url', `${url}/api/v1/`, '--once', '--interval', '0.3']),
    run(['top', '--url', url, '--once', '--json', '--interval', '0.3']),
  ]);
  over = true;
  await writing;
  t.strictSame([shown.code, json.code, shown.stderr, json.stderr], [0, 0, '', '']);
  t.match(shown.stdout, /^mapwright \d+\.\d+\.\d+ {2}http.*\nno alarm\n\nrequests +[\d.,]+\/s {2}2xx/);
  t.match(shown.stdout, /^ +[\d.,]+ +[\d.]+ m?s {2}POST \/projects$/m);
  t.notMatch(shown.stdout, '\u001b', 'no colours where nobody looks');
  const sample = JSON.parse(json.stdout) as TopSample;
  t.match(sample, {
    url,
    alarms: [],
    accounts: 1,
    writes: { syncP50Ms: Number, batch: Number },
    log: { snapshots: 0, snapshotRunning: false },
  });
  t.ok(sample.writes.perSecond > 0 && sample.requests.perSecond > 0 && sample.memory.budgetBytes > 0 && sample.projects > 0);
});

t.test('without a terminal: a line for each interval; away is said once, and it goes on when the server is back', async (t) => {
  const served = { text: figures({}), status: 200 };
  const front = () => http.createServer((_, res) => res.writeHead(served.status).end(served.text));
  let server = front().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  t.teardown(() => server.close());
  const command = new Command(['top', '--url', `http://127.0.0.1:${port}`, '--interval', '0.1', '--json']);
  t.teardown(() => command.end('SIGKILL'));
  await command.printed(/"requests"/);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const from = command.stdout.length;
  await command.printed(/"error":"Cannot reach a server at [^"]*metrics \(ECONNREFUSED\)\. Start one with: /);
  served.status = 404;
  server = front().listen(port, '127.0.0.1');
  await command.printed(/it returned 404\. If the server runs with --metrics-listen/);
  served.status = 200;
  served.text = figures({}, 2000);
  await command.printed(/"error"[\s\S]*"requests"/);
  const { code, signal } = await command.end('SIGTERM');
  t.strictSame([code, signal], [null, 'SIGTERM']);
  const lines = command.stdout.slice(from).trimEnd().split('\n');
  t.equal(lines.filter((line) => line.includes('ECONNREFUSED')).length, 1);
  for (const line of lines) JSON.parse(line);
});

t.test('what cannot be looked at', async (t) => {
  const away = await run(['top', '--url', 'http://127.0.0.1:1', '--once']);
  t.equal(away.code, 1);
  t.match(away.stderr, /^Cannot reach a server at http:\/\/127\.0\.0\.1:1\/metrics \(.+\)\. Start one with: .+\n$/);
  const mapwright = await startMapwright(t, { metrics: false });
  const none = await run(['top', '--url', `http://127.0.0.1:${mapwright.port}`, '--once']);
  t.equal(none.code, 1);
  t.match(
    none.stderr,
    /has no metrics of mapwright: it returned 404\. If the server runs with --metrics-listen, .* With --no-metrics it has none\./,
  );
  for (const [args, says] of [
    [['--url', 'localhost'], /"localhost"\. It must be the address of a server/],
    [['--interval', '0'], /--interval must be a number from 0\.1/],
  ] as const) {
    const { code, stderr } = await run(['top', ...args]);
    t.equal(code, 2);
    t.match(stderr, says);
  }
});

t.test('a screen of its own, left as it was found', async (t) => {
  let written = '';
  let ended = 0;
  const stream = { columns: 0, rows: 0, write: (text: string) => (written += text) } as unknown as NodeJS.WriteStream;
  const screen = new Screen(stream, () => ended++);
  t.strictSame([screen.columns, screen.rows], [80, 24], 'some terminals do not know how large they are');
  t.equal(written, '\u001b[?1049h\u001b[?25l');
  written = '';
  screen.draw(['a', 'b']);
  t.equal(written, '\u001b[Ha\u001b[K\nb\u001b[K\u001b[J', 'over what was there, without clearing it first');
  process.emit('SIGINT');
  t.equal(ended, 1);
  written = '';
  screen.close();
  screen.close();
  screen.draw(['late']);
  t.equal(written, '\u001b[?25h\u001b[?1049l', 'once, and nothing after it');
});

const terminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

t.test('on a terminal, until q is pressed', { skip: terminal ? false : 'there is no script(1) to make one' }, async (t) => {
  const mapwright = await startMapwright(t);
  const program = path.join(import.meta.dirname, '..', '..', 'src', 'cli', 'mapwright.js');
  const shown = async (end: (child: ChildProcess) => void, env: Readonly<Record<string, string>> = {}) => {
    const command = `exec '${process.execPath}' '${program}' top --interval 0.1 --url http://127.0.0.1:${mapwright.port}`;
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn('script', ['-qefc', command, '/dev/null'], { env: { PATH, HOME, TERM: 'xterm', ...env } });
    t.teardown(() => child.kill('SIGKILL'));
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    let text = '';
    let asked = false;
    for await (const part of child.stdout.setEncoding('utf8')) {
      text += part;
      if (asked || !text.includes('no alarm')) continue;
      asked = true;
      end(child);
    }
    t.equal(await closed, 0);
    t.ok(text.startsWith('\u001b[?1049h\u001b[?25l'));
    t.ok(text.endsWith('\u001b[?25h\u001b[?1049l'), 'the cursor is back');
    return text;
  };
  t.match(await shown(({ stdin }) => stdin?.write('q')), '\u001b[32mno alarm\u001b[0m');
  t.match(await shown(({ stdin }) => stdin?.write('\u0003'), { NO_COLOR: '1' }), '\u001b[K\r\nno alarm\u001b[K');
});
