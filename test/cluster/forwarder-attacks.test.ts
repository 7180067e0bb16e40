// tier: normal, process: own
/**
 * Bytes that try to pass for another client, another node or another request. What reaches the owner is what the follower read, and
 * nothing else.
 */
import { once } from 'node:events';
import net from 'node:net';
import t, { type Test } from 'tap';
import { ask, codeOf, followerNode, type Handle, ownerNode, until } from './support/forwarding.ts';

interface Seen {
  readonly line: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** An owner that shows what reached it. */
async function pair(t: Test) {
  const seen: Seen[] = [];
  const handle: Handle = (req, res, expectation) => {
    if (expectation === 'continue') res.writeContinue();
    const chunks: Buffer[] = [];
    Object.assign(req, {
      push(piece: Buffer | null) {
        if (piece !== null) chunks.push(piece);
        else {
          seen.push({ line: `${req.method} ${req.url}`, headers: req.headers, body: Buffer.concat(chunks).toString() });
          res.end('{}');
        }
        return true;
      },
    });
  };
  const owner = await ownerNode(t, handle);
  const follower = await followerNode(t, owner);
  return { seen, owner, follower };
}

/** Sends bytes and resolves with everything that came back. */
async function raw(port: number, text: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let got = '';
  socket.on('data', (bytes) => {
    got += bytes.toString('latin1');
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text, 'latin1');
  // A whole response, or the end.
  await Promise.race([once(socket, 'close'), until(() => /\r\n\r\n[\s\S]/.test(got) || /Content-Length: 0/.test(got))]);
  socket.destroy();
  return got;
}

t.test('requests that two programs may read differently never reach the owner', async (t) => {
  const { seen, follower } = await pair(t);
  const head = 'POST /v1/x HTTP/1.1\r\nHost: x\r\n';
  const smuggled = 'GET /v1/secret HTTP/1.1\r\nHost: x\r\n\r\n';
  const cases: [what: string, text: string, status: number][] = [
    [
      'length and chunks',
      `${head}Content-Length: ${smuggled.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      400,
    ],
    ['chunks and length', `${head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`, 400],
    ['two lengths', `${head}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`, 400],
    ['two codings', `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`, 400],
    ['a coding with a tab', `${head}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${smuggled}`, 400],
    ['another coding', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    ['a space before the colon', `${head}Content-Length : 2\r\n\r\n{}`, 400],
    ['a folded header', `${head}Content-Length:\r\n 2\r\n\r\n{}`, 400],
    ['a line feed in a header', `${head}X-A: 1\n\nGET /v1/secret HTTP/1.1\r\n\r\n`, 400],
    ['a bare carriage return', `${head}X-A: a\rMapwright-Peer: b\r\n\r\n`, 400],
    ['two hosts', `${head}Host: y\r\n\r\n`, 400],
    ['a broken chunk', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`, 400],
    ['a length in the trailers', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n`, 400],
    ['bytes above ASCII in the target', 'GET /v1/\xe4 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['HTTP/0.9', 'GET /v1/secret\r\n\r\n', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['RTSP', 'GET /v1/secret RTSP/1.0\r\n\r\n', 400],
    ['CONNECT', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['another expectation', `${head}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 417],
    ['a long target', `GET /v1/${'x'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414],
    ['many headers', `GET /v1/x HTTP/1.1\r\nHost: x\r\n${'X-A: 1\r\n'.repeat(101)}\r\n`, 431],
    ['no path', 'GET http:///v1/secret HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['a fragment', 'GET /v1/x#/../secret HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ];
  for (const [what, text, status] of cases) t.match(await raw(follower.port, text), new RegExp(`^HTTP/1.1 ${status} `), what);
  t.strictSame(seen, []);
});

t.test('an unusual request is forwarded as exactly one request', async (t) => {
  const { seen, follower } = await pair(t);
  const cases: [what: string, text: string, line: string, body: string][] = [
    [
      'a body like a request',
      'POST /v1/a HTTP/1.1\r\nHost: x\r\nContent-Length: 26\r\n\r\nGET /v1/secret HTTP/1.1\r\n\r\n',
      'POST /v1/a',
      'GET /v1/secret HTTP/1.1\r\n\r\n'.slice(0, 26),
    ],
    ['chunks', 'POST /v1/b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;x="\r\n"\r\n', '', ''],
    [
      'chunks with trailers',
      'POST /v1/c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nMapwright-Peer: a b c\r\n\r\n',
      'POST /v1/c',
      '{}',
    ],
    ['a GET with a body', 'GET /v1/d HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nGET /', 'GET /v1/d', ''],
    [
      'an upgrade',
      'GET /v1/e HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n',
      'GET /v1/e',
      '',
    ],
    ['a full URL', 'GET http://evil.example/v1/f?a=/b HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /v1/f?a=/b', ''],
    ['bytes above ASCII', 'GET /v1/%ff HTTP/1.1\r\nHost: x\r\nX-A: \xe9\r\n\r\n', 'GET /v1/%ff', ''],
    [
      'a request that asks for a signature',
      'GET /v1/g HTTP/1.1\r\nHost: x\r\nConnection: Mapwright-Peer, X-Forwarded-For, X-Request-Id, Authorization\r\nAuthorization: Bearer k\r\n\r\n',
      'GET /v1/g',
      '',
    ],
  ];
  for (const [what, text, line, body] of cases) {
    seen.length = 0;
    await raw(follower.port, text);
    if (line === '') t.strictSame(seen, [], what);
    else
      t.strictSame(
        seen.map((one) => [one.line, one.body]),
        [[line, body]],
        what,
      );
    for (const { headers } of seen) {
      for (const name of ['mapwright-peer', 'upgrade', 'http2-settings', 'transfer-encoding', 'x-forwarded-for', 'te', 'trailer'])
        t.equal(headers[name], undefined, `${what}: ${name}`);
      if (what.includes('signature')) t.equal(headers['authorization'], 'Bearer k');
    }
  }
  seen.length = 0;
  const pipelined = Array.from({ length: 5 }, (_, i) => `POST /v1/p${i} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`).join(
    '',
  );
  const socket = net.connect(follower.port, '127.0.0.1');
  let got = '';
  socket.on('data', (bytes) => {
    got += bytes;
  });
  socket.write(pipelined);
  await until(() => got.split('HTTP/1.1 200').length === 6);
  socket.destroy();
  t.strictSame(
    seen.map(({ line }) => line),
    [0, 1, 2, 3, 4].map((i) => `POST /v1/p${i}`),
  );
});

t.test('the owner refuses forged, replayed and foreign signatures', async (t) => {
  const { seen, owner, follower } = await pair(t);
  // What the follower sends, as an attacker on the network would see it.
  let captured: Record<string, string> = {};
  const spy = await ownerNode(t, (_req, res) => void res.end('{}'), { nodeId: 'spy' });
  spy.server.prependListener('request', (req) => {
    captured = { ...(req.headers as Record<string, string>) };
  });
  follower.setOwner(spy);
  await ask(follower.port, { path: '/v1/x', headers: ['Authorization', 'Bearer k'] });
  const ofSpy = captured['mapwright-peer'] as string;
  t.match(ofSpy, /^\S+ follower 0 \S+$/);
  const again = (port: number, changed: Record<string, string | undefined>, path = '/v1/x', method = 'GET') => {
    const headers = { authorization: 'Bearer k', 'x-forwarded-for': '127.0.0.1', 'mapwright-peer': ofSpy, ...changed };
    const list = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
    return ask(port, { method, path, headers: list });
  };
  t.equal((await again(spy.port, {})).status, 200, 'the signature itself is valid');
  for (const changed of [
    { 'x-forwarded-for': '203.0.113.1' },
    { 'x-forwarded-for': undefined },
    { authorization: 'Bearer other' },
    { authorization: undefined },
  ]) {
    const got = await again(spy.port, changed);
    t.strictSame([got.status, codeOf(got)], [403, 'forbidden'], JSON.stringify(changed));
  }
  t.equal((await again(spy.port, {}, '/v1/y')).status, 403, 'another target');
  t.equal((await again(spy.port, {}, '/v1/x', 'DELETE')).status, 403, 'another method');
  const [nonce, , , signature] = ofSpy.split(' ') as [string, string, string, string];
  t.equal((await again(spy.port, { 'mapwright-peer': `${nonce} other 0 ${signature}` })).status, 403, 'another node');
  t.equal((await again(spy.port, { 'mapwright-peer': `${nonce} follower 1 ${signature}` })).status, 403, 'another shard');
  t.equal((await again(spy.port, { 'mapwright-peer': `${nonce} follower 0 ` })).status, 403, 'no signature');
  t.equal((await again(spy.port, { 'mapwright-peer': nonce })).status, 403, 'a nonce alone');
  for (const header of ['', 'x', ofSpy, 'a b c d e', '=', `${nonce}x follower 0 ${signature}`]) {
    for (const { port } of [owner, follower]) {
      const got = await again(port, { 'mapwright-peer': header });
      t.strictSame([got.status, codeOf(got)], [421, 'unknown_nonce'], `${header} at another process`);
    }
  }
  // The proof of a process is no signature.
  const proof = (await again(spy.port, { 'mapwright-peer': 'challenge' })).headers['mapwright-peer'] as string;
  t.equal((await again(spy.port, { 'mapwright-peer': `${nonce} follower 0 ${proof.split(' ')[2]}` })).status, 403);
  t.strictSame(seen, [], 'nothing reached the owner');
});

t.test('a forwarded request is not forwarded again', async (t) => {
  const { seen, follower } = await pair(t);
  const other = await followerNode(t, { url: `http://127.0.0.1:${follower.port}`, nodeId: 'follower' });
  const got = await ask(other.port, { path: '/v1/x' });
  t.strictSame([got.status, codeOf(got)], [503, 'unavailable']);
  t.strictSame(seen, []);
  t.equal(follower.forwarder.inFlight, 0);
});
