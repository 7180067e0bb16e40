/** One fetch of a data source from a server that is slow, broken or hostile: each ends with an outcome that a person understands. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import zlib from 'node:zlib';
import t, { type Test } from 'tap';
import { type FetchOptions, type FetchOutcome, fetchSource } from '../../src/live/sources/fetch-source.ts';
import { HostRules } from '../../src/live/sources/host-rules.ts';
import { redirectTarget } from '../../src/live/sources/source-redirect.ts';
import { parseSource, type StoredSource } from '../../src/live/sources/source-request.ts';
import fc from '../support/fast-check.ts';
import { freePort } from '../support/ports.ts';
import { temporaryFolder } from '../support/process.ts';
import { type Answer, type HostileSource, raw, redirect, sent, startSource } from './hostile-source.ts';

const bytesMax = 64 * 1024;
const quickly = 200;

/** Options under which only this source is allowed. */
const optionsFor = (source: HostileSource, more: Partial<FetchOptions> = {}): FetchOptions => ({
  hosts: new HostRules(source.host),
  forbidden: () => [],
  timeoutMs: 30_000,
  bytesMax,
  ...more,
});

/** Fetches a stored data source; wrong members fail as in `LiveSources`. */
async function fetched(stored: StoredSource, options: FetchOptions): Promise<FetchOutcome> {
  const parsed = parseSource(stored);
  if ('problem' in parsed) return { kind: 'failed', status: null, ms: 0, problem: parsed.problem };
  return fetchSource(parsed.request, options);
}

interface Shown {
  readonly kind: string;
  readonly status: number | null;
  readonly code?: string;
  readonly detail?: string;
  readonly json?: string;
}

/** An outcome without what differs between runs. */
function shown(outcome: FetchOutcome, port: number): Shown {
  const { kind, status } = outcome;
  if (kind === 'body') return { kind, status, json: outcome.json };
  if (kind === 'unchanged') return { kind, status };
  const { code, detail } = outcome.problem;
  return { kind, status, code, detail: withoutVersions(detail.replaceAll(String(port), 'PORT')) };
}

/** Versions of Node differ in the reasons of their parsers. */
const withoutVersions = (detail: string): string => detail.replace(/HPE_\w+/, 'HPE');

const failed = (status: number | null, code: string, detail: string): Shown => ({ kind: 'failed', status, code, detail });

/** A body of which no end is sent. */
const endless = (response: { write(chunk: Buffer): boolean; once(event: string, listener: () => void): unknown }): void => {
  const more = (): void => {
    while (response.write(Buffer.alloc(16 * 1024, ' ')));
    response.once('drain', more);
  };
  more();
};

const tooLarge = failed(
  200,
  'too_large',
  'The response is larger than 65536 bytes (--data-mb), after decompression. Ask the source for less, with a filter in the URL.',
);
const notLikeJson = 'The response does not begin like JSON. Check that the URL is that of the data, and that the source works.';
const notHtml = 'The response is HTML or XML, not JSON. Check that the URL is that of the data, not of a page (or of a sign-in).';
const dripped =
  'The source did not send a complete response within 0.2 s (--data-timeout). Check that it runs, or ask it for less.';
const deep = `${'['.repeat(65)}1${']'.repeat(65)}`;
const bomb = zlib.gzipSync(Buffer.alloc(50 * bytesMax));

