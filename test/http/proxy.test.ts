/** Behind proxies: which forwarded addresses are trusted, and the path of a public URL. */
import { once } from 'node:events';
import net from 'node:net';
import t, { type Test } from 'tap';
import { basePathOf, Proxies, validatePublicUrl, validateTrustProxy, withoutSlash } from '../../src/http/proxy.ts';
import { type Endpoint, type ListenerOptions, serve } from './harness.ts';

const endpoints: Endpoint<string>[] = [
  {
    method: 'GET',
    path: '/things',
    prefixes: ['/api/v1', '/v1'],
    handle: ({ url }) => ({ kind: 'json', status: 200, json: `{"url":"${url}"}` }),
  },
  { method: 'GET', path: '/things/:id', prefixes: ['/api/v1', '/v1'], handle: () => ({ kind: 'json', status: 200, json: '{}' }) },
  { public: true, method: 'GET', path: '/healthz', prefixes: [''], handle: () => ({ kind: 'json', status: 200, json: '{}' }) },
];

const trusting = (trusted: string): Partial<ListenerOptions<string>> => ({
  logRequests: true,
  proxy: { basePath: '', proxies: new Proxies(trusted) },
});

type Sent = Record<string, string | string[]> | string[];

/** Where a server that trusts these proxies takes a request to come from, which comes from 127.0.0.1. */
async function addressesOf(t: Test, options: Partial<ListenerOptions<string>>, sent: readonly Sent[]): Promise<unknown[]> {
  const { ask, logged } = await serve(t, endpoints, options);
  for (const headers of sent) await ask('/healthz', { headers });
  // The line is written when the answer is out, which its reader may learn first.
  while (logged.length < sent.length) await new Promise(setImmediate);
  return logged.map(([, { address }]) => address);
}

const forwardedFor = (list: string): Sent => ({ 'x-forwarded-for': list });

