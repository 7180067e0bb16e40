/** The API client of the commands, against a stand-in for the server: retries, and errors with their remedy. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import t from 'tap';
import { ApiClient, apiRoot, retryAfter } from '../../src/cli/api-client.ts';
import { ApiError } from '../../src/cli/api-error.ts';
import { importFile } from '../../src/cli/commands/import/import-documents.ts';
import { UsageError } from '../../src/cli/option-parsing.ts';

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const key = 'mw_test';
const silent = { say: () => undefined };

/** A server that sends these replies, and then creates a project. */
async function standIn(test: Pick<typeof t, 'teardown'>, ...replies: readonly Reply[]): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const left = [...replies];
  const server = http.createServer((req, res) => {
    req.resume().on('end', () => {
      seen.push(`${req.method} ${req.url}`);
      const refused = req.headers.authorization === `Bearer ${key}` ? undefined : { status: 401, body: '{}' };
      const { status, headers, body }: Reply = refused ?? left.shift() ?? { status: 200, body: '{"id":"1","name":"Plain"}' };
      res.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** The message for people with which the promise is rejected. */
async function fault(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof ApiError || error instanceof UsageError)) throw error ?? new Error('it went well');
  return error.message;
}

const fileIn = (test: Pick<typeof t, 'testdir'>): string =>
  path.join(
    test.testdir({ 'plain.json': '{"format":"mapwright-project","version":1,"project":{"name":"Plain"}}' }),
    'plain.json',
  );

t.test('the client retries after the time that a busy server names, at most ten times', async (t) => {
  const file = fileIn(t);
  const { url, seen } = await standIn(
    t,
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 429, headers: { 'retry-after': '0' }, body: '{}' },
  );
  const waits: string[] = [];
  const client = new ApiClient({ url, key }, { say: (line) => void waits.push(line) });
  t.match(await importFile(client, file), [{ file, id: '1', name: 'Plain' }]);
  t.same(waits, ['The server is busy (503). Retrying in 0 s.', 'The server is busy (429). Retrying in 0 s.']);
  t.same(seen, Array(3).fill('POST /api/v1/projects/import'));

  const never = await standIn(t, ...Array<Reply>(20).fill({ status: 503 }));
  const slept: number[] = [];
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  t.match(
    await fault(importFile(new ApiClient({ url: never.url, key }, { sleep, ...silent }), file)),
    /still busy after 10 attempts/,
  );
  t.same(slept, Array(10).fill(1000));

  const now = Date.UTC(2024, 0, 1);
  t.same(
    [null, '7', '9999', 'soon', 'Mon, 01 Jan 2024 00:00:05 GMT', 'Sun, 31 Dec 2023 23:00:00 GMT'].map((header) =>
      retryAfter(header, now),
    ),
    [1, 7, 60, 1, 5, 0],
  );
});

t.test('every error of the client of the commands says what to do', async (t) => {
  const file = fileIn(t);
  const at = async (url: string, withKey = key) => fault((async () => importFile(new ApiClient({ url, key: withKey }), file))());
  const after = async (reply: Reply) => at((await standIn(t, reply)).url);

  t.match(await at('http://127.0.0.1:9'), /Cannot reach a server at .*Start one with: npx mapwright serve/);
  t.match(await at('localhost:8070'), 'must be the address of a server');
  t.match(await at((await standIn(t)).url, 'mw_wrong'), /rejected the key.*mapwright keys create/);
  t.match(await at((await standIn(t)).url, 'two\nlines'), /is not an API key\. .*mapwright keys create/);
  t.match(await after({ status: 404, body: '<html>' }), 'is not a mapwright API');
  t.match(await after({ status: 413, body: '{"detail":"too large"}' }), 'returned 413: too large');
  const problem = JSON.stringify({
    detail: 'one fault',
    errors: [
      { pointer: '/name', detail: 'must be a string' },
      { pointer: '/x', detail: 'is no member' },
    ],
  });
  t.match(
    await after({ status: 400, body: problem }),
    'returned 400: 2 errors in the document.\n  /name: must be a string\n  /x: is no member',
  );
  t.match(await after({ status: 500 }), /plain\.json: .*POST \/projects\/import returned 500/);
});

t.test('the root of the API follows from the address of a server', async (t) => {
  const root = 'http://127.0.0.1:8070/api/v1';
  for (const url of ['http://127.0.0.1:8070', 'http://127.0.0.1:8070/', root, `${root}/`]) t.equal(apiRoot(url), root);
  t.equal(apiRoot('https://maps.example.com/v1'), 'https://maps.example.com/v1');
  t.throws(() => apiRoot('ftp://example.com'), { message: /must be the address of a server/ });
});
