// tier: normal
/** Request bodies with a `Content-Encoding`: in memory and streamed, damaged, and larger than the limit when they are decoded. */
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import zlib from 'node:zlib';
import t from 'tap';
import { png } from '../api/pictures.ts';
import { type Mapwright, startForRequests, startMapwright } from '../support/mapwright.ts';

const codings = {
  gzip: (body: string | Buffer) => zlib.gzipSync(body),
  'x-gzip': (body: string | Buffer) => zlib.gzipSync(body),
  br: (body: string | Buffer) => zlib.brotliCompressSync(body),
} as const;
const mapwright = await startForRequests(t, {
  limits: { bodyBytesMax: 256 * 1024, streamedBytesMax: 1024 * 1024, fileBytesMax: 100_000 },
});

t.test('a coded body does what the same body does without its coding', async (t) => {
  for (const [coding, encode] of Object.entries(codings)) {
    const headers = { 'content-encoding': coding };
    for (const name of ['short', 'x'.repeat(100_000)]) {
      const created = await mapwright.post('/projects', encode(JSON.stringify({ name })), { headers });
      t.equal(created.shown['name'], name, `${coding}, ${name.length} characters`);
      const at = `/projects/${created.shown.id}`;
      t.equal((await mapwright.patch(at, encode('{"name":"b"}'), { headers })).shown['name'], 'b');
      const wrong = await mapwright.patch(at, encode('{"nome":"b"}'), { headers });
      t.strictSame([wrong.status, wrong.pointers], [400, ['/nome']]);
    }
  }
  const upper = await mapwright.post('/projects', codings.gzip('{}'), { headers: { 'content-encoding': ' GZip ' } });
  t.equal(upper.status, 200, 'in any letter case');
  t.equal((await mapwright.post('/projects', '{}', { headers: { 'content-encoding': 'identity' } })).status, 200);
  const twice = { 'idempotency-key': 'coded' };
  const first = await mapwright.post('/projects', codings.br('{"name":"a"}'), {
    headers: { ...twice, 'content-encoding': 'br' },
  });
  t.equal((await mapwright.post('/projects', '{"name":"a"}', { headers: twice })).text, first.text, 'the same request');
  t.equal(
    (await mapwright.post(`/projects/${first.shown.id}/duplicate`, '', { headers: { 'content-encoding': 'gzip' } })).status,
    200,
    'no body',
  );
});

t.test('imports and files are decoded while they arrive', async (t) => {
  const popups = Array.from({ length: 300 }, (_, i) => ({ title: `${i} ${'text '.repeat(200)}` }));
  const { id } = (await mapwright.post('/projects', { name: 'Large' })).shown;
  await mapwright.patch(`/projects/${id}`, { popups: popups.slice(0, 150) });
  const exported = (await mapwright.get(`/projects/${id}/export`)).text;
  const picture = png(3, 2, 'x'.repeat(50_000));
  for (const [coding, encode] of Object.entries(codings)) {
    const headers = { 'content-encoding': coding };
    const imported = (await mapwright.post('/projects/import', encode(exported), { headers })).shown;
    t.equal((imported['popups'] as unknown[]).length, 150, coding);
    const at = `/projects/${imported.id}/files?name=a.png`;
    const file = await mapwright.post(at, encode(picture), { headers: { ...headers, 'content-type': 'image/png' } });
    t.match(file.shown, { bytes: picture.length, width: 3, height: 2 }, coding);
    const served = await fetch(`http://127.0.0.1:${mapwright.port}${file.shown['url']}`);
    t.ok(Buffer.from(await served.arrayBuffer()).equals(picture), 'the bytes without their coding are served');
  }
});

t.test('a damaged, cut or foreign body is refused with the header that is wrong, and nothing is changed', async (t) => {
  const { id } = (await mapwright.post('/projects', { name: 'As before' })).shown;
  const at = `/projects/${id}`;
  const before = (await mapwright.get('/projects')).text;
  const body = JSON.stringify({ name: randomBytes(5000).toString('hex') });
  for (const [coding, encode] of Object.entries(codings)) {
    const whole = encode(body);
    const flipped = Buffer.from(whole);
    flipped[200] = (flipped[200] ?? 0) ^ 0xff;
    // Brotli has no checksum.
    const damages = { cut: whole.subarray(0, -20), foreign: Buffer.from(body), ...(coding === 'br' ? {} : { flipped }) };
    for (const [what, bytes] of Object.entries(damages)) {
      for (const [method, path] of [
        ['PATCH', at],
        ['POST', '/projects'],
        ['POST', '/projects/import'],
      ] as const) {
        const answer = await mapwright.ask(method, `/v1${path}`, { body: bytes, headers: { 'content-encoding': coding } });
        t.match(
          answer,
          { status: 400, problem: { errors: [{ header: 'Content-Encoding' }] } },
          `${method} ${path}, ${coding}, ${what}`,
        );
      }
    }
  }
  for (const [coding, encode] of Object.entries(codings)) {
    const picture = encode(png(3, 2, randomBytes(20_000).toString('latin1')));
    const headers = { 'content-encoding': coding, 'content-type': 'image/png' };
    const answer = await mapwright.post(`${at}/files?name=a.png`, picture.subarray(0, -20), { headers });
    t.match(answer, { status: 400, problem: { errors: [{ header: 'Content-Encoding' }] } }, `a file, ${coding}`);
  }
  t.equal((await mapwright.get('/projects')).text, before);
  t.strictSame((await mapwright.get(`${at}/files`)).list, []);
});