t.test('forwarded addresses are ignored unless their proxy is trusted', async (t) => {
  const sent = [forwardedFor('192.0.2.1'), { forwarded: 'for=192.0.2.1' }, {}];
  t.strictSame(await addressesOf(t, { logRequests: true }, sent), ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  t.strictSame(await addressesOf(t, trusting('10.0.0.0/8,::1'), sent), ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});

const cases: readonly (readonly [trusted: string, sent: Sent, client: string])[] = [
  ['loopback', {}, '127.0.0.1'],
  ['loopback', forwardedFor('192.0.2.1'), '192.0.2.1'],
  ['loopback', forwardedFor(' 192.0.2.1\t'), '192.0.2.1'],
  // What stands before the client came from the client.
  ['loopback', forwardedFor('127.0.0.1, 10.0.0.1, 192.0.2.1'), '192.0.2.1'],
  ['loopback, uniquelocal', forwardedFor('203.0.113.9, 192.0.2.1, 10.0.0.7'), '192.0.2.1'],
  ['loopback,10.0.0.7', forwardedFor('192.0.2.1, 10.0.0.8, 10.0.0.7'), '10.0.0.8'],
  ['loopback,uniquelocal', forwardedFor('10.0.0.1, 10.0.0.2'), '10.0.0.1'],
  ['127.0.0.0/8', ['X-Forwarded-For', '192.0.2.1', 'X-Forwarded-For', '192.0.2.2'], '192.0.2.2'],
  // With a port, as some proxies write it.
  ['loopback', forwardedFor('192.0.2.1:4711'), '192.0.2.1'],
  ['loopback', forwardedFor('[2001:db8::1]:4711'), '2001:db8::1'],
  ['loopback', forwardedFor('2001:db8::1'), '2001:db8::1'],
  ['loopback', forwardedFor('::ffff:192.0.2.1'), '192.0.2.1'],
  ['loopback', forwardedFor('fe80::1%eth0'), 'fe80::1'],
  ['loopback', forwardedFor(`fe80::1%${'x'.repeat(200)}`), '127.0.0.1'],
  ['loopback', forwardedFor(`1${' '.repeat(15_000)}2`), '127.0.0.1'],
  ['loopback,2001:db8::/32', forwardedFor('192.0.2.1, 2001:db8:1::1'), '192.0.2.1'],
  ['loopback', forwardedFor('192.0.2.1, ::ffff:7f00:2, ::1, ::ffff:127.0.0.3'), '192.0.2.1'],
  // An invalid address ends the list, and its sender counts.
  ['loopback', forwardedFor('unknown'), '127.0.0.1'],
  ['loopback', forwardedFor('192.0.2.1, unknown, 127.0.0.2'), '127.0.0.2'],
  ['loopback', forwardedFor(''), '127.0.0.1'],
  ['loopback', forwardedFor(',,,'), '127.0.0.1'],
  ['loopback', forwardedFor('192.0.2.1,'), '127.0.0.1'],
  ['loopback', forwardedFor('192.0.2.256'), '127.0.0.1'],
  ['loopback', forwardedFor('192.0.2.1:4711:4711'), '127.0.0.1'],
  ['loopback', forwardedFor('[192.0.2.1]'), '127.0.0.1'],
  ['loopback', forwardedFor('[2001:db8::1'), '127.0.0.1'],
  ['loopback', forwardedFor('<script>, "; drop'), '127.0.0.1'],
  ['loopback', forwardedFor('localhost'), '127.0.0.1'],
  // Very long ones: read from the end, and not for long.
  ['loopback', forwardedFor(`${'203.0.113.1,'.repeat(1000)}192.0.2.1`), '192.0.2.1'],
  ['loopback', forwardedFor(`192.0.2.1,${Array.from({ length: 1000 }, (_, i) => `127.0.${i >> 8}.${i & 255}`)}`), '127.0.3.200'],
  ['loopback', forwardedFor('9'.repeat(15_000)), '127.0.0.1'],
  // So many proxies, whatever their addresses.
  ['1', forwardedFor('203.0.113.9, 192.0.2.1'), '192.0.2.1'],
  ['2', forwardedFor('203.0.113.9, 192.0.2.1, 198.51.100.7'), '192.0.2.1'],
  ['2', forwardedFor('192.0.2.1'), '192.0.2.1'],
  ['1', {}, '127.0.0.1'],
  // RFC 7239, where there is nothing else.
  ['loopback', { forwarded: 'for=192.0.2.1' }, '192.0.2.1'],
  ['loopback', { forwarded: 'by=10.0.0.1;FOR="[2001:db8::1]:4711";proto=https' }, '2001:db8::1'],
  ['loopback', { forwarded: 'for=203.0.113.9, for=192.0.2.1, proto=http;for=127.0.0.9' }, '192.0.2.1'],
  ['loopback', { forwarded: 'for=", for=192.0.2.1' }, '192.0.2.1'],
  ['loopback', { forwarded: 'for=_hidden' }, '127.0.0.1'],
  ['loopback', { forwarded: 'proto=https' }, '127.0.0.1'],
  ['loopback', { forwarded: 'for=203.0.113.9', 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
  ['loopback', { forwarded: 'for=203.0.113.9', 'x-forwarded-for': '' }, '127.0.0.1'],
];

for (const [trusted, sent, client] of cases) {
  t.test(`with trusted "${trusted}", ${JSON.stringify(sent).slice(0, 100)} gives the address ${client}`, async (t) => {
    t.strictSame(await addressesOf(t, trusting(trusted), [sent]), [client]);
  });
}

t.test('concurrent requests are each logged with their own client address', async (t) => {
  const { ask, logged } = await serve(t, endpoints, trusting('loopback'));
  const clients = Array.from({ length: 100 }, (_, i) => `192.0.2.${i}`);
  await Promise.all(
    clients.map((client) => ask('/healthz', { headers: { 'x-forwarded-for': client, 'x-request-id': `of-${client}` } })),
  );
  while (logged.length < clients.length) await new Promise(setImmediate);
  for (const [, { address, requestId }] of logged) t.equal(requestId, `of-${address}`);
});

t.test('an IPv4-mapped IPv6 address is matched as IPv4', (t) => {
  const from = (remoteAddress: string) => ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': '192.0.2.1' } }) as never;
  const proxies = new Proxies('127.0.0.1');
  t.equal(proxies.clientOf(from('::ffff:127.0.0.1')), '192.0.2.1');
  t.equal(proxies.clientOf(from('::ffff:127.0.0.2')), '127.0.0.2');
  t.ok(proxies.includes('::ffff:127.0.0.1'));
  t.end();
});

t.test('a closed connection has no address, and a proxy on a Unix socket is trusted by hop count', (t) => {
  const closed = { socket: { remoteAddress: undefined }, headers: { 'x-forwarded-for': '192.0.2.1' } } as never;
  t.equal(new Proxies('loopback').clientOf(closed), '');
  t.equal(new Proxies('1').clientOf(closed), '192.0.2.1', 'a proxy on a socket of the file system');
  t.end();
});

t.test('connections of a trusted proxy are not limited per address', async (t) => {
  const limits = { connectionsPerAddressMax: 1 };
  const { port, listener } = await serve(t, endpoints, { ...trusting('127.0.0.1'), limits });
  const connect = async (localAddress: string) => {
    const socket = net.connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n');
    const answered = once(socket, 'data').then(() => true);
    return Promise.race([answered, once(socket, 'close').then(() => false)]);
  };
  t.strictSame([await connect('127.0.0.1'), await connect('127.0.0.1'), await connect('127.0.0.1')], [true, true, true]);
  t.strictSame([await connect('127.0.0.2'), await connect('127.0.0.2')], [true, false]);
  t.equal(listener.stats().connectionsRefused.tooManyOfAddress, 1);
});

t.test('trusted proxies are a hop count, addresses, networks or names, and other values are refused', (t) => {
  for (const right of [
    '1',
    '31',
    'loopback',
    'linklocal,uniquelocal',
    '10.0.0.0/8',
    '::1',
    '2001:db8::/32',
    '10.0.0.1, 10.0.0.2',
  ])
    t.equal(validateTrustProxy(right), undefined, right);
  const wrong = [
    '0',
    '32',
    '',
    'true',
    'localhost',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/0',
    '::/0',
    '::1/129',
    'fe80::1%eth0',
  ];
  for (const text of [...wrong, '::ffff:10.0.0.0/104', '10.0.0.1,', '-1', '1.5', '10.0.0.0/255.0.0.0'])
    t.match(validateTrustProxy(text), /: write /, text);
  t.end();
});

t.test('a public URL is an http or https URL with an optional path, and other values are refused', (t) => {
  for (const right of [
    'https://a.example',
    'http://a.example:8080/',
    'https://a.example/maps/',
    'http://[::1]/a/b.c',
    'https://a.example/v1x',
  ])
    t.equal(validatePublicUrl(right), undefined, right);
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /not a URL: write one such as https/],
    ['a.example', /not a URL/],
    ['a.example:8080', /not a URL/],
    ['ftp://a.example', /not a URL/],
    ['https://me:pw@a.example/maps', /write https:\/\/a.example\/maps$/],
    ['https://a.example/?', /write https:\/\/a.example\/$/],
    ['https://a.example/maps#top', /write https:\/\/a.example\/maps$/],
    ['https://a.example/maps/v1', /write it without that path, https:\/\/a.example\/maps$/],
    ['https://a.example/api/v1/', /write it without that path, https:\/\/a.example$/],
    ['https://a.example/v1/maps', /includes the path of the API/],
    ['https://a.example/:maps', /between slashes: write one such as https:\/\/a.example\/maps$/],
    ['https://a.example/a b', /between slashes/],
    ['https://a.example/a//b', /between slashes/],
    ['https://a.example/*', /between slashes/],
  ];
  for (const [text, says] of wrong) t.match(validatePublicUrl(text), says, text);
  t.strictSame(
    [withoutSlash('https://A.example/maps//'), basePathOf('https://a.example/maps//')],
    ['https://a.example/maps', '/maps'],
  );
  t.strictSame([withoutSlash('https://a.example'), basePathOf('https://a.example')], ['https://a.example', '']);
  t.end();
});

t.test('requests are served with the path of the public URL and without it', async (t) => {
  const { ask } = await serve(t, endpoints, { proxy: { basePath: '/some/maps' } });
  for (const path of [
    '/v1/things',
    '/api/v1/things',
    '/some/maps/v1/things',
    '/some/maps/api/v1/things',
    '/some/maps/healthz',
    '/healthz',
  ])
    t.equal((await ask(path)).status, 200, path);
  for (const path of [
    '/some/maps/some/maps/v1/things',
    '/some/v1/things',
    '/some/mapsv1/things',
    '/some/maps',
    '/Some/maps/v1/things',
  ])
    t.equal((await ask(path)).status, 404, path);
  t.equal((await ask('/some/maps/v1/things', { anonymous: true })).status, 401);
  t.equal((await ask('/some/maps/v1/things', { method: 'DELETE' })).headers['allow'], 'GET, HEAD');
});

t.test('requests are served if the path of the public URL begins like the API', async (t) => {
  const { ask } = await serve(t, endpoints, { proxy: { basePath: '/api' } });
  for (const path of ['/v1/things', '/api/v1/things', '/api/api/v1/things', '/api/healthz'])
    t.equal((await ask(path)).status, 200, path);
});
