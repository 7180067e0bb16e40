/** CORS: which origins may use the API, and the responses to preflights. */
import t, { type Test } from 'tap';
import { createServer } from '../../src/index.ts';
import { silent } from '../support/mapwright.ts';
import { type Answer, type Endpoint, type ListenerOptions, lastAnswer, problems, type Running, serve } from './harness.ts';

const editor = 'https://editor.example';
const local = 'http://localhost:5173';

const large = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `name ${i}`));

const endpoints: Endpoint<string>[] = [
  { method: 'GET', path: '/probe', prefixes: [''], public: true, handle: () => ({ kind: 'json', status: 200, json: '{}' }) },
  { method: 'GET', path: '/x', prefixes: [''], handle: () => ({ kind: 'json', status: 200, json: '{"a":1}', etag: '"1"' }) },
  { method: 'PATCH', path: '/x', prefixes: [''], acceptsBody: true, handle: () => ({ kind: 'json', status: 200, json: '{}' }) },
  { method: 'DELETE', path: '/x', prefixes: [''], handle: () => ({ kind: 'empty', status: 204 }) },
  { method: 'GET', path: '/same', prefixes: [''], handle: () => ({ kind: 'empty', status: 304, etag: '"1"' }) },
  {
    method: 'GET',
    path: '/list',
    prefixes: [''],
    handle: () => ({ kind: 'stream', status: 200, stream: large.match(/.{1,5000}/g) ?? [] }),
  },
  { method: 'GET', path: '/none', prefixes: [''], handle: () => refuse(problems.notFound()) },
  { method: 'GET', path: '/busy', prefixes: [''], handle: () => refuse(problems.unavailable('Later.', 1)) },
  { method: 'GET', path: '/broken', prefixes: [''], handle: () => refuse(new Error('broken')) },
];

function refuse(error: Error): never {
  throw error;
}

const start = (t: Test, cors?: readonly string[], options: Partial<ListenerOptions<string>> = {}): Promise<Running> =>
  serve(t, endpoints, { ...(cors === undefined ? {} : { cors }), ...options });

/** One request for every kind of answer. */
const kinds: readonly (readonly [what: string, path: string, ask: Parameters<Running['ask']>[1], status: number])[] = [
  ['a read', '/x', {}, 200],
  ['its HEAD', '/x', { method: 'HEAD' }, 200],
  ['a write', '/x', { method: 'PATCH', body: '{}' }, 200],
  ['nothing', '/x', { method: 'DELETE' }, 204],
  ['not modified', '/same', {}, 304],
  ['a stream', '/list', {}, 200],
  ['a stream\u2019s HEAD', '/list', { method: 'HEAD' }, 200],
  ['a probe', '/probe', { anonymous: true }, 200],
  ['a body that is no JSON', '/x', { method: 'PATCH', body: '{' }, 400],
  ['an unknown parameter', '/x?y=1', {}, 400],
  ['no key', '/x', { anonymous: true }, 401],
  ['an unknown path', '/y', {}, 404],
  ['what does not exist', '/none', {}, 404],
  ['another method', '/x', { method: 'POST', body: '{}' }, 405],
  ['too large a body', '/x', { method: 'PATCH', body: ' '.repeat(2000) }, 413],
  ['a type that is not read', '/x', { method: 'PATCH', body: '{}', headers: { 'content-type': 'text/plain' } }, 415],
  ['a fault of ours', '/broken', {}, 500],
  ['later', '/busy', {}, 503],
  ['a plain OPTIONS', '/x', { method: 'OPTIONS' }, 405],
  ['a plain OPTIONS without a key', '/x', { method: 'OPTIONS', anonymous: true }, 401],
];

const limits = { bodyBytesMax: 1000, bodiesBytesMax: 2000 };

const asked = (ask: Parameters<Running['ask']>[1], origin: string | undefined): Parameters<Running['ask']>[1] => ({
  ...ask,
  headers: { ...(ask?.headers as Record<string, string>), ...(origin === undefined ? {} : { origin }) },
});