/** What the source does, and what the fetch says. The title continues "a source that …". */
const cases: readonly {
  readonly title: string;
  readonly does: Answer;
  readonly is: Shown;
  readonly timeoutMs?: number;
}[] = [
  {
    title: 'closes the connection without an answer is a failed connection',
    does: (response) => response.socket?.destroy(),
    is: failed(
      null,
      'connection_failed',
      '127.0.0.1:PORT ended the connection before the response was complete (the connection was reset). Check the source, and whether its port expects https.',
    ),
  },
  {
    title: 'stalls before its answer is a timeout',
    does: () => undefined,
    timeoutMs: quickly,
    is: failed(null, 'timeout', dripped),
  },
  {
    title: 'stalls within its headers is a timeout',
    does: (response) => response.socket?.write('HTTP/1.1 200 OK\r\nX-'),
    timeoutMs: quickly,
    is: failed(null, 'timeout', dripped),
  },
  {
    title: 'drips its body is a timeout',
    does: (response) => {
      response.write('[');
      const timer = setInterval(() => response.write('1,'), 5);
      response.once('close', () => clearInterval(timer));
    },
    timeoutMs: quickly,
    is: failed(null, 'timeout', dripped),
  },
  {
    title: 'answers 100 Continue without end is a timeout',
    does: (response) => {
      const timer = setInterval(() => response.socket?.write('HTTP/1.1 100 Continue\r\n\r\n'), 5);
      response.once('close', () => clearInterval(timer));
    },
    timeoutMs: quickly,
    is: failed(null, 'timeout', dripped),
  },
  { title: 'never ends is too large', does: endless, is: tooLarge },
  {
    title: 'ends before the announced length is a failed connection',
    does: raw('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[1'),
    is: failed(
      200,
      'connection_failed',
      '127.0.0.1:PORT ended the connection before the response was complete (the connection was reset). Check the source, and whether its port expects https.',
    ),
  },
  {
    title: 'announces 3 GB is refused before its body is read',
    does: (response) => response.socket?.write(`HTTP/1.1 200 OK\r\nContent-Length: ${3e9}\r\n\r\n[`),
    is: failed(
      200,
      'too_large',
      'The response is larger than 65536 bytes (--data-mb), after decompression. It announces 2861 MiB. Ask the source for less, with a filter in the URL.',
    ),
  },
  { title: 'sends a gzip bomb is too large', does: sent(bomb, { 'content-encoding': 'gzip' }), is: tooLarge },
  {
    title: 'sends a brotli bomb is too large',
    does: sent(zlib.brotliCompressSync(Buffer.alloc(50 * bytesMax)), { 'content-encoding': 'br' }),
    is: tooLarge,
  },
  {
    title: 'sends compressed bytes without end that decompress to nothing is too large',
    does: (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const nothing = Buffer.concat(Array.from({ length: 500 }, () => zlib.gzipSync('')));
      endless({ write: () => response.write(nothing), once: response.once.bind(response) });
    },
    is: tooLarge,
  },
  {
    title: 'says gzip and sends none does not decompress',
    does: sent('[1]', { 'content-encoding': 'gzip' }),
    is: failed(
      200,
      'invalid_encoding',
      'The response has Content-Encoding "gzip", but it does not decompress. Check the source, or set a header Accept-Encoding: identity.',
    ),
  },
  {
    title: 'sends half of its gzip does not decompress',
    does: sent(zlib.gzipSync('[1,2,3]').subarray(0, 15), { 'content-encoding': 'gzip' }),
    is: failed(
      200,
      'invalid_encoding',
      'The response has Content-Encoding "gzip", but it does not decompress. Check the source, or set a header Accept-Encoding: identity.',
    ),
  },
  {
    title: 'uses an unknown encoding is refused',
    does: sent('[1]', { 'content-encoding': 'zstd' }),
    is: failed(
      200,
      'invalid_encoding',
      'The response has Content-Encoding "zstd", which is not one of gzip, deflate, br. Check the source, or set a header Accept-Encoding: identity.',
    ),
  },
  {
    title: 'sends invalid UTF-8 is refused',
    does: sent(Buffer.from([0x22, 0xc3, 0x28, 0x22])),
    is: failed(200, 'invalid_utf8', 'The response is not valid UTF-8. Let the source send its JSON in UTF-8.'),
  },
  {
    title: 'sends UTF-16 is refused',
    does: sent(Buffer.from('\ufeff[1]', 'utf16le')),
    is: failed(200, 'invalid_utf8', 'The response is not valid UTF-8. Let the source send its JSON in UTF-8.'),
  },
  {
    title: 'sends HTML is refused, whatever its content type',
    does: sent(' <!doctype html><title>Sign in</title>', { 'content-type': 'application/json' }),
    is: failed(200, 'invalid_json', notHtml),
  },
  {
    title: 'sends an empty body is refused',
    does: sent('\r\n'),
    is: failed(200, 'empty', 'The response has no body. Check that the URL is that of the data.'),
  },
  {
    title: 'answers 204 has no body',
    does: sent('', {}, 204),
    is: failed(204, 'empty', 'The response has no body. Check that the URL is that of the data.'),
  },
  {
    title: 'sends plain text is refused without a quotation',
    does: sent('\x1b]0;secret\x07 is down'),
    is: failed(200, 'invalid_json', notLikeJson),
  },
  {
    title: 'ends in the middle of its JSON is refused',
    does: sent('{"secret":'),
    is: failed(200, 'invalid_json', 'The response cannot be used. The document is not valid JSON at its end. Check the source.'),
  },
  {
    title: 'sends no JSON at a place that the parser does not name is refused without a quotation',
    does: sent('{"secret":\x1b}'),
    is: failed(200, 'invalid_json', 'The response cannot be used. The document is not valid JSON. Check the source.'),
  },
  {
    title: 'sends a coding with characters of a terminal is refused without them',
    does: raw('HTTP/1.1 200 OK\r\nContent-Encoding: a\x9b31m\r\nContent-Length: 3\r\n\r\n[1]'),
    is: failed(
      200,
      'invalid_encoding',
      'The response has Content-Encoding "a??31m", which is not one of gzip, deflate, br. Check the source, or set a header Accept-Encoding: identity.',
    ),
  },
  {
    title: 'sends text that is no JSON is refused',
    does: sent('{"a":1,}'),
    is: failed(
      200,
      'invalid_json',
      'The response cannot be used. The document is not valid JSON at position 7. Check the source.',
    ),
  },
  {
    title: 'nests too deeply is refused',
    does: sent(deep),
    is: failed(
      200,
      'invalid_json',
      'The response cannot be used. The document is nested too deeply: at most 64 levels are read. Check the source.',
    ),
  },
  {
    title: 'sends a member __proto__ is refused',
    does: sent('{"a":[{"__proto__":{"admin":true}}]}'),
    is: failed(
      200,
      'invalid_json',
      'The response cannot be used. __proto__ is a member name that is never accepted; leave it out or rename it. Check the source.',
    ),
  },
  {
    title: 'sends a number beyond every float is refused',
    does: sent('{"a":1e999}'),
    is: failed(
      200,
      'invalid_json',
      'The response cannot be used. A value in it must be a finite number: what was sent is beyond ±1.7976931348623157e+308, the range of a 64-bit float. Check the source.',
    ),
  },
  {
    title: 'answers 401 names the headers',
    does: sent('no', {}, 401),
    is: failed(
      401,
      'http_status',
      '127.0.0.1:PORT answered 401 Unauthorized. Check the headers of the data source, such as Authorization.',
    ),
  },
  {
    title: 'answers 503 without end is a failed status, its body unread',
    does: (response) => {
      response.writeHead(503);
      endless(response);
    },
    is: failed(503, 'http_status', '127.0.0.1:PORT answered 503 Service Unavailable. The source failed: check it, or wait.'),
  },
  {
    title: 'answers 304 to no condition is a failed status',
    does: sent('', {}, 304),
    is: failed(304, 'http_status', '127.0.0.1:PORT answered 304 Not Modified. Check URL, method and headers of the data source.'),
  },
  {
    title: 'switches protocols is refused',
    does: raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n'),
    is: failed(
      null,
      'connection_failed',
      '127.0.0.1:PORT ended the connection before the response was complete (it sent no response). Check the source, and whether its port expects https.',
    ),
  },
  {
    title: 'speaks another protocol is an invalid response',
    does: raw('220 mail.example.com ESMTP\r\n'),
    is: failed(
      null,
      'invalid_response',
      '127.0.0.1:PORT does not answer in valid HTTP/1.1 (HPE). Check host and port of the URL.',
    ),
  },
  {
    title: 'sends headers without end is an invalid response',
    does: raw('HTTP/1.1 200 OK\r\n', ...Array.from({ length: 40 }, () => `X-Long: ${'x'.repeat(1000)}\r\n`)),
    is: failed(
      null,
      'invalid_response',
      '127.0.0.1:PORT does not answer in valid HTTP/1.1 (HPE). Check host and port of the URL.',
    ),
  },
  {
    title: 'sends two framings is an invalid response',
    does: raw('HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n'),
    is: failed(
      null,
      'invalid_response',
      '127.0.0.1:PORT does not answer in valid HTTP/1.1 (HPE). Check host and port of the URL.',
    ),
  },
  {
    title: 'redirects in a circle is refused after three redirects',
    does: redirect('/'),
    is: failed(
      302,
      'redirect_refused',
      'The source redirects more than 3 times, last to 127.0.0.1:PORT. Write the final URL into the data source.',
    ),
  },
  {
    title: 'redirects to a file is refused',
    does: redirect('file:///etc/passwd'),
    is: failed(
      302,
      'redirect_refused',
      'The source redirects to a URL that is not fetched: the scheme is "file:", and only http: and https: are fetched. Check the source.',
    ),
  },
  {
    title: 'redirects with credentials is refused, without showing them',
    does: redirect('http://user:secret@example.com/'),
    is: failed(
      302,
      'redirect_refused',
      'The source redirects to a URL that is not fetched: it contains a user name or a password, which are not sent; remove them and use a header Authorization instead. Check the source.',
    ),
  },
  {
    title: 'redirects nowhere is refused',
    does: sent('', {}, 301),
    is: failed(
      301,
      'redirect_refused',
      'The source redirects without a valid Location header. Check the URL of the data source.',
    ),
  },
  {
    title: 'redirects to a private address is refused',
    does: redirect('http://169.254.169.254/latest/meta-data/'),
    is: failed(
      null,
      'address_refused',
      "169.254.169.254 is an address that is not public (private, loopback, link-local, reserved, or of this server). The server's operator can allow it: --data-hosts 169.254.169.254. Or push responses with PUT.",
    ),
  },
  {
    title: 'redirects to a private address in hexadecimal is refused',
    does: redirect('http://0x7f.1/'),
    is: failed(
      null,
      'address_refused',
      "127.0.0.1 is an address that is not public (private, loopback, link-local, reserved, or of this server). The server's operator can allow it: --data-hosts 127.0.0.1. Or push responses with PUT.",
    ),
  },
  {
    title: 'sends duplicate members is accepted: readers take the last',
    does: sent('{"a":1,"a":2}'),
    is: { kind: 'body', status: 200, json: '{"a":1,"a":2}' },
  },
  {
    title: 'sends JSON as plain text with a byte order mark is accepted',
    does: sent('\ufeff[1]', { 'content-type': 'text/plain' }),
    is: { kind: 'body', status: 200, json: '[1]' },
  },
  {
    title: 'answers 203 in deflate is accepted',
    does: sent(zlib.deflateSync('"ä"'), { 'content-encoding': 'Deflate' }, 203),
    is: { kind: 'body', status: 203, json: '"ä"' },
  },
  {
    title: 'sends exactly the limit is accepted',
    does: sent(zlib.brotliCompressSync(`"${'x'.repeat(bytesMax - 2)}"`), { 'content-encoding': 'br' }),
    is: { kind: 'body', status: 200, json: `"${'x'.repeat(bytesMax - 2)}"` },
  },
];

