/** The cache of compressed responses: each is compressed once, and no client gets a response of another account or an old version. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { CompressedCache } from '../../src/http/response/compressed-cache.ts';
import { Compression } from '../../src/http/response/compression.ts';
import { type ApiRequest, firstAnswer, type Reply, rawOf, serve } from './harness.ts';

const mebibyte = 1024 * 1024;

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly coding?: string;
  readonly key?: string;
  readonly scheme?: string;
}

interface Stage {
  /** Body and tag of the next answers; a stream as long as `parts` is set. */
  text: string;
  etag: string | undefined;
  parts: boolean;
  /** Whether a stream breaks off. */
  breaks: boolean;
  /** Parts of streams that were taken. */
  taken: number;
  closed: number;
  /** The body, decoded; how often it was coded shows in {@link taken}. */
  ask(asked?: Asked): Promise<string>;
  head(asked?: Asked): Promise<string>;
}

/** A server whose every key is an account of its own, with one resource at every path. */
async function stage(t: Test, compressedCache: CompressedCache): Promise<Stage> {
  const state = { text: '', etag: '"1"' as string | undefined, parts: true, breaks: false, taken: 0, closed: 0 };
  function* stream(): Generator<string> {
    for (let at = 0; at < state.text.length; at += 1000) {
      state.taken++;
      if (state.breaks && at > 100_000) throw new Error('broken');
      yield state.text.slice(at, at + 1000);
    }
  }
  const handle = ({ scope }: ApiRequest<string>): Reply => {
    const head = { status: 200, headers: { Link: `<${scope}>` }, ...(state.etag === undefined ? {} : { etag: state.etag }) };
    const parts = stream();
    const close = parts.return.bind(parts);
    parts.return = (value) => {
      state.closed++;
      return close(value);
    };
    return state.parts ? { kind: 'stream', ...head, stream: parts } : { kind: 'json', ...head, json: state.text };
  };
  const { port } = await serve(
    t,
    [
      { method: 'GET', path: '/:name', prefixes: [''], handle },
      { method: 'POST', path: '/:name', prefixes: [''], handle },
    ],
    { compressedCache, authenticate: (token) => token, keyIdOf: (key) => key },
  );
  const raw = ({ path = '/x', method = 'GET', coding = 'br', key = 'ann', scheme = 'Bearer' }: Asked): Promise<string> =>
    rawOf(port, [
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${scheme} ${key}\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`,
    ]);
  const ask = async (asked: Asked = {}): Promise<string> => {
    const { head, body } = firstAnswer(await raw(asked));
    t.match(head, new RegExp(`^HTTP/1.1 200 OK\r\n[^]*\r\nLink: <${asked.key ?? 'ann'}>\r\n`));
    return (asked.coding === 'gzip' ? gunzipSync(body) : brotliDecompressSync(body)).toString();
  };
  const head = async (asked: Asked = {}): Promise<string> => raw({ ...asked, method: 'HEAD' });
  return Object.assign(state, { ask, head });
}

/** Text of so many bytes that differs from every other one. */
const textOf = (name: string, length: number): string => JSON.stringify(name.repeat(length / name.length)).padEnd(length);

for (const parts of [true, false]) {
  for (const length of [20_000, 60_000, 300_000]) {
    t.test(
      `a compressed response of ${length} bytes (${parts ? 'a stream' : 'a text'}) is cached at the second request`,
      async (t) => {
        const kept = new CompressedCache(mebibyte);
        const server = await stage(t, kept);
        server.parts = parts;
        server.text = textOf('one', length);
        t.equal(await server.ask(), server.text);
        t.ok(kept.bytes < 1000, 'it may have been for this once');
        t.equal(await server.ask(), server.text);
        t.ok(kept.bytes > 500);
        const { taken, closed } = server;
        const { bytes } = kept;
        const made = server.text;
        // No real server does this: it shows where a response comes from.
        server.text = textOf('two', length);
        for (let i = 0; i < 3; i++) t.equal(await server.ask(), made);
        for (const spelling of [{ scheme: 'bearer' }, { scheme: 'BEARER' }, { path: '/x?' }, { path: '/x?&' }, { path: '/%78' }])
          t.equal(await server.ask(spelling), made, JSON.stringify(spelling));
        t.equal(kept.bytes, bytes);
        t.equal(server.taken, taken);
        if (parts) {
          t.ok(server.closed >= closed + 3, 'streams that are not needed are closed');
          t.match(await server.head(), /\r\nContent-Encoding: br\r\n/);
        }
        for (const other of [{ coding: 'gzip' }, { key: 'bob' }, { path: '/y' }, { method: 'POST' }] as Asked[]) {
          t.equal(await server.ask({ path: '/x', ...other }), server.text, JSON.stringify(other));
        }
        server.etag = '"2"';
        t.equal(await server.ask(), server.text, 'another version');
      },
    );
  }
}

t.test('a response without a tag, to a write, short or broken off is not cached', async (t) => {
  const kept = new CompressedCache(mebibyte);
  const server = await stage(t, kept);
  server.text = textOf('one', 20_000);
  for (let i = 0; i < 4; i++) await server.ask({ method: 'POST' });
  server.etag = undefined;
  for (let i = 0; i < 4; i++) await server.ask();
  server.etag = '"1"';
  server.text = textOf('one', 5000);
  for (let i = 0; i < 4; i++) await server.ask();
  server.text = textOf('one', 300_000);
  server.breaks = true;
  for (let i = 0; i < 4; i++) await t.rejects(server.ask());
  t.equal(kept.bytes, 0);
  server.breaks = false;
  for (let i = 0; i < 4; i++) t.equal(await server.ask(), server.text);
  t.ok(kept.bytes > 500);
});

t.test('the cache refuses a response above a sixteenth of its size and evicts the least recently used ones', (t) => {
  const kept = new CompressedCache(16_384);
  const body = (name: string): Buffer => Buffer.alloc(1000, name);
  kept.keep('large', Buffer.alloc(1025));
  t.equal(kept.find('large'), undefined, 'a sixteenth of all at the most');
  for (let i = 0; i < 10; i++) kept.keep(`k${i}`, body(`${i}`));
  t.equal(kept.bytes, 10 * 1516);
  t.same(kept.find('k0'), body('0'));
  kept.keep('k0', body('x'));
  t.same(kept.find('k0'), body('0'));
  for (let i = 10; i < 19; i++) kept.keep(`k${i}`, body(`${i}`));
  t.ok(kept.bytes <= kept.limitBytes);
  t.same(kept.find('k0'), body('0'), 'it was asked for since');
  for (let i = 1; i < 10; i++) t.equal(kept.find(`k${i}`), undefined);
  for (let i = 10; i < 19; i++) t.same(kept.find(`k${i}`), body(`${i}`));
  t.equal(new CompressedCache(64 * mebibyte).bodyBytesMax, 256 * 1024);
  t.end();
});

t.test('a first request for a response is forgotten after two thousand requests for others', (t) => {
  const kept = new CompressedCache(16 * mebibyte);
  t.notOk(kept.wants('a'));
  for (let i = 0; i < 1000; i++) kept.wants(`other ${i}`);
  t.ok(kept.wants('a'));
  t.notOk(kept.wants('a'));
  for (let i = 0; i < 2000; i++) kept.wants(`more ${i}`);
  t.notOk(kept.wants('a'));
  t.end();
});

t.test('the cache keeps only responses that the memory budget admits, and is emptied under pressure', (t) => {
  let release = (): void => {};
  let room = true;
  const asked: number[] = [];
  const kept = new CompressedCache(mebibyte, {
    keepExactly: (bytes) => {
      asked.push(bytes);
      return room;
    },
    onPressure: (then) => {
      release = then;
    },
  });
  kept.keep('a', Buffer.alloc(1000));
  t.equal(kept.bytes, 1514);
  release();
  t.equal(kept.bytes, 0);
  t.equal(kept.find('a'), undefined);
  room = false;
  kept.keep('a', Buffer.alloc(1000));
  t.equal(kept.bytes, 0);
  t.same(asked, [1514, 1514]);
  new CompressedCache(0).keep('a', Buffer.alloc(1));
  t.end();
});

t.test('cache keys count against the size of the cache', (t) => {
  const kept = new CompressedCache(mebibyte);
  const bytesWith = (change: () => void): number => {
    const before = kept.bytes;
    change();
    return kept.bytes - before;
  };
  t.equal(
    bytesWith(() => kept.keep('a'.repeat(2000), Buffer.alloc(1000))),
    1000 + 2 * 2000 + 512,
  );
  t.equal(
    bytesWith(() => kept.wants('b'.repeat(2000))),
    2 * 2000 + 64,
  );
  t.equal(
    bytesWith(() => kept.wants('b'.repeat(2000))),
    -(2 * 2000 + 64),
    'of which the answer is to be kept',
  );
  for (const take of [(key: string) => kept.keep(key, Buffer.alloc(1)), (key: string) => kept.wants(key)])
    t.equal(
      bytesWith(() => take('c'.repeat(2049))),
      0,
      'longer ones are not kept',
    );
  for (let i = 0; i < 1000; i++) kept.wants(`${i}`.padEnd(2000));
  t.ok(kept.bytes < 5512 + kept.limitBytes / 16 + 1, 'keys that were asked for once');
  for (let i = 0; i < 1000; i++) kept.keep(`${i}`.padEnd(2000), Buffer.alloc(1));
  t.ok(kept.bytes <= kept.limitBytes);
  t.ok(kept.bytes > kept.limitBytes * 0.99);
  kept.clear();
  t.equal(kept.bytes, 0);
  t.end();
});

t.test('a public path has one cache entry for each coding, whatever its query and headers', async (t) => {
  const kept = new CompressedCache(mebibyte);
  const text = textOf('one', 20_000);
  const { port } = await serve(
    t,
    [
      {
        method: 'GET',
        path: '/page',
        prefixes: [''],
        public: true,
        handle: () => ({ kind: 'json', status: 200, etag: '"1"', json: text }),
      },
    ],
    { compressedCache: kept },
  );
  const ask = (i: number) =>
    rawOf(port, [
      `GET /page?${i} HTTP/1.1\r\nHost: x\r\nAuthorization: ${i}\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n`,
    ]);
  await ask(0);
  await ask(1);
  const { bytes } = kept;
  t.ok(bytes > 0);
  for (let i = 2; i < 20; i++) await ask(i);
  t.equal(kept.bytes, bytes);
  t.equal(kept.hits, 18);
});

t.test('the cache key is not computed for a response that cannot be cached', (t) => {
  const content = (asked: string[]) => ({
    get contentKey() {
      asked.push('asked');
      return 'key';
    },
  });
  for (const [etag, coding, times] of [
    ['"1"', 'identity', 0],
    [undefined, 'br', 0],
    ['"1"', 'br', 1],
  ] as const) {
    const asked: string[] = [];
    t.equal(new Compression(new CompressedCache(1000)).find(content(asked), etag, coding), undefined);
    t.equal(asked.length, times, `${etag} ${coding}`);
  }
  const asked: string[] = [];
  new Compression().find(content(asked), '"1"', 'br');
  t.equal(asked.length, 0, 'without a cache');
  t.end();
});
