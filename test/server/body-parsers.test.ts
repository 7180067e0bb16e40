/** The server inside programs that have read the body of a request before they pass it on: Express with its parsers, NestJS, and others. */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import 'reflect-metadata';
import { type MiddlewareConsumer, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express, { type RequestHandler } from 'express';
import t, { type Test } from 'tap';
import { createServer, type MapwrightServer } from '../../src/index.ts';
import { png } from '../api/pictures.ts';
import { silent } from '../support/mapwright.ts';

interface Host {
  readonly maps: MapwrightServer;
  readonly url: string;
  readonly key: string;
  /** Sends a body, and returns status and JSON. */
  send(method: string, path: string, body?: string | Uint8Array, type?: string): Promise<Sent>;
}

interface Sent {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests compare it
  readonly json: any;
}

async function hosted(t: Test, listen: (maps: MapwrightServer) => Promise<string>): Promise<Host> {
  const maps = await createServer({ inMemory: true, publicUrl: '/maps', log: silent });
  t.teardown(() => maps.close());
  const { key } = await maps.createKey('ann');
  const url = await listen(maps);
  return {
    ...{ maps, url, key },
    async send(method, path, body, type = 'application/json') {
      const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) };
      const response = await fetch(`${url}/maps/v1${path}`, { method, headers, ...(body !== undefined && { body }) });
      const text = await response.text();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
    },
  };
}