for (const { title, does, is, timeoutMs = 30_000 } of cases) {
  t.test(`a source that ${title}`, async (t) => {
    const source = await startSource(t, { '/': does });
    const outcome = await fetched({ url: source.url('/') }, optionsFor(source, { timeoutMs }));
    t.strictSame(shown(outcome, source.port), is);
    await source.quiet();
    t.equal(source.open, 0, 'the connection is closed');
  });
}

t.test('a source that refuses connections is a failed connection', async (t) => {
  const port = await freePort();
  const options = { hosts: new HostRules('127.0.0.0/8'), forbidden: () => [], timeoutMs: 30_000, bytesMax };
  t.strictSame(
    shown(await fetched({ url: `http://127.0.0.1:${port}/` }, options), port),
    failed(
      null,
      'connection_failed',
      'Cannot connect to 127.0.0.1:PORT: nothing listens there. Check host and port of the URL, and that the source runs.',
    ),
  );
});

t.test('a gzip bomb is decompressed no further than the limit', async (t) => {
  const huge = zlib.gzipSync(Buffer.alloc(64 * 2 ** 20));
  const source = await startSource(t, { '/': sent(huge, { 'content-encoding': 'gzip' }) });
  const { memoryUsage } = process;
  const before = memoryUsage().arrayBuffers;
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => fetched({ url: source.url('/') }, optionsFor(source))));
  t.ok(outcomes.every(({ kind }) => kind === 'failed'));
  t.ok(memoryUsage().arrayBuffers - before < 64 * 2 ** 20, 'eight bombs take less memory than one of them has bytes');
});

