/**
 * The whole server, over sockets: bytes that may be HTTP, requests that may be sound. Each is answered as HTTP wants it with a status that
 * the server knows, or the connection is closed; nothing is logged as a failure, and what was not spoken to does not change.
 *
 * In an input stand for what each run creates: `<key>`, `<other>` (a key of another account), `<project>`, `<popup>`, `<artboard>`, `<file>`,
 * `<version>`, and `<address>` of the file.
 */
import net from 'node:net';
import path from 'node:path';
import { createServer } from '../../../src/index.ts';
import { gif, jpeg, png, svg } from '../../api/pictures.ts';
import { ask } from '../../support/client.ts';
import { recordingLog } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/process.ts';
import type { Chance } from '../../support/random.ts';
import { responsesIn } from '../answers.ts';
import { mutateBytes } from '../mutate.ts';
import { must, type Target } from '../target.ts';

/** Milliseconds without a word from the server, after which the client hangs up: before its first word, and after one. */
const quietMs = { first: 60, next: 12 };
/** Inputs between two looks at whether honest clients are served. */
const lookEvery = 400;

const get = (target: string, more = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer <key>\r\n${more}\r\n`;
const send = (method: string, target: string, body: string, more = ''): string =>
  `${method} ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer <key>\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const chunked = (method: string, target: string, ...parts: string[]): string =>
  `${method} ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer <key>\r\nTransfer-Encoding: chunked\r\n\r\n${parts.map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;

const upload = (target: string, bytes: Buffer | string, type: string, more = ''): string =>
  `POST ${target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer <key>\r\nContent-Type: ${type}\r\n${more}Content-Length: ${bytes.length}\r\n\r\n${bytes.toString('latin1')}`;

const filesPath = '/v1/projects/<project>/files';
const versionsPath = '/v1/projects/<project>/versions';
const filesAndVersions = [
  ...['', '?name=plan.png', '?name=..%2fx', '?name=', '?sort=-bytes&limit=1', '/<file>', '/<popup>'].map(
    (end) => filesPath + end,
  ),
  ...['', '?limit=1', '/<version>', '/<file>', '/<version>/restore', '/<version>/files/<file>', '/<version>/files/<popup>'].map(
    (end) => versionsPath + end,
  ),
  ...['', '?against=now', '?against=<version>', '?against=<popup>', '?against='].map(
    (end) => `${versionsPath}/<version>/changes${end}`,
  ),
  ...['<address>', '<address>/x', '/f/x/y', '/f/', '/p/x/map.json'],
  ...['/v1/projects/<project>/problems', '/v1/projects/<project>/export?files=true', '/v1/projects/<project>/duplicate'],
];
const pictures = [png(), gif(), jpeg(), svg('<circle r="1"/>'), svg('<script>1</script>'), '', 'GIF89a', '<svg', '{}'];
const pictureTypes = ['image/png', 'image/svg+xml', 'image/*', 'text/html', 'application/octet-stream', 'x'];

const paths = [
  ...filesAndVersions,
  ...['/v1/projects', '/v1/projects/<project>', '/v1/projects/<project>/popups', '/v1/projects/<project>/popups/<popup>'],
  ...[
    '/v1/projects/<project>/artboards/<artboard>/objects',
    '/api/v1/projects/<project>/artboards',
    '/v1/projects/<project>/actions',
  ],
  ...[
    '/v1/projects/<project>/popups?limit=1',
    '/v1/projects/<project>/popups?cursor=WzAsMCwieCJd',
    '/healthz',
    '/readyz',
    '/v1/nothing',
  ],
];
const bodies = [
  ...[
    '{"name":"a"}',
    '{}',
    '[]',
    '',
    '{"title":7}',
    '{"popups":[{"name":"b"},{"id":"<popup>"}]}',
    '{"type":"spot","x":1e999}',
    '{"type":"poly"}',
  ],
  ...[
    '{"__proto__":1}',
    '{"settings":{"a":[[[[]]]]}}',
    `{"name":"${'x'.repeat(3000)}"}`,
    '{"artboards":[{"objects":[{"type":"spot"}]}]}',
    '{"nmae":1}',
    '{"a":',
  ],
];
const headers = [
  ...[
    'Connection: close\r\n',
    'Expect: 100-continue\r\n',
    'Expect: wonders\r\n',
    'X-Request-Id: abc\r\n',
    'Content-Encoding: gzip\r\n',
    'Host: twice\r\n',
  ],
  ...[
    'Transfer-Encoding: gzip, chunked\r\n',
    'Content-Length: 5\r\n',
    'Upgrade: h2c\r\nConnection: Upgrade\r\n',
    `X-Long: ${'y'.repeat(5000)}\r\n`,
    'X: 1\r\n'.repeat(120),
  ],
  ...[
    'Accept-Encoding: br\r\n',
    'Accept-Encoding: gzip;q=0.5, *;q=0\r\n',
    'Origin: https://editor.example\r\n',
    'Origin: null\r\nAccess-Control-Request-Method: PATCH\r\n',
  ],
  ...['Range: bytes=0-3\r\n', 'Range: bytes=9-2,5-\r\n', 'Range: bytes=99999-\r\n', 'If-None-Match: *\r\n', 'If-Match: "x"\r\n'],
  ...['Authorization: Basic x\r\n', ' folded: x\r\n', 'no colon\r\n', 'Content-Type: text/plain\r\n'],
];
const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW'];

const seeds = [
  ...paths.map((target) => get(target)),
  ...bodies.map((body) => send('PATCH', '/v1/projects/<project>', body)),
  ...bodies.map((body) => send('POST', '/v1/projects/<project>/popups', body)),
  ...headers.map((header) => get('/v1/projects', header)),
  ...headers.map((header) => send('POST', '/v1/projects/<project>/popups', '{}', header)),
  ...methods.map((method) => send(method, '/v1/projects/<project>/popups', '{}')),
  ...pictures.flatMap((bytes) => pictureTypes.map((type) => upload(`${filesPath}?name=plan.png`, bytes, type))),
  ...filesAndVersions.flatMap((target) => [get(target), send('POST', target, '{}'), send('DELETE', target, '')]),
  ...[`${filesPath}/<file>`, `${versionsPath}/<version>`].map((target) => send('PATCH', target, '{"name":"b"}')),
  ...['Range: bytes=0-3\r\n', 'Range: bytes=99999-\r\n', 'Range: bytes=-1\r\n'].map((range) => get('<address>', range)),
  ...['{"version":"<version>"}', '{"version":"<file>"}', '{"version":7}'].map((body) =>
    send('POST', '/v1/projects/<project>/duplicate', body),
  ),
  upload(`${filesPath}?name=a.png`, png(), 'image/png', 'Idempotency-Key: a\r\n').repeat(2),
  `${send('POST', versionsPath, '{}')}${send('POST', `${versionsPath}/<version>/restore`, '{}')}${get(`${versionsPath}/<version>/changes`)}`,
  chunked('POST', '/v1/projects/<project>/popups', '{"na', 'me":"c"}'),
  get('/v1/projects/<project>').repeat(4),
  get('/v1/projects', 'Accept-Encoding: br, gzip\r\n').repeat(3),
  `OPTIONS /v1/projects HTTP/1.1\r\nHost: h\r\nOrigin: https://editor.example\r\nAccess-Control-Request-Method: POST\r\n\r\n`,
  `${send('POST', '/v1/projects/<project>/popups', '{}')}${get('/v1/projects/<project>/popups')}`,
  get('/v1/projects').replace('<key>', '<other>'),
  get('/v1/projects').replace('Authorization: Bearer <key>\r\n', ''),
  get('/v1/projects/<project>/popups/<popup>').replace('GET', 'DELETE'),
  get('/v1/projects/<project>/artboards/<artboard>').replace('GET', 'DELETE'),
  get('/v1/projects/<project>').replace('GET', 'DELETE'),
  get('/v1/projects', 'Content-Length: 70000\r\n').replace('GET', 'POST'),
  'GET / HTTP/0.9\r\n\r\n',
  'GET /v1/projects HTTP/1.0\r\nAuthorization: Bearer <key>\r\n\r\n',
  `GET /${'a'.repeat(9000)} HTTP/1.1\r\nHost: h\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
];

export async function http(t: Parameters<typeof temporaryFolder>[0]): Promise<Target> {
  const { log, logged } = recordingLog();
  const data = path.join(temporaryFolder(t), 'data');
  const limits = { bodyBytesMax: 64 * 1024, lingerMs: 20 };
  const cors = ['https://editor.example'];
  const server = await createServer({ data, log, sync: 'never', segmentBytes: 4 * 1024 * 1024, limits, cors });
  t.teardown(() => server.close());
  const { url, port } = await server.listen(0);
  const [{ key }, { key: other }] = [await server.createKey('ann'), await server.createKey('bob')];
  const made = async (as: string, body: unknown) => (await ask({ url, key: as }, 'POST', '/v1/projects', body)).json;
  // One of each account that no input names.
  const untouched = await Promise.all(
    [key, other].map(async (as) => ({ as, ...(await made(as, { name: 'untouched', popups: [{}, {}] })) })),
  );
  const bytes = async () =>
    Promise.all(untouched.map(async ({ as, id }) => (await ask({ url, key: as }, 'GET', `/v1/projects/${id}`)).text));
  const before = await bytes();
  let named: Record<string, string> = {};
  let count = 0;

  /** Honest clients are served, and what grew under the others is removed. */
  const look = async () => {
    must(JSON.stringify(await bytes()) === JSON.stringify(before), 'a project changed that no request named');
    const { json } = await ask({ url, key }, 'GET', '/v1/projects?fields=name');
    for (const { id } of json as { id: string }[]) {
      if (untouched.every((kept) => kept.id !== id)) await ask({ url, key }, 'DELETE', `/v1/projects/${id}`);
    }
    const { id, popups, artboards } = await made(key, { popups: [{ name: 'p' }], artboards: [{}] });
    named = { '<key>': key, '<other>': other, '<project>': id, '<popup>': popups[0].id, '<artboard>': artboards[0].id };
    const file = await fetch(`${url}/v1/projects/${id}/files?name=plan.png`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' } },
      body: new Uint8Array(png()),
    });
    const { id: fileId, url: address } = (await file.json()) as { id: string; url: string };
    const version = (await ask({ url, key }, 'POST', `/v1/projects/${id}/versions`, {})).json;
    named = { ...named, '<file>': fileId, '<address>': address, '<version>': version.id };
    const failures = logged.filter(([level]) => level === 'error');
    must(
      failures.length === 0,
      `logged as a failure: ${JSON.stringify(failures[0], (_, value) => (value instanceof Error ? value.stack : value))}`,
    );
  };
  await look();

  return {
    name: 'http',
    inputs: 8000,
    concurrency: 32,
    seeds: seeds.map((text) => Buffer.from(text, 'latin1')),
    words: [
      ...paths,
      ...headers,
      ...methods,
      ...bodies,
      '\r\n',
      '\r\n\r\n',
      'HTTP/1.1',
      'HTTP/1.0',
      'Content-Length: ',
      'Transfer-Encoding: chunked\r\n',
      '0\r\n\r\n',
      '<key>',
      '\0',
    ],
    outcomes: ['200', '204', '400', '401', '404', '405', '413', '414', '415', '417', '431', 'closed'],
    mutate: (input, random) =>
      random.once(2) ? request(random) : mutateBytes(input, random, [...paths, ...headers, ...bodies, '\r\n']),
    async run(input) {
      if (++count % lookEvery === 0) await look();
      let text = input.toString('latin1');
      for (const [name, value] of Object.entries(named)) text = text.replaceAll(name, value);
      const answers = responsesIn(await converse(port, Buffer.from(text, 'latin1')), text.includes('HEAD'));
      return answers.length === 0 ? 'closed' : [...new Set(answers)].slice(0, 3).join();
    },
    close: look,
  };
}

/** One request, or a few, from the parts of sound ones and of others. */
function request(random: Chance): Buffer {
  const requests = Array.from({ length: random.once(3) ? 1 + random.below(5) : 1 }, () => {
    const [target, header] = [random.pick(paths), random.once(2) ? random.pick(headers) : ''];
    if (random.once(3)) return get(target, header);
    const body = random.pick(bodies);
    if (random.once(5)) return chunked(random.pick(methods), target, body.slice(0, 3), body.slice(3));
    return send(random.pick(methods), target, body, header);
  });
  const bytes = Buffer.from(requests.join(''), 'latin1');
  return random.once(3) ? mutateBytes(bytes, random) : bytes;
}

/** Sends bytes, hangs up once nothing more is said; everything that came back. */
function converse(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(port, '127.0.0.1');
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.end(), chunks.length === 0 ? quietMs.first : quietMs.next);
    };
    socket.on('connect', wait);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      wait();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.write(bytes);
  });
}