/** Names of the headers that concern browsers. */
const ofBrowsers = ({ headers }: Answer): string[] => Object.keys(headers).filter((name) => /^access-control-/.test(name));

t.test('no response has CORS headers if no origin is configured', async (t) => {
  for (const cors of [undefined, []]) {
    const { ask } = await start(t, cors, { limits });
    for (const [what, path, how, status] of kinds) {
      const answer = await ask(path, asked(how, editor));
      t.equal(answer.status, status, what);
      t.same(ofBrowsers(answer), [], what);
      t.notMatch(answer.headers['vary'] ?? '', /origin/i, what);
    }
    const preflight = { method: 'OPTIONS', headers: { origin: editor, 'access-control-request-method': 'GET' } };
    t.equal((await ask('/x', preflight)).status, 405);
    t.equal((await ask('/x', { ...preflight, anonymous: true })).status, 401);
  }
});

t.test('every response to an allowed origin allows it and exposes the headers of the API', async (t) => {
  const { ask } = await start(t, [local, editor], { limits });
  for (const origin of [editor, local]) {
    for (const [what, path, how, status] of kinds) {
      const answer = await ask(path, asked(how, origin));
      t.equal(answer.status, status, what);
      t.match(answer.headers, { 'access-control-allow-origin': origin, vary: /^Origin(, Accept-Encoding)?$/ }, what);
      const exposed = String(answer.headers['access-control-expose-headers']).split(', ');
      for (const name of ['ETag', 'Link', 'Retry-After', 'X-Request-Id', 'WWW-Authenticate', 'Allow'])
        t.ok(exposed.includes(name));
      t.same(ofBrowsers(answer), ['access-control-allow-origin', 'access-control-expose-headers'], 'and no word of credentials');
    }
  }
});

t.test('requests of other origins get the same response without CORS headers', async (t) => {
  const { ask } = await start(t, [editor], { limits });
  const others = [
    undefined,
    '',
    'null',
    '*',
    'https://editor.example/',
    'https://Editor.example',
    'HTTPS://editor.example',
    'http://editor.example',
    'https://editor.example:443',
    'https://editor.example.evil',
    'https://sub.editor.example',
    'https://editor.exampl',
    `${editor}, ${editor}`,
    `${editor} ${local}`,
    '__proto__',
    'x'.repeat(10_000),
  ];
  for (const origin of others) {
    const [, path, how, status] = kinds[0] as (typeof kinds)[number];
    const answer = await ask(path, asked(how, origin));
    t.equal(answer.status, status);
    t.same(ofBrowsers(answer), [], String(origin).slice(0, 40));
    t.equal(answer.headers['vary'], 'Origin', 'or a cache would give it to the editor');
  }
  for (const [what, path, how, status] of kinds) {
    const answer = await ask(path, asked(how, 'https://evil.example'));
    t.equal(answer.status, status, what);
    t.same(ofBrowsers(answer), [], what);
    t.match(answer.headers['vary'], /^Origin\b/, what);
  }
});

t.test('a request with two Origin headers gets no CORS headers', async (t) => {
  const { raw } = await start(t, [editor]);
  const text = await raw(`GET /probe HTTP/1.1\r\nHost: x\r\nOrigin: ${editor}\r\nOrigin: ${editor}\r\nConnection: close\r\n\r\n`);
  t.equal(lastAnswer(text).status, 200);
  t.notMatch(text, /access-control/i);
});

t.test('with "*" every origin gets the same headers, without Vary: Origin', async (t) => {
  const { ask } = await start(t, ['*'], { limits });
  for (const origin of [undefined, 'null', editor, 'https://evil.example']) {
    for (const [what, path, how, status] of kinds) {
      const answer = await ask(path, asked(how, origin));
      t.equal(answer.status, status, what);
      t.equal(answer.headers['access-control-allow-origin'], '*', what);
      t.notMatch(answer.headers['vary'] ?? '', /origin/i, what);
    }
  }
});