/** Settings that are refused before anything is sent. */
const wrongSettings: readonly (readonly [title: string, source: StoredSource, code: string, detail: string])[] = [
  ['no URL', {}, 'no_url', '/url: the data source has no URL, so it is not fetched. Set a URL, or push a response with PUT.'],
  [
    'a path as its URL',
    { url: '/data.json' },
    'invalid_url',
    '/url: not an absolute URL. Write one such as https://example.com/data.json.',
  ],
  [
    'a file as its URL',
    { url: 'file:///etc/passwd' },
    'invalid_url',
    '/url: the scheme is "file:", and only http: and https: are fetched.',
  ],
  [
    'credentials in its URL',
    { url: 'https://user:secret@example.com/' },
    'invalid_url',
    '/url: it contains a user name or a password, which are not sent; remove them and use a header Authorization instead.',
  ],
  [
    'an unknown method',
    { url: 'http://example.com', method: 'TRACE' },
    'invalid_method',
    '/method: "TRACE" is not one of GET, POST, PUT, PATCH, DELETE.',
  ],
  [
    'headers that are no array',
    { url: 'http://example.com', headers: { a: 1 } },
    'invalid_header',
    '/headers: must be an array of { name, value }.',
  ],
  [
    'a header without a name',
    { url: 'http://example.com', headers: [{ value: 'x' }] },
    'invalid_header',
    '/headers/0/name: must be a text that is not empty. Set it, or remove the header.',
  ],
  [
    'a line break in the name of a header',
    { url: 'http://example.com', headers: [{ name: 'X\r\nHost', value: 'x' }] },
    'invalid_header',
    '/headers/0/name: the name contains a line break. Write letters, digits and hyphens.',
  ],
  [
    'a line break in the value of a header',
    {
      url: 'http://example.com',
      headers: [
        { name: 'A', value: 'b' },
        { name: 'X', value: 'x\r\nHost: other' },
      ],
    },
    'invalid_header',
    '/headers/1/value: the value of "X" contains a line break. Remove it.',
  ],
  [
    'a header value beyond Latin-1',
    { url: 'http://example.com', headers: [{ name: 'X', value: '✓' }] },
    'invalid_header',
    '/headers/0/value: the value of "X" contains a character that a header cannot have (control character, or beyond Latin-1). Remove it.',
  ],
  [
    'a number as the value of a header',
    { url: 'http://example.com', headers: [{ name: 'X', value: 7 }] },
    'invalid_header',
    '/headers/0/value: the value of "X" must be a text. Write it in quotes.',
  ],
  [
    'a header that is null',
    { url: 'http://example.com', headers: [null] },
    'invalid_header',
    '/headers/0/name: must be a text that is not empty. Set it, or remove the header.',
  ],
];

