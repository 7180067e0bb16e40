/** Uploads that a hostile or broken client sends: each is refused with nothing added, or served so that it can do no harm. */
import fs from 'node:fs';
import net from 'node:net';
import t from 'tap';
import { type Shown, startMapwright } from '../support/mapwright.ts';
import { until } from '../support/until.ts';
import { type FilesWorld, filesWorld } from './files-world.ts';
import { gif, jpeg, png, svg } from './pictures.ts';

const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Begins an upload of `announced` bytes; the rest is the caller's matter. */
function begin({ mapwright, at }: FilesWorld, announced: number, first: Buffer, extra = ''): net.Socket {
  const socket = net.connect(mapwright.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1${at}/files?name=a.png HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${mapwright.key}\r\n${extra}Content-Length: ${announced}\r\n\r\n`,
  );
  socket.write(first);
  return socket;
}

const responseOf = (socket: net.Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
  });

t.test('a body that stops leaves nothing', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const socket = begin(world, 600_000, Buffer.concat([png(), Buffer.alloc(400_000)]));
  await until('the upload has a file', () => world.blobs().uploads.length === 1);
  socket.destroy();
  await until('the file of the upload is gone', () => world.blobs().uploads.length === 0);
  t.strictSame(world.blobs(), { digests: [], uploads: [] });
  t.strictSame(await world.list(), []);
});

t.test('bytes of uploads that wait for their clients count as bodies in memory, until the disk has them', async (t) => {
  const mapwright = await startMapwright(t, { limits: { bodyBytesMax: 64 * 1024, bodiesBytesMax: 2 * 1024 * 1024 } });
  const world = await filesWorld(mapwright);
  const part = Buffer.concat([png(), Buffer.alloc(200_000)]);
  const waiting = [1, 2, 3, 4, 5].map(() => begin(world, 250_000, part));
  const held = async (): Promise<number> =>
    Number(/^mapwright_http_bodies_bytes (\d+)$/m.exec((await mapwright.ask('GET', '/metrics')).text)?.[1]);
  await until('all have arrived', async () => (await held()) === 5 * part.length);
  const refused = await world.upload(Buffer.concat([png(), Buffer.alloc(150_000)]));
  t.match([refused.status, refused.problem.detail], [429, /bodies of concurrent requests of your account exceed 1048576 bytes/]);
  for (const socket of waiting) socket.destroy();
  await until('nothing is held', async () => (await held()) === 0);
  t.equal((await world.upload(Buffer.concat([png(), Buffer.alloc(3_000_000)]))).status, 200, 'more than may be in memory');
  t.equal((await world.list()).length, 1);
});

t.test('one byte too many is 413, with and without an announced length; the limit itself is accepted', async (t) => {
  const world = await filesWorld(await startMapwright(t, { limits: { fileBytesMax: 1024 * 1024 } }));
  const most = Buffer.concat([png(), Buffer.alloc(1024 * 1024 - png().length)]);
  const beyond = Buffer.concat([most, Buffer.from('x')]);
  t.equal((await world.upload(most)).status, 200);
  const refused = await world.upload(beyond);
  t.equal(refused.status, 413);
  t.match(refused.problem.detail, /--file-mb/);
  const { mapwright, at } = world;
  async function* pieces() {
    yield beyond.subarray(0, 700_000);
    yield beyond.subarray(700_000);
  }
  const response = await fetch(`http://127.0.0.1:${mapwright.port}/v1${at}/files?name=a.png`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mapwright.key}` },
    body: ReadableStream.from(pieces()),
    duplex: 'half',
  } as RequestInit);
  t.equal(response.status, 413);
  t.equal((await world.list()).length, 1);
  t.equal(world.blobs().uploads.length, 0);
});

