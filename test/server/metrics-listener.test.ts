/** `/metrics` at its own address: only there, from the recovery to the end of a stop. */

import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { createServer } from '../../src/index.ts';
import { Metrics } from '../../src/server/telemetry/metrics.ts';
import { listenAddressFrom, MetricsListener } from '../../src/server/telemetry/metrics-listener.ts';
import { ask } from '../support/client.ts';
import { recordingLog } from '../support/engine.ts';
import { Command, run, temporaryFolder } from '../support/process.ts';
import { test } from '../support/test.ts';

const { log } = recordingLog();

t.test('metricsListen serves /metrics only at its own address, until the server is closed', async (t) => {
  for (const where of [{ inMemory: true } as const, { data: path.join(temporaryFolder(t), 'data') }]) {
    const server = await createServer({ ...where, log, metricsListen: '127.0.0.1:0' });
    t.teardown(() => server.close());
    const { url } = await server.listen(0);
    const metricsUrl = String(server.metricsUrl);
    t.match(metricsUrl, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    const own = metricsUrl.slice(0, -'/metrics'.length);
    t.match(await ask({ url: own }, 'GET', '/metrics'), { status: 200, text: /^mapwright_build_info\{/m });
    for (const at of ['/healthz', '/v1/projects', '/docs']) t.equal((await fetch(own + at)).status, 404, at);
    t.equal((await ask({ url }, 'GET', '/metrics')).status, 404);
    t.equal((await ask({ url }, 'GET', '/healthz')).status, 200);
    await server.close();
    await t.rejects(fetch(metricsUrl));
  }
});

t.test('the metrics address is 503 during the recovery', async (t) => {
  const listener = new MetricsListener('127.0.0.1:0', new Metrics());
  await listener.open({ log });
  t.teardown(() => listener.close());
  const answer = await fetch(listener.url);
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '1');
  t.match(await answer.json(), { detail: /restoring/ });
});

t.test('a metrics port in use is refused with a message, and nothing stays open', async (t) => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const data = path.join(temporaryFolder(t), 'data');
  const metricsListen = `127.0.0.1:${port}`;
  const message = new RegExp(`^Cannot listen on ${metricsListen} for /metrics: the port is in use\\. Choose another address`);
  await t.rejects(createServer({ data, log, metricsListen }), { message });
  t.match(await run(['serve', '--data', data, '--port', '0', '--metrics-listen', metricsListen]), {
    code: 1,
    stderr: /Cannot listen on 127\.0\.0\.1:\d+ for \/metrics: the port is in use/,
  });
  t.match(
    (await run(['doctor', '--data', data, '--port', '0', '--metrics-listen', metricsListen])).stdout,
    /fail {2}port .*, for \/metrics, is in use/,
  );
  const server = await createServer({ data, log });
  t.equal(server.metricsUrl, undefined);
  await server.close();
});

t.test('an invalid metrics address is refused', async (t) => {
  t.strictSame(listenAddressFrom('127.0.0.1:9464'), { host: '127.0.0.1', port: 9464 });
  t.strictSame(listenAddressFrom('[::1]:0'), { host: '::1', port: 0 });
  t.strictSame(listenAddressFrom('metrics.internal:80'), { host: 'metrics.internal', port: 80 });
  for (const text of [
    '',
    '9464',
    ':9464',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '::1:9464',
    '[x]:1',
    'http://a:1',
    'a b:1',
  ]) {
    t.equal(listenAddressFrom(text), undefined, text);
    await t.rejects(createServer({ inMemory: true, metricsListen: text }), { name: 'TypeError', message: /"metricsListen"/ });
  }
  await t.rejects(createServer({ inMemory: true, metrics: false, metricsListen: '127.0.0.1:0' }), {
    message: /"metricsListen" of createServer and "metrics: false" contradict/,
  });
  t.match(await run(['serve', '--metrics-listen', '9464']), {
    code: 2,
    stderr: /--metrics-listen is "[^"]*"\. It must be an address and a port/,
  });
  t.match(await run(['serve', '--no-metrics', '--metrics-listen', '127.0.0.1:9464']), { code: 2, stderr: /--no-metrics/ });
});

test.all('serve prints the address of --metrics-listen, and only that address has the metrics', async (t) => {
  const data = path.join(temporaryFolder(t), 'data');
  const server = new Command(['serve', '--data', data, '--port', '0', '--metrics-listen', '127.0.0.1:0']);
  t.teardown(() => server.end('SIGTERM'));
  const [, url = ''] = await server.printed(/^Metrics for Prometheus: (http:\S+)\/metrics$/m);
  const [, main = ''] = await server.printed(/^Listening on (http:\S+),/m);
  t.match(await ask({ url }, 'GET', '/metrics'), { status: 200, text: /mapwright_build_info/ });
  t.match(await ask({ url: main }, 'GET', '/metrics'), { status: 404 });
});