for (const [title, stored, code, detail] of wrongSettings) {
  t.test(`a data source with ${title} is refused with the place of its fault`, async (t) => {
    const parsed = parseSource(stored);
    t.match(parsed, { problem: { code, detail } });
    t.equal('problem' in parsed && parsed.problem.pointer, detail.slice(0, detail.indexOf(':')), 'the pointer');
  });
}

t.test('headers of the connection are refused when they are used, in any case of letters', async (t) => {
  const names = [
    'Host',
    'host',
    'Connection',
    'Content-Length',
    'Transfer-Encoding',
    'TRANSFER-ENCODING',
    'Upgrade',
    'TE',
    'Trailer',
    'Keep-Alive',
    'Proxy-Authorization',
    'Proxy-Connection',
    'Expect',
  ];
  for (const name of names) {
    t.match(
      parseSource({
        url: 'http://example.com',
        headers: [
          { name: 'A', value: '' },
          { name, value: '1' },
        ],
      }),
      {
        problem: {
          code: 'invalid_header',
          pointer: '/headers/1/name',
          detail: `/headers/1/name: "${name}" belongs to the connection; the server sets it. Remove it.`,
        },
      },
    );
  }
});

t.test('method, headers and body are sent as they are stored', async (t) => {
  const source = await startSource(t, { '/a?b=%20': sent('1') });
  const stored = {
    url: `${source.url('/a?b=%20')}#part`,
    headers: [
      { name: 'X-Key', value: 'one' },
      { name: 'X-KEY', value: 'two ä' },
      { name: 'accept', value: 'text/csv' },
    ],
    body: '{"ä": 1}',
  };
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    t.match(await fetched({ ...stored, method }, optionsFor(source)), { kind: 'body', json: '1' }, method);
  t.strictSame(
    source.arrived.map(({ method, body }) => [method, body]),
    [
      ['GET', ''],
      ['POST', stored.body],
      ['PUT', stored.body],
      ['PATCH', stored.body],
      ['DELETE', ''],
    ],
  );
  for (const { headers, path } of source.arrived) {
    t.equal(path, '/a?b=%20');
    t.match(headers, {
      host: source.host,
      'x-key': 'one, two ä',
      accept: 'text/csv',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': /^mapwright\//,
      connection: 'close',
    });
  }
});