t.test('bytes that are no picture, and a Content-Type that contradicts them, are 415 with nothing added', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const contentType = (type: string) => ({ headers: { 'content-type': type } });
  for (const type of ['image/gif', 'text/html', 'application/json', 'image/svg+xml'])
    t.equal((await world.upload(png(), 'a.png', contentType(type))).status, 415, type);
  for (const type of ['image/png', 'image/png; charset=x', 'IMAGE/PNG', 'application/octet-stream', ''])
    t.equal((await world.upload(png(), 'a.png', contentType(type))).status, 200, type);
  const form = await world.upload('--x\r\n', 'a.png', contentType('multipart/form-data; boundary=x'));
  t.match([form.status, form.problem.detail], [415, /The body is a form.*--data-binary/]);
  const uploaded = (await world.list()).length;
  const others: [string, Buffer | string][] = [
    ['nothing', ''],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['HTML without a type', '<html><body><svg xmlns="http://www.w3.org/2000/svg"/></body></html>'],
    ['PDF', '%PDF-1.7'],
    ['JavaScript', 'alert(1)'],
    ['a PNG that ends in its signature', png().subarray(0, 10)],
    ['a JPEG of 65,535 by 65,535 pixels', jpeg(65_535, 65_535)],
    ['a PNG of 2³¹ pixels in width', png(2 ** 31 - 1, 2)],
    ['a picture without pixels', png(0, 0)],
    [
      'an SVG with entities',
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">&a;</svg>',
    ],
    [
      'an SVG with external entities',
      '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text>&a;</text></svg>',
    ],
    ['billion laughs', laughs()],
    ['an SVG that is not well-formed', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><g></svg>'],
    ['an SVG without a namespace', '<svg width="1" height="1"/>'],
    ['an SVG without a size', svg('', '')],
  ];
  for (const [what, bytes] of others) {
    const answer = await world.upload(bytes);
    t.equal(answer.status, 415, what);
    t.match(answer.problem.detail, /Nothing was stored/, what);
  }
  t.equal((await world.list()).length, uploaded);
});

function laughs(): string {
  const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
  return `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">${entities}]><svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><text>&l9;</text></svg>`;
}

t.test('a polyglot is served as the picture that it is, under a policy that runs and loads nothing', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const polyglots: [string, Buffer, string][] = [
    ['GIF with script', gif(3, 2, '<script>alert(1)</script>'), 'image/gif'],
    ['GIF that is JavaScript', gif(0x2a2f, 10, '*/=1;alert(1)'), 'image/gif'],
    ['SVG with script', svg('<script>alert(1)</script>'), 'image/svg+xml'],
    ['SVG with event handlers', svg('<g onload="alert(1)"/>', 'width="1" height="1" onload="alert(1)"'), 'image/svg+xml'],
    [
      'SVG with HTML',
      svg('<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="//x"/></body></foreignObject>'),
      'image/svg+xml',
    ],
  ];
  for (const [what, bytes, type] of polyglots) {
    const answer = await world.upload(bytes, `${what}.html`);
    t.equal(answer.status, 200, what);
    const served = await world.fetch(answer.shown['url']);
    t.ok(served.bytes.equals(bytes), what);
    t.equal(served.headers.get('content-type'), type, what);
    t.equal(served.headers.get('content-security-policy'), policy, what);
    t.equal(served.headers.get('x-content-type-options'), 'nosniff', what);
  }
});

t.test('names with slashes, control characters, dots alone or more than 200 characters are refused', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const bad = [
    '',
    ' ',
    '\u2003',
    '.',
    '..',
    'a/b',
    '../a',
    'a\\b',
    'a\nb',
    '\0',
    'a\x7f',
    'a\x1b[0m',
    'x'.repeat(201),
    'x'.repeat(300),
  ];
  for (const name of bad) t.equal((await world.upload(png(), name)).status, 400, JSON.stringify(name));
  t.equal((await mapwright.post(`${at}/files`, png(), { headers: { 'content-type': 'image/png' } })).status, 400, 'no name');
  t.strictSame(world.blobs(), { digests: [], uploads: [] }, 'the bytes of a refused name are not stored');
  const good = ['x'.repeat(200), 'плàн 1%.png', '...', 'a?b#c', '-', '<b>&"', 'a'.repeat(100) + '🗺'.repeat(50)];
  for (const name of good) {
    const answer = await world.upload(png(), name);
    t.equal(answer.status, 200, name);
    t.equal(answer.shown['name'], name);
    t.equal((await world.fetch(answer.shown['url'])).status, 200, name);
  }
  const [file] = await world.list();
  for (const name of bad) t.equal((await mapwright.patch(`${at}/files/${file?.id}`, { name })).status, 400, JSON.stringify(name));
});