const preflight = (origin: string, method = 'PATCH', more: Readonly<Record<string, string>> = {}) => ({
  method: 'OPTIONS',
  anonymous: true,
  headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization', ...more },
});

t.test('a preflight is answered without a key and lists the methods of its path', async (t) => {
  for (const cors of [[editor], ['*']]) {
    const { ask, listener } = await start(t, cors);
    for (const [path, methods] of [
      ['/x', 'GET, HEAD, PATCH, DELETE'],
      ['/x?limit=5', 'GET, HEAD, PATCH, DELETE'],
      ['/probe', 'GET, HEAD'],
    ] as const) {
      for (const method of ['GET', 'PATCH', 'PURGE', '']) {
        if (method === '') continue;
        const answer = await ask(path, preflight(editor, method));
        t.equal(answer.status, 204);
        t.equal(answer.text, '');
        t.match(answer.headers, {
          'access-control-allow-origin': cors[0],
          'access-control-allow-methods': methods,
          'access-control-max-age': '7200',
          'x-request-id': /./,
        });
        t.equal(answer.headers['vary'], cors[0] === '*' ? undefined : 'Origin');
        const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
        for (const name of [
          'authorization',
          'content-type',
          'if-match',
          'if-none-match',
          'idempotency-key',
          'last-event-id',
          'x-request-id',
          'traceparent',
          'tracestate',
        ])
          t.ok(allowed.includes(name), name);
        t.equal(answer.headers['access-control-allow-credentials'], undefined);
        t.equal(answer.headers['access-control-allow-private-network'], undefined);
      }
    }
    t.equal((await ask('/y', preflight(editor))).status, 404, 'where there is nothing, there is nothing to ask about');
    t.same(listener.metrics.other.endings, [
      { ending: '204', count: 9 },
      { ending: '404', count: 1 },
    ]);
    t.equal(listener.inFlight, 0);
  }
});