t.test('a redirect of GET within an origin keeps the headers, and another origin never gets them', async (t) => {
  const other = await startSource(t, { '/there': redirect((source) => source.url('/back')), '/back': sent('2') });
  const source = await startSource(t, {
    '/': redirect('/next', 307),
    '/next': sent('1'),
    '/away': redirect(other.url('/there'), 308),
  });
  const options = optionsFor(source, { hosts: new HostRules(`${source.host},${other.host}`) });
  const stored = {
    headers: [
      { name: 'Authorization', value: 'secret' },
      { name: 'Cookie', value: 'secret' },
    ],
  };

  t.match(await fetched({ ...stored, url: source.url('/') }, options), { kind: 'body', json: '1' });
  t.match(await fetched({ ...stored, url: source.url('/away') }, options), { kind: 'body', json: '2' });
  t.ok(source.arrived.every(({ headers }) => headers.authorization === 'secret' && headers.cookie === 'secret'));
  t.equal(other.arrived.length, 2);
  for (const { headers } of other.arrived) t.notMatch(JSON.stringify(headers), 'secret');

  const returning = await startSource(t, { '/': redirect(() => source.url('/next')) });
  const begun = source.arrived.length;
  const through = { ...options, hosts: new HostRules(`${source.host},${returning.host},${other.host}`) };
  await fetched({ ...stored, url: returning.url('/') }, through);
  t.notMatch(JSON.stringify(source.arrived[begun]), 'secret', 'another port is another origin');
});

t.test('a redirect away and back does not bring the headers back', async (t) => {
  const there: { url: string } = { url: '' };
  const other = await startSource(t, { '/': redirect(() => there.url) });
  const source = await startSource(t, { '/': redirect(other.url('/')), '/end': sent('1') });
  there.url = source.url('/end');
  const options = optionsFor(source, { hosts: new HostRules(`${source.host},${other.host}`) });
  const headers = [{ name: 'Authorization', value: 'secret' }];
  t.match(await fetched({ url: source.url('/'), headers }, options), { kind: 'body' });
  t.strictSame(
    source.arrived.map((request) => request.headers.authorization),
    ['secret', undefined],
  );
});

