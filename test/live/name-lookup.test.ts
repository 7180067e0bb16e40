/** Names: the hosts file, name servers that are slow, fail or change their answer, and what a fetch connects to then. */
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import t, { type Test } from 'tap';
import { fetchSource } from '../../src/live/sources/fetch-source.ts';
import { HostRules } from '../../src/live/sources/host-rules.ts';
import { NameLookup, type NameLookupOptions } from '../../src/live/sources/name-lookup.ts';
import { candidatesOf, parseHosts, parseSearchRules } from '../../src/live/sources/resolver-files.ts';
import { parseSource } from '../../src/live/sources/source-request.ts';
import { temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';
import { redirect, sent, startSource } from './hostile-source.ts';
import { type NameAnswer, type NameServer, type Question, startNameServer } from './name-server.ts';

const none = '/nonexistent';
const forever = (): AbortSignal => new AbortController().signal;

const namesOf = (servers: readonly NameServer[], more: NameLookupOptions = {}): NameLookup =>
  new NameLookup({ servers: servers.map(({ host }) => host), hostsFile: none, resolverFile: none, ...more });

const answers =
  (all: Readonly<Record<string, NameAnswer>>) =>
  ({ name }: Question): NameAnswer =>
    all[name] ?? 'NXDOMAIN';

t.test('the hosts file and the search rules are read as in their manuals', async (t) => {
  const hosts = parseHosts(
    '127.0.0.1 localhost\n::1 localhost ip6\n# 1.1.1.1 no\n10.0.0.1\tDB.internal db # the database\nno address\n',
  );
  t.strictSame(
    [...hosts],
    [
      ['localhost', ['127.0.0.1', '::1']],
      ['ip6', ['::1']],
      ['db.internal', ['10.0.0.1']],
      ['db', ['10.0.0.1']],
    ],
  );
  t.strictSame(parseSearchRules(''), { search: [], ndots: 1 });
  const rules = parseSearchRules('domain old\nnameserver 10.0.0.2\nsearch a.example. B.example .\noptions timeout:1 ndots:2\n');
  t.strictSame(rules, { search: ['a.example', 'b.example'], ndots: 2 });
  t.strictSame(parseSearchRules('search 1 2 3 4 5 6 7\noptions ndots:99'), { search: ['1', '2', '3', '4', '5', '6'], ndots: 15 });
  t.strictSame(candidatesOf('x.y', rules), ['x.y.a.example', 'x.y.b.example', 'x.y']);
  t.strictSame(candidatesOf('x.y.z', rules), ['x.y.z', 'x.y.z.a.example', 'x.y.z.b.example']);
  t.strictSame(candidatesOf('x.', rules), ['x'], 'a name with a dot at its end is complete');
});

t.test('a name in the hosts file is not looked up elsewhere, and a change of the file counts', async (t) => {
  const server = await startNameServer(t, answers({ 'db.internal': ['10.0.0.9'] }));
  const hostsFile = path.join(temporaryFolder(t), 'hosts');
  writeFileSync(hostsFile, '10.0.0.1 db.internal\n');
  const clock = { now: 0 };
  const names = namesOf([server], { hostsFile, now: () => clock.now });
  t.strictSame(await names.lookup('db.internal', forever()), ['10.0.0.1']);
  t.strictSame(await names.lookup('db.internal.', forever()), ['10.0.0.1']);
  t.strictSame(await names.lookup('localhost', forever()), ['127.0.0.1', '::1'], 'also without an entry');
  t.strictSame(await names.lookup('a.localhost', forever()), ['127.0.0.1', '::1']);
  t.strictSame(server.asked, []);
  writeFileSync(hostsFile, '');
  clock.now = 5000;
  t.strictSame(await names.lookup('db.internal', forever()), ['10.0.0.9']);
});

t.test('a name has its addresses of both families, also in a search domain', async (t) => {
  const server = await startNameServer(
    t,
    answers({
      'both.example': ['192.0.2.1', '2001:db8::1', '192.0.2.2'],
      'short.lan.example': ['10.1.1.1'],
      'empty.example': [],
    }),
  );
  const resolverFile = path.join(temporaryFolder(t), 'resolv.conf');
  writeFileSync(resolverFile, 'search lan.example\n');
  const names = namesOf([server], { resolverFile });
  t.strictSame(await names.lookup('both.example', forever()), ['192.0.2.1', '192.0.2.2', '2001:db8::1']);
  t.strictSame(await names.lookup('short', forever()), ['10.1.1.1']);
  for (const name of ['gone.example', 'empty.example', 'short.'])
    await t.rejects(names.lookup(name, forever()), { code: 'ENOTFOUND' }, name);
});

t.test('after a server that cannot answer, or does not, the next one is asked', async (t) => {
  for (const answer of ['SERVFAIL', 'REFUSED', 'never'] as const) {
    const first = await startNameServer(t, () => answer);
    const second = await startNameServer(t, answers({ 'a.example': ['192.0.2.1'] }));
    t.strictSame(await namesOf([first, second], { queryMs: 50 }).lookup('a.example', forever()), ['192.0.2.1'], answer);
    t.ok(first.count('a.example') > 0);
  }
});

t.test('look-ups of one name share one question, and a failure is kept for five seconds', async (t) => {
  const server = await startNameServer(t, answers({ 'a.example': ['192.0.2.1'], 'broken.example': 'SERVFAIL' }));
  const clock = { now: 0 };
  const names = namesOf([server], { now: () => clock.now });
  await Promise.all(Array.from({ length: 50 }, () => names.lookup('a.example', forever())));
  t.equal(server.count('a.example'), 1);
  await names.lookup('a.example', forever());
  t.equal(server.count('a.example'), 2, 'an address is not kept');
  for (const [name, code] of [
    ['gone.example', 'ENOTFOUND'],
    ['broken.example', 'ESERVFAIL'],
  ] as const) {
    const first = await Promise.allSettled([names.lookup(name, forever()), names.lookup(name, forever())]);
    t.match(first, [{ reason: { code } }, { reason: { code } }]);
    await t.rejects(names.lookup(name, forever()), { code });
    t.equal(server.count(name), 1, name);
  }
  clock.now = 5000;
  await t.rejects(names.lookup('gone.example', forever()), { code: 'ENOTFOUND' });
  t.equal(server.count('gone.example'), 2);
  t.equal(names.failures, 1, 'failures that are over are dropped');
  for (let i = 0; i < 1100; i++) await names.lookup(`${i}.example`, forever()).catch(() => undefined);
  t.equal(names.failures, 1000);
  t.equal(names.running, 0);
});

t.test('a look-up ends with its last caller, and that is no failure of the name', async (t) => {
  let isSlow = true;
  const server = await startNameServer(t, () => (isSlow ? 'never' : ['192.0.2.1']));
  const names = namesOf([server]);
  const callers = [new AbortController(), new AbortController()];
  const [first, second] = callers.map(({ signal }) => names.lookup('slow.example', signal)) as [
    Promise<unknown>,
    Promise<unknown>,
  ];
  const ended = Promise.allSettled([first, second]);
  await until('the question', () => server.count('slow.example') === 1);
  callers[0]?.abort(new Error('first'));
  await t.rejects(first, { message: 'first' });
  t.equal(names.running, 1, 'another one waits');
  callers[1]?.abort(new Error('second'));
  t.match(await ended, [{ reason: { message: 'first' } }, { reason: { message: 'second' } }]);
  t.equal(names.running, 0);
  t.equal(names.failures, 0);
  isSlow = false;
  // The end of the earlier queries arrives meanwhile.
  for (let i = 0; i < 3; i++) t.strictSame(await names.lookup('slow.example', forever()), ['192.0.2.1']);
  t.equal(names.failures, 0);
  await t.rejects(names.lookup('slow.example', AbortSignal.abort(new Error('before'))), { message: 'before' });
});

t.test('names that hang do not delay others', async (t) => {
  const server = await startNameServer(t, ({ name }) => (name.startsWith('slow') ? 'never' : ['192.0.2.1']));
  const names = namesOf([server]);
  const ended = new AbortController();
  const slow = Array.from({ length: 64 }, (_, i) => names.lookup(`slow${i}.example`, AbortSignal.any([ended.signal])));
  const all = Promise.allSettled(slow);
  t.strictSame(await names.lookup('fast.example', forever()), ['192.0.2.1']);
  t.equal(names.running, 64);
  ended.abort(new Error('over'));
  for (const each of await all) t.match(each, { reason: { message: 'over' } });
  t.equal(names.running, 0);
});

t.test('a look-up that takes too long fails, which counts for others', async (t) => {
  const server = await startNameServer(t, () => 'never');
  const names = namesOf([server], { limitMs: 50, now: () => 0 });
  await t.rejects(names.lookup('slow.example', forever()), { code: 'ETIMEOUT' });
  t.strictSame([names.running, names.failures], [0, 1]);
  await t.rejects(names.lookup('slow.example', forever()), { code: 'ETIMEOUT' });
  t.ok(server.count('slow.example') <= 1);
});

/** A source on 127.0.0.2, which is allowed, and a listener on the same port of 127.0.0.1, which is not. */
async function twoHosts(t: Test) {
  const allowed = await startSource(t, { '/': sent('"allowed"'), '/again': redirect(() => '/') }, '127.0.0.2');
  const connections: string[] = [];
  const trap = net.createServer((socket) => {
    connections.push('trap');
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(allowed.port, '127.0.0.1', resolve));
  t.teardown(() => trap.close());
  const fetched = async (names: NameLookup, where = '/', timeoutMs = 30_000) => {
    const parsed = parseSource({ url: `http://rebind.example:${allowed.port}${where}` });
    if (!('request' in parsed)) throw new Error('no request');
    const hosts = new HostRules('127.0.0.2');
    return await fetchSource(parsed.request, { hosts, forbidden: () => [], timeoutMs, bytesMax: 1000, lookup: names.lookup });
  };
  return { fetched, connections, allowed };
}

const refused = { kind: 'failed', problem: { code: 'address_refused' } };
const body = { kind: 'body', json: '"allowed"' };

t.test('a name server that changes its answer leads no fetch to an address that was not checked', async (t) => {
  const { fetched, connections, allowed } = await twoHosts(t);
  // Odd questions get the allowed address, even ones this machine's other one.
  const server = await startNameServer(t, (_, nth) => (nth % 2 === 1 ? ['127.0.0.2'] : ['127.0.0.1']));
  const names = namesOf([server]);
  const outcomes = [];
  for (let i = 0; i < 6; i++) outcomes.push(await fetched(names));
  t.match(outcomes, [body, refused, body, refused, body, refused]);
  t.match(await fetched(names, '/again'), refused, 'the redirect is resolved again');
  t.equal(server.count('rebind.example'), 8, 'one look-up for each request');
  const both = await Promise.all(Array.from({ length: 20 }, () => fetched(names)));
  t.ok(
    both.every(({ kind }) => kind === both[0]?.kind),
    'fetches that share a look-up share its verdict',
  );
  t.strictSame(connections, []);
  t.equal(
    allowed.arrived.filter(({ headers }) => headers.host === `rebind.example:${allowed.port}`).length,
    allowed.arrived.length,
  );
});

t.test('one address that is refused refuses all addresses of a name, in each order and family', async (t) => {
  const { fetched, connections, allowed } = await twoHosts(t);
  for (const all of [
    ['127.0.0.2', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.2', '::1'],
    ['127.0.0.2', '::ffff:7f00:1'],
    [...new Array<string>(20).fill('127.0.0.2'), '169.254.169.254'],
  ]) {
    const server = await startNameServer(t, () => all);
    t.match(await fetched(namesOf([server])), refused, `${all}`);
  }
  t.strictSame([connections.length, allowed.connections], [0, 0]);
});

t.test('a name server that answers late, twice or for another name changes nothing', async (t) => {
  const { fetched, connections } = await twoHosts(t);
  const late = await startNameServer(t, () => ({ afterMs: 30, is: ['127.0.0.2'] }));
  t.match(await fetched(namesOf([late])), body);
  const never = namesOf([await startNameServer(t, () => 'never')]);
  t.match(await fetched(never, '/', 40), { kind: 'failed', problem: { code: 'timeout' } });
  t.equal(never.running, 0, 'the look-up ends with the fetch');
  t.strictSame(connections, []);
});