async function listening(t: Test, host: http.Server): Promise<string> {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    host.closeAllConnections();
    host.close();
  });
  return `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
}

/** Behind middleware of Express. */
const behind = (t: Test, ...middleware: RequestHandler[]): Promise<Host> =>
  hosted(t, (maps) => {
    const app = express();
    for (const each of middleware) app.use(each);
    app.use('/maps', maps.handler);
    return listening(t, http.createServer(app));
  });

async function writesAndReads({ send }: Host, t: Test): Promise<string> {
  const made = await send('POST', '/projects', '{"name":"Harbour","popups":[{"title":"Möwe"}]}');
  t.match(made, { status: 200, json: { name: 'Harbour', popups: [{ title: 'Möwe' }] } });
  const at = `/projects/${made.json.id}`;
  t.match(await send('PATCH', at, '{"name":"Pier"}'), { status: 200, json: { name: 'Pier' } });
  t.match(await send('PATCH', at, '{"nonsense":1}'), { status: 400, json: { errors: [{ pointer: '/nonsense' }] } });
  t.match(await send('GET', at), { status: 200, json: { name: 'Pier' } });
  const batch = { operations: [{ method: 'POST', path: '/popups', body: { title: 'Opera' } }] };
  t.equal((await send('POST', `${at}/batch`, JSON.stringify(batch))).status, 200);
  return at;
}

t.test('the JSON that a parser of Express has read is taken', async (t) => {
  const host = await behind(t, express.json());
  const at = await writesAndReads(host, t);
  t.equal((await host.send('POST', at, 'a=b', 'application/x-www-form-urlencoded')).status, 405);
  t.equal(
    (await host.send('POST', '/projects', 'a=b', 'application/x-www-form-urlencoded')).status,
    415,
    'which it has left alone',
  );
  const { json: exported } = await host.send('GET', `${at}/export`);
  t.match(await host.send('POST', '/projects/import', JSON.stringify(exported)), { status: 200, json: { name: 'Pier' } });
  t.equal((await host.send('DELETE', at)).status, 204);
});

t.test('a body that a parser has decompressed is not decompressed again', async (t) => {
  const host = await behind(t, express.json());
  const headers = { authorization: `Bearer ${host.key}`, 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const init = { method: 'POST', headers, body: gzipSync('{"name":"Pier"}') };
  const response = await fetch(`${host.url}/maps/v1/projects`, init);
  t.match(await response.json(), { name: 'Pier' });
});

t.test('the bytes and texts that parsers have read are taken', async (t) => {
  await writesAndReads(await behind(t, express.text({ type: '*/*' })), t);
  const host = await behind(t, express.raw({ type: '*/*', limit: '2mb' }));
  const at = await writesAndReads(host, t);
  const picture = png(1, 1, 'x'.repeat(1024 * 1024));
  const stored = await host.send('POST', `${at}/files?name=a.png`, picture, 'image/png');
  t.match(stored, { status: 200, json: { bytes: picture.length } });
});

t.test('the bytes that a parser keeps beside its JSON come first: they have numbers that overflow', async (t) => {
  const overflow = '{"settings":{"zoom":1e999}}';
  const parsed = await behind(t, express.json());
  t.strictSame((await parsed.send('POST', '/projects', overflow)).json.settings, { zoom: null });
  const keep = (req: http.IncomingMessage, _: unknown, bytes: Buffer): void => {
    Object.assign(req, { rawBody: bytes });
  };
  const kept = await behind(t, express.json({ verify: keep }));
  await writesAndReads(kept, t);
  t.match(await kept.send('POST', '/projects', overflow), { status: 400, json: { errors: [{ pointer: '/settings/zoom' }] } });
});

t.test('a body that was read and not kept gets a 500 at once, which names the cause', async (t) => {
  const host = await behind(t, (req, _, next) => {
    req.resume().on('end', () => next());
  });
  const lost = { status: 500, json: { code: 'internal_error', detail: /read the body .* req\.rawBody nor req\.body/ } };
  t.match(await host.send('POST', '/projects', '{"name":"a"}'), lost);
  t.match(await host.send('POST', '/projects/import', '{}'), lost);
  t.match(await host.send('GET', '/projects'), { status: 200, json: [] });
  t.equal((await host.send('POST', '/projects')).status, 400, 'without a body there is nothing to lose');
});

t.test('middleware of a module of NestJS gets bodies that NestJS has parsed', async (t) => {
  for (const options of [{}, { rawBody: true }]) {
    const host = await hosted(t, async (maps) => {
      class AppModule {
        configure(consumer: MiddlewareConsumer): void {
          consumer.apply(maps.handler).forRoutes('maps/*splat');
        }
      }
      Module({})(AppModule);
      const app = await NestFactory.create(AppModule, { logger: false, ...options });
      t.teardown(() => app.close());
      await app.listen(0, '127.0.0.1');
      return app.getUrl();
    });
    await writesAndReads(host, t);
  }
});

t.test('requests of one connection that a parser passes on in another order are all answered, in theirs', async (t) => {
  const { url, key } = await behind(t, express.json());
  const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
  const post = (name: string) => {
    const body = JSON.stringify({ name });
    return `POST /maps/v1/projects ${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const get = `GET /maps/readyz ${head}\r\n`;
  const upgrade = `GET /maps/healthz ${head}Connection: upgrade\r\nUpgrade: other\r\n\r\n`;
  const sent: Record<string, [request: string, response: string][]> = {
    'a write before a read': [[post('a'), 'a'], [get, 'ready']], // biome-ignore format: one line
    'writes and reads': [[post('a'), 'a'], [get, 'ready'], [get, 'ready'], [post('b'), 'b'], [post('c'), 'c'], [get, 'ready']], // biome-ignore format: one line
    'a write before an upgrade': [[post('a'), 'a'], [upgrade, '"ok"']], // biome-ignore format: one line
  };
  for (const [what, pairs] of Object.entries(sent)) {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    const responses = () => received.split('HTTP/1.1 200 OK').slice(1);
    const all = new Promise<void>((resolve) => {
      socket.on('data', (text) => {
        received += text;
        if (responses().length === pairs.length && received.endsWith('}')) resolve();
      });
      socket.once('close', () => resolve());
    });
    socket.write(pairs.map(([request]) => request).join(''));
    await all;
    socket.destroy();
    t.match(responses(), pairs.map(([, response]) => response), what); // biome-ignore format: one line
  }
});
