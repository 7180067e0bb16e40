/** Addresses that a fetch may reach: ranges, ways to write them, names that resolve to them, and what `--data-hosts` allows. */
import t from 'tap';
import { canonicalAddress } from '../../src/lib/text/address-ranges.ts';
import { type GuardOptions, guardedAddresses } from '../../src/live/sources/address-guard.ts';
import { fetchSource } from '../../src/live/sources/fetch-source.ts';
import { HostRules, validateDataHosts } from '../../src/live/sources/host-rules.ts';
import { parseSource } from '../../src/live/sources/source-request.ts';
import fc from '../support/fast-check.ts';
import { redirect, sent, startSource } from './hostile-source.ts';

/** First and last address of each range that is not public, and of what surrounds it. */
const ranges: readonly (readonly [range: string, inside: readonly string[], outside: readonly string[]])[] = [
  ['this network', ['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  ['private 10/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255', '100.100.100.200'], ['100.63.255.255', '100.128.0.0']],
  ['loopback', ['127.0.0.0', '127.0.0.1', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
  [
    'link-local, with the metadata service',
    ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
    ['169.253.255.255', '169.255.0.0'],
  ],
  ['private 172.16/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  ['protocol assignments', ['192.0.0.0', '192.0.0.192', '192.0.0.255'], ['191.255.255.255', '192.0.1.0']],
  ['documentation 1', ['192.0.2.0', '192.0.2.255'], ['192.0.1.255', '192.0.3.0']],
  ['6to4 relays', ['192.88.99.0', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
  ['private 192.168/16', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
  ['benchmarks', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
  ['documentation 2', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
  ['documentation 3', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['multicast', ['224.0.0.0', '239.255.255.255'], ['223.255.255.255']],
  ['reserved, and broadcast', ['240.0.0.0', '255.255.255.255'], []],
  ['the host of Azure', ['168.63.129.16'], ['168.63.129.15', '168.63.129.17']],
  ['unspecified IPv6', ['::'], []],
  ['loopback IPv6', ['::1', '0:0:0:0:0:0:0:1'], []],
  ['IPv4-compatible', ['::7f00:1', '::127.0.0.1', '::8.8.8.8'], []],
  [
    'IPv4-mapped, checked as IPv4',
    ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1'],
    ['::ffff:8.8.8.8', '::ffff:808:808'],
  ],
  ['IPv4-translated', ['::ffff:0:7f00:1', '::ffff:0:8.8.8.8'], []],
  ['NAT64', ['64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b:1::a00:1', '64:ff9b::808:808'], []],
  ['discard', ['100::1'], []],
  ['Teredo and other protocols', ['2001::', '2001:0:7f00:1::', '2001:1ff:ffff:ffff::'], ['2001:200::', '2000:ffff::']],
  ['documentation IPv6', ['2001:db8::', '2001:db8:ffff::1', '3fff::1'], ['2001:db7:ffff::', '2001:db9::', '3ffe:ffff::']],
  ['6to4', ['2002::', '2002:7f00:1::', '2002:ffff:ffff::'], ['2001:ffff::', '2003::']],
  ['not global unicast', ['1fff::1', '4000::1', '5f00::1'], ['2606:4700:4700::1111', '3ff0::1']],
  ['unique local, with a metadata service', ['fc00::', 'fd00:ec2::254', 'fdff:ffff::1'], []],
  ['link-local IPv6', ['fe80::1', 'febf::1'], []],
  ['site-local', ['fec0::1'], []],
  ['multicast IPv6', ['ff02::1', 'ffff::1'], []],
];

const urlOf = (address: string, port = ''): URL => new URL(`http://${address.includes(':') ? `[${address}]` : address}${port}/`);

const guard = (hosts = '', more: Partial<GuardOptions> = {}): GuardOptions => ({
  hosts: new HostRules(hosts),
  forbidden: () => [],
  ownAddresses: () => [],
  lookup: async (name) => {
    throw Object.assign(new Error(`no look-up of ${name} is expected`), { code: 'EUNEXPECTED' });
  },
  ...more,
});

const guarded = (url: URL, options: GuardOptions): Promise<readonly string[]> =>
  guardedAddresses(url, options, new AbortController().signal);

/** The addresses to connect to, or the code of the problem. */
async function verdict(url: URL, options: GuardOptions): Promise<readonly string[] | string> {
  try {
    return await guarded(url, options);
  } catch (error) {
    return (error as { problem: { code: string } }).problem.code;
  }
}

t.test('every range that is not public is refused from its first to its last address, and its neighbours are not', async (t) => {
  t.ok(ranges.flatMap(([, inside, outside]) => [...inside, ...outside]).length >= 60);
  for (const [range, inside, outside] of ranges) {
    for (const address of inside) {
      t.equal(await verdict(urlOf(address), guard()), 'address_refused', `${range}: ${address}`);
      const named = guard('', { lookup: async () => [address] });
      t.equal(await verdict(new URL('http://a.example/'), named), 'address_refused', `${range}: a name for ${address}`);
    }
    for (const address of outside)
      t.strictSame(await verdict(urlOf(address), guard()), [canonicalAddress(address)], `next to ${range}: ${address}`);
  }
});

t.test('an address is refused however its URL writes it', async (t) => {
  const ways = [
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7F.0x0.0x0.0x1',
    '0177.0.0.1',
    '0177.0.0.01',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '127。0。0。1',
    '１２７.0.0.1',
    '%31%32%37.0.0.1',
    '0',
    '0x0',
    '0xa9fea9fe',
    '2852039166',
    '169.254.43518',
    '10.1',
    '0xa.0x1',
    '192.168.257',
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
  ];
  for (const way of ways) t.equal(await verdict(new URL(`http://${way}/`), guard()), 'address_refused', way);
  for (const way of ['[fe80::1%25eth0]', '[fe80::1%eth0]', '256.0.0.1', '1.2.3.4.5', '0x100000000'])
    t.match(parseSource({ url: `http://${way}/` }), { problem: { code: 'invalid_url' } }, way);
});

t.test('an address with a zone, or a text that is no address, is refused when a name resolves to it', async (t) => {
  for (const address of ['fe80::1%eth0', '2606:4700::1%eth0', 'x', '', '127.1'])
    t.equal(
      await verdict(new URL('http://a.example/'), guard('a.example', { lookup: async () => [address] })),
      'address_refused',
      address,
    );
});

t.test('no IPv4 address is public in a form of IPv6 and refused as itself', async (t) => {
  const part = fc.integer({ min: 0, max: 255 });
  await fc.assert(
    fc.asyncProperty(part, part, part, part, async (...parts) => {
      const address = parts.join('.');
      const plain = await verdict(urlOf(address), guard());
      t.strictSame(await verdict(urlOf(`::ffff:${address}`), guard()), plain);
      const number = parts.reduce((sum, byte) => sum * 256 + byte, 0);
      t.strictSame(await verdict(new URL(`http://${number}/`), guard()), plain);
      t.strictSame(await verdict(new URL(`http://0x${number.toString(16)}/`), guard()), plain);
      t.strictSame(await verdict(new URL(`http://0${number.toString(8)}/`), guard()), plain);
      for (const prefix of ['64:ff9b::', '::', '::ffff:0:'])
        t.equal(await verdict(urlOf(`${prefix}${address}`), guard()), 'address_refused');
    }),
  );
});

t.test('a name with one refused address among its addresses is refused', async (t) => {
  const url = new URL('http://a.example/');
  const resolving = (...addresses: string[]) => guard('', { lookup: async () => addresses });
  t.strictSame(await verdict(url, resolving('8.8.8.8', '2606:4700::1')), ['8.8.8.8', '2606:4700::1']);
  t.equal(await verdict(url, resolving('8.8.8.8', '10.0.0.1')), 'address_refused');
  t.equal(await verdict(url, resolving('2606:4700::1', '::1', '8.8.8.8')), 'address_refused');
  t.equal(await verdict(url, resolving()), 'name_not_found');
});

t.test('an address of this machine is refused, even if it is public', async (t) => {
  const own = { ownAddresses: () => ['8.8.8.8', '2606:4700::1', 'fe80::1%eth0'] };
  t.equal(await verdict(urlOf('8.8.8.8'), guard('', own)), 'address_refused');
  t.equal(await verdict(urlOf('::ffff:808:808'), guard('', own)), 'address_refused');
  t.equal(await verdict(urlOf('2606:4700:0:0::1'), guard('', own)), 'address_refused');
  t.strictSame(await verdict(urlOf('8.8.8.8'), guard('8.8.8.8', own)), ['8.8.8.8']);
});

t.test('the detail names the host and the flag, and not the address that a name resolves to', async (t) => {
  await t.rejects(guarded(new URL('http://db.corp.example:8080/x?token=1'), guard('', { lookup: async () => ['10.1.2.3'] })), {
    message:
      "db.corp.example resolves to an address that is not public (private, loopback, link-local, reserved, or of this server). The server's operator can allow it: --data-hosts db.corp.example:8080. Or push responses with PUT.",
  });
  await t.rejects(guarded(new URL('http://gone.example/'), guard()), {
    message:
      'The name gone.example cannot be resolved (EUNEXPECTED). Check the host of the URL, and that the server can resolve names.',
  });
});

t.test('a rule allows names, addresses and ranges, on every port or on one', async (t) => {
  const lookup = async () => ['10.0.0.5'];
  const cases: readonly (readonly [rules: string, url: string, isAllowed: boolean])[] = [
    ['sensors.internal', 'http://sensors.internal/', true],
    ['sensors.internal', 'http://SENSORS.internal.:9000/', true],
    ['Sensors.Internal.', 'https://sensors.internal/', true],
    ['sensors.internal', 'http://other.internal/', false],
    ['sensors.internal', 'http://a.sensors.internal/', false],
    ['sensors.internal', 'http://10.0.0.5/', false],
    ['sensors.internal:9000', 'http://sensors.internal:9000/', true],
    ['sensors.internal:9000', 'http://sensors.internal/', false],
    ['sensors.internal:443', 'https://sensors.internal/', true],
    ['sensors.internal:80', 'http://sensors.internal/', true],
    ['bücher.internal', 'http://xn--bcher-kva.internal/', true],
    ['xn--bcher-kva.internal', 'http://bücher.internal/', true],
    ['10.0.0.5', 'http://any.internal/', true],
    ['10.0.0.5', 'http://10.0.0.5:81/', true],
    ['10.0.0.6', 'http://10.0.0.5/', false],
    ['10.0.0.0/8', 'http://any.internal/', true],
    ['10.0.0.0/8', 'http://[::ffff:10.0.0.5]/', true],
    ['10.0.0.0/30', 'http://10.0.0.5/', false],
    ['10.0.0.0/8:9000', 'http://10.1.1.1:9000/', true],
    ['10.0.0.0/8:9000', 'http://10.1.1.1:9001/', false],
    ['127.0.0.1:9000', 'http://127.0.0.1:9000/', true],
    ['127.0.0.1:9000', 'http://127.0.0.2:9000/', false],
    ['127.0.0.1:9000', 'http://[::ffff:7f00:1]:9000/', true],
    ['127.0.0.1:9000', 'http://[::7f00:1]:9000/', false],
    ['::1', 'http://[::1]:5/', true],
    ['[::1]', 'http://[::1]:5/', true],
    ['[::1]:9000', 'http://[::1]:9000/', true],
    ['[::1]:9000', 'http://[::1]/', false],
    ['fd00::/8', 'http://[fd12::1]/', true],
    ['[fd00::/8]:9000', 'http://[fd12::1]:9000/', true],
    ['[fd00::/8]:9000', 'http://[fd12::1]:9001/', false],
    ['0.0.0.0/0', 'http://127.0.0.1/', true],
    ['0.0.0.0/0', 'http://[::1]/', false],
    ['a.example, 10.0.0.0/8 ,[::1]:9000', 'http://10.0.0.5/', true],
    ['', 'http://10.0.0.5/', false],
  ];
  for (const [rules, url, isAllowed] of cases) {
    t.equal(validateDataHosts(rules), undefined, rules);
    const addresses = await verdict(new URL(url), guard(rules, { lookup }));
    t.equal(typeof addresses !== 'string', isAllowed, `${rules || 'no rule'} and ${url}`);
  }
});

t.test('a wrong entry of --data-hosts is refused with the entry and what is accepted', async (t) => {
  const accepted =
    'write a name such as sensors.internal, an address, or a range such as 10.0.0.0/8, each with or without a port (127.0.0.1:9000, [::1]:9000), separated by commas';
  const cases: readonly (readonly [entry: string, reason: string])[] = [
    ['*.internal', 'is not a host name (wildcards are not supported)'],
    ['http://a.example', 'is a URL, not a host'],
    ['http://a.example:80', 'is a URL, not a host'],
    ['a.example/path', 'is not an address or a range'],
    ['a b', 'is not a host name (wildcards are not supported)'],
    ['-a.example', 'is not a host name (wildcards are not supported)'],
    ['a..example', 'is not a host name (wildcards are not supported)'],
    ['user@a.example', 'is not a host name (wildcards are not supported)'],
    ['127.1', 'is not an address in dotted decimal form, which may be 127.0.0.1'],
    ['0x7f.1', 'is not an address in dotted decimal form, which may be 127.0.0.1'],
    ['256.1.1.1', 'is not a host name (wildcards are not supported)'],
    ['10.0.0.0/33', 'is not an address or a range'],
    ['10.0.0.0/', 'is not an address or a range'],
    ['10.0.0.0/8/8', 'is not an address or a range'],
    ['fd00::/129', 'is not an address or a range'],
    ['::ffff:10.0.0.1', 'is not an address or a range'],
    ['fe80::1%eth0', 'is not an address or a range'],
    ['[a.example]:80', 'is not an address or a range'],
    ['[::1', 'is not an address or a range'],
    ['::1:99999', 'is not an address or a range'],
    ['a.example:0', 'has a port that is not a number from 1 to 65535'],
    ['a.example:65536', 'has a port that is not a number from 1 to 65535'],
    ['a.example:http', 'has a port that is not a number from 1 to 65535'],
    ['a.example:', 'has a port that is not a number from 1 to 65535'],
    ['', 'is an empty entry'],
  ];
  for (const [entry, reason] of cases) {
    t.equal(validateDataHosts(`ok.example,${entry},10.0.0.0/8`), `"${entry}" ${reason}: ${accepted}`);
    t.throws(() => new HostRules(`ok.example,${entry}`), { message: `"${entry}" ${reason}: ${accepted}` });
  }
});

t.test('no text makes the check of --data-hosts throw, and what it accepts is a rule', async (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.ipV4(), fc.ipV6(), fc.webAuthority()), (text) => {
      const wrong = validateDataHosts(text);
      if (wrong === undefined) new HostRules(text);
      else t.ok(wrong.includes('write a name'));
    }),
  );
});

t.test('listeners, peers and the database of the server are refused whatever is allowed', async (t) => {
  const everything = '0.0.0.0/0,::/0,db.internal,peer.internal';
  const addresses: Readonly<Record<string, readonly string[]>> = {
    'db.internal': ['10.0.0.7'],
    'alias.internal': ['10.0.0.7'],
    'peer.internal': ['10.0.0.8', 'fd00::8'],
    localhost: ['127.0.0.1', '::1'],
  };
  const cases: readonly (readonly [forbidden: string, url: string, isRefused: boolean])[] = [
    ['127.0.0.1:8070', 'http://127.0.0.1:8070/', true],
    ['127.0.0.1:8070', 'http://127.0.0.1:8071/', false],
    ['127.0.0.1:8070', 'http://[::ffff:127.0.0.1]:8070/', true],
    ['127.0.0.1:8070', 'http://0.0.0.0:8070/', true],
    ['127.0.0.1:8070', 'http://localhost:8070/', true],
    ['localhost:8070', 'http://127.0.0.1:8070/', true],
    ['127.0.0.1:80', 'http://127.0.0.1/', true],
    ['127.0.0.1:443', 'https://127.0.0.1/', true],
    ['0.0.0.0:8070', 'http://127.0.0.1:8070/', true],
    ['0.0.0.0:8070', 'http://127.9.9.9:8070/', true],
    ['0.0.0.0:8070', 'http://192.168.1.2:8070/', true],
    ['0.0.0.0:8070', 'http://192.168.1.3:8070/', false],
    ['[::]:8070', 'http://127.0.0.1:8070/', true],
    ['[::]:8070', 'http://[fd00::2]:8070/', true],
    ['[::]:8070', 'http://[::]:8070/', true],
    [':::8070', 'http://[::1]:8070/', true],
    ['192.168.1.2:8070', 'http://0.0.0.0:8070/', true],
    ['[::1]:8070', 'http://[0:0::1]:8070/', true],
    ['db.internal:5432', 'http://db.internal:5432/', true],
    ['db.internal:5432', 'http://alias.internal:5432/', true],
    ['db.internal:5432', 'http://10.0.0.7:5432/', true],
    ['db.internal:5432', 'http://10.0.0.7:5433/', false],
    ['DB.internal:5432', 'http://10.0.0.7:5432/', true],
    ['peer.internal:8071', 'http://[fd00::8]:8071/', true],
    ['peer.internal:8071', 'http://10.0.0.9:8071/', false],
    ['unknown.internal:8071', 'http://8.8.8.8:8071/', true],
    ['unknown.internal:8071', 'http://8.8.8.8:8072/', false],
  ];
  for (const [entry, url, isRefused] of cases) {
    const options = guard(everything, {
      forbidden: () => [entry],
      ownAddresses: () => ['127.0.0.1', '::1', '192.168.1.2', 'fd00::2'],
      lookup: async (name) => {
        const found = addresses[name];
        if (found === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' });
        return found;
      },
    });
    t.equal((await verdict(new URL(url), options)) === 'address_refused', isRefused, `${entry} and ${url}`);
  }
  await t.rejects(guarded(new URL('http://127.0.0.1:8070/'), guard(everything, { forbidden: () => ['127.0.0.1:8070'] })), {
    message:
      '127.0.0.1 with port 8070 may belong to this server, its cluster or its database. These are never fetched, and --data-hosts cannot allow them. Use another URL.',
  });
});

t.test('a name is resolved once for a request, and the connection goes to the address that was checked', async (t) => {
  const source = await startSource(t, { '/': sent('1'), '/again': redirect('/') });
  const names: string[] = [];
  const resolving = (...answers: string[]) => ({
    hosts: new HostRules(source.host),
    forbidden: () => [],
    timeoutMs: 30_000,
    bytesMax: 1000,
    lookup: async (name: string) => {
      names.push(name);
      return [answers[names.length - 1] ?? '127.0.0.1'];
    },
  });
  const fetched = async (path: string, options: ReturnType<typeof resolving>) => {
    names.length = 0;
    const parsed = parseSource({ url: `http://rebind.example:${source.port}${path}` });
    return 'request' in parsed ? fetchSource(parsed.request, options) : parsed;
  };

  t.match(await fetched('/', resolving('127.0.0.1', '169.254.169.254')), { kind: 'body', json: '1' });
  t.strictSame(names, ['rebind.example'], 'a second answer of the name server is never asked for');
  t.equal(source.arrived[0]?.headers.host, `rebind.example:${source.port}`);

  t.match(await fetched('/', resolving('169.254.169.254')), { problem: { code: 'address_refused' } });
  t.match(await fetched('/again', resolving('127.0.0.1', '127.0.0.1')), { kind: 'body' });
  const before = source.arrived.length;
  t.match(await fetched('/again', resolving('127.0.0.1', '127.0.0.2')), { problem: { code: 'address_refused' } });
  t.strictSame(names, ['rebind.example', 'rebind.example'], 'after a redirect the name is resolved and checked again');
  t.equal(source.arrived.length, before + 1, 'and nothing is sent to the new address');
});