t.test('a preflight of another origin is a 204 without CORS headers, and an incomplete one is an ordinary request', async (t) => {
  const { ask, raw } = await start(t, [editor]);
  for (const origin of ['https://evil.example', 'null', `${editor}/`]) {
    const answer = await ask('/x', preflight(origin));
    t.equal(answer.status, 204);
    t.same(ofBrowsers(answer), []);
    t.equal(answer.headers['vary'], 'Origin');
  }
  const { 'access-control-request-method': _, ...noMethod } = preflight(editor).headers;
  t.equal((await ask('/x', { method: 'OPTIONS', headers: noMethod })).status, 405);
  t.equal((await ask('/x', { ...preflight(editor), method: 'GET' })).status, 401, 'nor is a GET with its headers');
  const lines = `Host: x\r\nOrigin: ${editor}\r\nAccess-Control-Request-Method: GET\r\nConnection: close\r\n`;
  t.equal(lastAnswer(await raw(`OPTIONS /x HTTP/1.1\r\n${lines}\r\n`)).status, 204);
  t.equal(lastAnswer(await raw(`OPTIONS /x HTTP/1.1\r\n${lines}Content-Length: 5\r\n\r\n{"a":`)).status, 204);
  t.equal(lastAnswer(await raw(`OPTIONS /x HTTP/1.1\r\n${lines}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).status, 401);
  t.equal(lastAnswer(await raw(`OPTIONS * HTTP/1.1\r\n${lines}\r\n`)).status, 404);
});

t.test('a stopping server answers preflights, so browsers can read its 503', async (t) => {
  const { ask } = await start(t, [editor], { unavailable: () => problems.unavailable('The server is stopping.', 5) });
  t.equal((await ask('/x', preflight(editor))).status, 204);
  const answer = await ask('/x', { headers: { origin: editor } });
  t.equal(answer.status, 503);
  t.equal(answer.headers['access-control-allow-origin'], editor);
});

t.test('a public endpoint for pages of every origin shows them each of its problems, whatever the option says', async (t) => {
  const open = (path: string, error: Error): Endpoint<string> => ({
    ...{ method: 'GET', path, prefixes: [''], public: true, problemHeaders: { 'Access-Control-Allow-Origin': '*' } },
    handle: () => refuse(error),
  });
  const cases = [
    ['/gone', problems.notFound(), 404],
    ['/starved', problems.unavailable('Sixteen wait.', 1), 503],
    ['/fault', new Error('broken'), 500],
  ] as const;
  for (const cors of [undefined, [editor]]) {
    const { ask } = await serve(
      t,
      cases.map(([path, error]) => open(path, error)),
      cors === undefined ? {} : { cors },
    );
    for (const [path, , status] of cases) {
      const answer = await ask(path, { anonymous: true, headers: { origin: 'https://visited.example' } });
      t.equal(answer.status, status, path);
      t.equal(answer.headers['access-control-allow-origin'], '*', path);
    }
  }
});

t.test('each response to pipelined requests has the CORS headers of its own origin', async (t) => {
  const { raw } = await start(t, [editor, local]);
  const from = (origin: string, more = ''): string => `GET /probe HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n${more}\r\n`;
  const text = await raw(from(editor) + from('https://evil.example') + from(local, 'Connection: close\r\n'));
  const answers = text.split('HTTP/1.1 200 OK').slice(1);
  t.same(
    answers.map((answer) => /Access-Control-Allow-Origin: (.*)\r/.exec(answer)?.[1]),
    [editor, undefined, local],
  );
});

t.test('a compressed response to an allowed origin has one Vary header with both names', async (t) => {
  const { ask } = await start(t, [editor]);
  const { headers } = await ask('/list', { headers: { origin: editor, 'accept-encoding': 'br' } });
  t.match(headers, { 'content-encoding': 'br', vary: 'Origin, Accept-Encoding' });
});

/** What `createServer` says about the option; `undefined` if it starts. */
const faultOf = (cors: readonly unknown[]): Promise<string | undefined> =>
  createServer({ inMemory: true, log: silent, cors: cors as string[] }).then(
    (server) => server.close().then(() => undefined),
    ({ message }: Error) => message,
  );

t.test('an invalid origin is reported with an example', async (t) => {
  const rows: [origins: readonly unknown[], fault: string | RegExp | undefined][] = [
    [[], undefined],
    [['*'], undefined],
    [[editor, local], undefined],
    [['http://127.0.0.1:8080', 'http://[::1]:3000', 'https://xn--mnchen-3ya.example'], undefined],
    [['capacitor://localhost', 'chrome-extension://abcdefghijklmnop', 'moz-extension://1b2c-3d'], undefined],
    [
      ['https://editor.example/'],
      `the option "cors" of createServer is invalid: "https://editor.example/" is not an origin (scheme://host[:port], no path): for example ${editor}`,
    ],
    [[local, 'https://editor.example/app?x=1'], /"https:\/\/editor.example\/app\?x=1" .* for example https:\/\/editor\.example$/],
    [['HTTPS://Editor.Example:443'], /for example https:\/\/editor\.example$/],
    [['http://localhost:80'], /for example http:\/\/localhost$/],
    [['https://münchen.example'], /for example https:\/\/xn--mnchen-3ya\.example$/],
    [['editor.example'], /for example https:\/\/editor\.example, http:\/\/localhost:5173, or \* for all$/],
    [['localhost:5173'], /or \* for all$/],
    [['null'], /"null" is not an origin/],
    [['https://*.example'], /or \* for all$/],
    [['https://'], /or \* for all$/],
    [['file:///index.html'], /or \* for all$/],
    [['https://a.example https://b.example'], /or \* for all$/],
    [['https://a.example\r\nSet-Cookie: a'], /is not an origin/],
    [[''], /"" is not an origin/],
    [[undefined], /is not an origin/],
    [[5], /5 is not an origin/],
    [['*', editor], /"\*" allows all origins/],
  ];
  for (const [origins, fault] of rows) {
    const found = await faultOf(origins);
    if (fault instanceof RegExp) t.match(found, fault, String(origins));
    else t.equal(found, fault, String(origins));
  }
});