t.test('a redirect of another method than GET is not followed', async (t) => {
  const source = await startSource(t, { '/': redirect('/next', 307), '/next': sent('1') });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    t.strictSame(
      shown(await fetched({ url: source.url('/'), method }, optionsFor(source)), source.port),
      failed(
        307,
        'redirect_refused',
        `The source redirects a ${method} request to 127.0.0.1:PORT. Only GET follows redirects: write the final URL into the data source.`,
      ),
    );
  }
  t.equal(source.arrived.length, 4);
});

t.test('a redirect from https to http is refused, and one from http to https is followed', async (t) => {
  const from = (url: string, location: string) =>
    redirectTarget({ method: 'GET', url: new URL(url), status: 302, location, followed: 0 });
  t.throws(() => from('https://a.example/', 'http://a.example/'), {
    message: 'The source redirects from https to http (a.example), which is not encrypted. Write a URL that stays with https.',
  });
  t.equal(from('http://a.example/', 'https://a.example/x#y').href, 'https://a.example/x');
  t.equal(from('https://a.example/b/c?d', '../e').href, 'https://a.example/e');
  t.equal(from('https://a.example/', '//b.example/').href, 'https://b.example/', 'the scheme stays');
});

t.test('three redirects are followed', async (t) => {
  const source = await startSource(t, {
    '/1': redirect('/2'),
    '/2': redirect('3', 301),
    '/3': redirect('/4', 303),
    '/4': sent('4'),
  });
  t.match(await fetched({ url: source.url('/1') }, optionsFor(source)), { kind: 'body', json: '4' });
});

t.test('a response with an ETag is asked for conditionally, at its own URL only', async (t) => {
  const tagged =
    (etag: string): Answer =>
    (response, request) =>
      void (request.headers['if-none-match'] === etag
        ? response.writeHead(304, { 'cache-control': 'max-age=9' }).end()
        : response.writeHead(200, { etag, 'cache-control': 'private, max-age=300' }).end('1'));
  const source = await startSource(t, { '/': redirect('/data'), '/data': tagged('W/"7"') });
  const options = optionsFor(source);
  const first = await fetched({ url: source.url('/') }, options);
  t.match(first, { kind: 'body', validator: { url: source.url('/data'), etag: 'W/"7"' }, maxAge: 300 });
  const { validator } = first as FetchOutcome & { kind: 'body' };
  t.match(await fetched({ url: source.url('/') }, { ...options, validator }), { kind: 'unchanged', status: 304, maxAge: 9 });
  t.strictSame(
    source.arrived.map(({ headers }) => headers['if-none-match']),
    [undefined, undefined, undefined, 'W/"7"'],
  );
  t.match(
    await fetched({ url: source.url('/data'), headers: [{ name: 'If-None-Match', value: '"own"' }] }, { ...options, validator }),
    {
      kind: 'body',
    },
  );
  t.equal(source.arrived.at(-1)?.headers['if-none-match'], '"own"', 'a stored condition is sent as it is');
});

t.test('a cancelled fetch ends at once and closes its connection', async (t) => {
  const source = await startSource(t, { '/': (response) => void response.write('[') });
  const controller = new AbortController();
  const running = fetched({ url: source.url('/') }, optionsFor(source, { signal: controller.signal }));
  while (source.arrived.length === 0) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  t.match(await running, { kind: 'failed', problem: { code: 'cancelled' } });
  await source.quiet();
  const connections = source.connections;
  t.match(await fetched({ url: source.url('/') }, optionsFor(source, { signal: controller.signal })), {
    problem: { code: 'cancelled' },
  });
  t.equal(source.connections, connections, 'one that is cancelled before its start connects to nothing');
});

t.test('nothing is sent when the connection leads to another address than the one that was checked', async (t) => {
  const source = await startSource(t, { '/': sent('1') });
  const options = optionsFor(source, {
    hosts: new HostRules('127.0.0.9'),
    // As a transparent proxy does it.
    connect: ({ port }) => net.connect({ port, host: '127.0.0.1' }),
  });
  t.strictSame(
    shown(await fetched({ url: `http://127.0.0.9:${source.port}/` }, options), source.port),
    failed(
      null,
      'address_refused',
      'The connection to 127.0.0.9 led to another address than its name, so nothing was sent. Check proxies between server and source.',
    ),
  );
  await source.quiet();
  t.equal(source.arrived.length, 0);
});