t.test('two uploads of the same bytes at the same time are two files of one blob', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const bytes = png(3, 2, 'x'.repeat(300_000));
  const made = await Promise.all(Array.from({ length: 6 }, (_, i) => world.uploaded(bytes, `${i}.png`)));
  t.equal(new Set(made.map(({ url }) => url)).size, 6);
  t.equal(world.blobs().digests.length, 1);
  await Promise.all(made.slice(1).map(({ id }) => world.mapwright.delete(`${world.at}/files/${id}`)));
  t.ok((await world.fetch(made[0]?.['url'])).bytes.equals(bytes));
});

t.test('a file that is deleted while it is read is sent to its end', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const bytes = png(3, 2, 'x'.repeat(8 * 1024 * 1024));
  const file = await world.uploaded(bytes);
  const socket = net.connect(mapwright.port, '127.0.0.1');
  socket.write(`GET ${file['url']} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  t.equal((await mapwright.delete(`${at}/files/${file.id}`)).status, 204);
  await mapwright.server.snapshot();
  let received = 0;
  for await (const chunk of socket) received += (chunk as Buffer).length;
  t.ok(received > bytes.length, 'head and all bytes');
});

t.test('an upload to a project that is deleted meanwhile is 404, with nothing left', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const bytes = Buffer.concat([png(), Buffer.alloc(400_000)]);
  const socket = begin(world, bytes.length, bytes.subarray(0, 350_000), 'Connection: close\r\n');
  const response = responseOf(socket);
  await until('the upload has a file', () => world.blobs().uploads.length === 1);
  t.equal((await world.mapwright.delete(world.at)).status, 204);
  socket.write(bytes.subarray(350_000));
  t.match(await response, /^HTTP\/1\.1 404 /);
  t.equal(world.blobs().uploads.length, 0);
});

t.test('a blob that is missing or shorter is 500 for what needs it; everything else is served', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const [lost, cut, kept] = [await world.uploaded(png()), await world.uploaded(gif()), await world.uploaded(svg())];
  const digest = async (file: Shown) => (await world.fetch(file['url'])).headers.get('etag')?.slice(1, -1) as string;
  fs.rmSync(world.blobPath(await digest(lost)));
  fs.truncateSync(world.blobPath(await digest(cut)), 5);
  for (const file of [lost, cut]) {
    const answer = await world.fetch(file['url']);
    t.equal(answer.status, 500);
    t.match(answer.bytes.toString(), /damaged.*(backup|upload)/i, 'what to do');
    t.notMatch(answer.bytes.toString(), /blobs/, 'no path of the server');
  }
  t.equal((await world.fetch(kept['url'])).status, 200);
  t.equal((await world.list()).length, 3);
  t.equal((await world.upload(png(), 'again.png')).status, 200);
  t.equal((await world.fetch(lost['url'])).status, 200, 'the same bytes repair it');
});

t.test('bytes that are known to be wrong are never served, not by a version either', async (t) => {
  const world = await filesWorld(await startMapwright(t));
  const { mapwright, at } = world;
  const file = await world.uploaded(png());
  const { id } = (await mapwright.post(`${at}/versions`, {})).shown;
  const path = world.blobPath((await world.fetch(file['url'])).headers.get('etag')?.slice(1, -1) as string);
  const bytes = fs.readFileSync(path);
  fs.writeFileSync(path, Buffer.alloc(bytes.length, 1));
  await mapwright.restart();
  await mapwright.server.snapshot();
  const damaged = async () =>
    /^mapwright_alarm\{[^}]*blob_damaged[^}]*\} 1$/m.test((await mapwright.ask('GET', '/metrics', { key: '' })).text);
  await until('the snapshot has read it again', damaged);
  fs.writeFileSync(path, bytes);
  t.equal((await world.fetch(file['url'])).status, 200);
  t.notOk(await damaged(), 'that it is right again is noticed by a read');
  fs.writeFileSync(path, Buffer.alloc(bytes.length, 1));
  t.equal((await world.fetch(file['url'])).status, 500);
  t.equal((await mapwright.get(`${at}/versions/${id}/files/${file.id}`)).status, 500);
  t.match(await mapwright.post(`${at}/versions/${id}/restore`, {}), { status: 500, problem: { detail: /plan\.png|a\.png/ } });
  t.equal((await world.upload(png(), 'again.png')).status, 200);
  t.equal((await world.fetch(file['url'])).status, 200);
  t.equal((await mapwright.post(`${at}/versions/${id}/restore`, {})).status, 200);
});