t.test('bytes after the end of the content are damage, and the whole request must have arrived', async (t) => {
  const { id } = (await mapwright.post('/projects', {})).shown;
  const json = JSON.stringify({ format: 'mapwright-project', version: 1, project: {} });
  for (const [coding, encode] of Object.entries(codings)) {
    const tail = Buffer.from('garbage '.repeat(2000));
    for (const [path, content] of [
      ['/projects', '{}'],
      ['/projects/import', json],
      [`/projects/${id}/files?name=a.png`, png()],
    ] as const) {
      const headers = { 'content-encoding': coding, 'content-type': path.includes('files') ? 'image/png' : 'application/json' };
      const sent = Buffer.concat([encode(content), tail]);
      t.equal((await mapwright.post(path, sent, { headers })).status, 400, `${coding}, ${path}`);
    }
  }
  t.strictSame((await mapwright.get(`/projects/${id}/files`)).list, []);
});

t.test('an upload whose key is revoked while it arrives is refused', async (t) => {
  const { id } = (await mapwright.post('/projects', {})).shown;
  for (const coding of Object.keys(codings) as (keyof typeof codings)[]) {
    const { key, id: keyId } = await mapwright.server.createKey('ann');
    const sent = Buffer.concat([codings[coding](png()), Buffer.from('more')]);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'image/png',
      'content-encoding': coding,
      'transfer-encoding': 'chunked',
    };
    const req = request({
      host: '127.0.0.1',
      port: mapwright.port,
      method: 'POST',
      path: `/v1/projects/${id}/files?name=a.png`,
      headers,
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      req.on('response', (res) => resolve(res.resume().statusCode)).on('error', reject);
    });
    req.write(sent.subarray(0, 20));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await mapwright.server.revokeKey(keyId);
    req.end(sent.subarray(20));
    t.ok([400, 401].includes((await answered) ?? 0), `${coding}: not stored`);
  }
  t.strictSame((await mapwright.get(`/projects/${id}/files`)).list, []);
});

t.test('a body that is larger than the limit when it is decoded is refused', async (t) => {
  const { id } = (await mapwright.post('/projects', {})).shown;
  const large = Buffer.from(JSON.stringify({ name: 'a'.repeat(64 * 1024 * 1024) }));
  const bomb = Buffer.concat([png(), Buffer.alloc(64 * 1024 * 1024)]);
  for (const [coding, encode] of Object.entries(codings)) {
    const headers = { 'content-encoding': coding };
    const small = encode(large);
    t.ok(small.length < 256 * 1024, `${coding}: ${small.length} bytes as sent`);
    t.match(await mapwright.post('/projects', small, { headers }), {
      status: 413,
      problem: { detail: /262144|256 KiB|--body-mb/ },
    });
    t.match(await mapwright.post('/projects/import', small, { headers }), { status: 413 });
    const ofFile = { headers: { ...headers, 'content-type': 'image/png' } };
    t.match(await mapwright.post(`/projects/${id}/files?name=a.png`, encode(bomb), ofFile), { status: 413 });
    // One member of nothing after the other: many bytes, no content.
    if (coding !== 'br') {
      const empty = Buffer.concat(Array.from({ length: 20_000 }, () => zlib.gzipSync('')));
      t.equal((await mapwright.post('/projects', empty, { headers })).status, 413, 'as it was sent');
    }
  }
  t.equal((await mapwright.get(`/projects/${id}`)).status, 200);
});

t.test('what decoders hold counts for the bodies of the account', async (t) => {
  const ask = (server: Mapwright, coding: keyof typeof codings) =>
    server.post('/projects', codings[coding]('{}'), { headers: { 'content-encoding': coding } });
  const small = await startMapwright(t, { limits: { bodyBytesMax: 1024 * 1024, bodiesBytesMax: 16 * 1024 * 1024 } });
  t.equal((await ask(small, 'gzip')).status, 200);
  const refused = { status: 415, headers: { 'accept-encoding': 'gzip, identity' } };
  t.match(await ask(small, 'br'), refused, 'the window of Brotli alone is 16 MiB, and an account may hold 8');
  const larger = await startMapwright(t, { limits: { bodiesBytesMax: 40 * 1024 * 1024 } });
  t.equal((await ask(larger, 'br')).status, 200);
  const headers = { authorization: `Bearer ${larger.key}`, 'content-encoding': 'br', 'transfer-encoding': 'chunked' };
  const req = request({ host: '127.0.0.1', port: larger.port, method: 'POST', path: '/v1/projects/import', headers });
  const sent = codings.br(JSON.stringify({ format: 'mapwright-project', version: 1, project: {} }));
  req.write(sent.subarray(0, 10));
  const answered = new Promise<number | undefined>((resolve, reject) => {
    req.on('response', (res) => resolve(res.resume().statusCode)).on('error', reject);
  });
  const held = async () => /^mapwright_http_bodies_bytes (\d+)$/m.exec((await larger.ask('GET', '/metrics')).text)?.[1];
  while (Number(await held()) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  t.equal((await ask(larger, 'br')).status, 429, 'while another one arrives');
  req.end(sent.subarray(10));
  t.equal(await answered, 200);
  t.equal((await ask(larger, 'br')).status, 200, 'when it has ended');
});