t.test('no stored data source makes the check of its settings throw', async () => {
  const member = fc.oneof(fc.jsonValue(), fc.constantFrom('http://a.example', 'GET'));
  const headers = fc.oneof(
    fc.array(fc.record({ name: fc.string({ unit: 'binary' }), value: fc.string({ unit: 'binary' }) })),
    member,
  );
  fc.assert(
    fc.property(fc.record({ url: member, method: member, headers, body: member }), (stored) => {
      const parsed = parseSource(stored as StoredSource);
      if ('request' in parsed) return;
      if (!parsed.problem.detail.startsWith(`${parsed.problem.pointer}: `)) throw new Error(parsed.problem.detail);
    }),
  );
});

t.test('no bytes that a source sends make a fetch reject', async (t) => {
  let bytes: Uint8Array = Buffer.alloc(0);
  const source = await startSource(t, { '/': (response) => void response.socket?.end(bytes) });
  const part = fc.oneof(
    fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 301 \r\nLocation: ',
      'Content-Encoding: gzip\r\n',
      'Transfer-Encoding: chunked\r\n',
      '\r\n',
      '5\r\n[1,2]\r\n',
      '0\r\n\r\n',
      '[1]',
    ),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part), async (parts) => {
      bytes = Buffer.from(parts.join(''), 'latin1');
      const outcome = await fetched({ url: source.url('/') }, optionsFor(source, { timeoutMs: 2000 }));
      if (outcome.kind === 'failed' && !/[.)]$/.test(outcome.problem.detail)) throw new Error(outcome.problem.detail);
    }),
    { numRuns: 60 },
  );
});

const noOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'openssl is not installed';

t.test('https is spoken with a source whose certificate is valid, and with no other', { skip: noOpenssl }, async (t) => {
  const folder = temporaryFolder(t);
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  const plain = await startSource(t, { '/': sent('1') });
  const paths: (string | undefined)[] = [];
  const server = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(certificate) }, ({ url }, response) => {
    paths.push(url);
    if (url === '/data') response.end('[1]');
    else response.writeHead(302, { location: url === '/plain' ? plain.url('/') : '/data' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  const hosts = `127.0.0.1:${port},${plain.host}`;
  const urls = ['/data', '/redirect', '/plain'].map((each) => `https://localhost:${port}${each}`);
  const outcomes = async (environment: NodeJS.ProcessEnv) => {
    const child = spawn(
      process.execPath,
      [...process.execArgv, path.join(import.meta.dirname, `fetch-program${path.extname(import.meta.filename)}`), hosts, ...urls],
      { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    return (JSON.parse(await text(child.stdout)) as FetchOutcome[]).map((outcome) => shown(outcome, port));
  };
  t.match(await outcomes({ NODE_EXTRA_CA_CERTS: certificate }), [
    { kind: 'body', json: '[1]' },
    { kind: 'body', json: '[1]' },
    { code: 'redirect_refused', detail: /from https to http/ },
  ]);
  t.strictSame(paths, ['/data', '/redirect', '/data', '/plain']);
  const [refused] = await outcomes({});
  t.strictSame(
    refused,
    failed(
      null,
      'tls_failed',
      'No secure connection to localhost:PORT: DEPTH_ZERO_SELF_SIGNED_CERT. Check the certificate of the source (it must be valid for this name and from a known authority; NODE_EXTRA_CA_CERTS of the server adds one).',
    ),
  );
  t.equal(paths.length, 4);
  t.equal(plain.arrived.length, 0);
});

t.test('https to a port without TLS says that no secure connection is possible', async (t: Test) => {
  const source = await startSource(t, { '/': sent('1') });
  const outcome = shown(await fetched({ url: source.url('/').replace('http', 'https') }, optionsFor(source)), source.port);
  t.match(outcome, {
    code: 'tls_failed',
    detail: /^No secure connection to 127\.0\.0\.1:PORT: .*Check the certificate of the source/,
  });
});
