/** The bytes of files on their way into a database that fails, is full, or does not replicate: nothing counts before it is acknowledged. */
import { createHash } from 'node:crypto';
import t from 'tap';
import type { Connection } from '../../src/cluster/database/database-connection.ts';
import { OwnerBlobs } from '../../src/cluster/log/owner-blobs.ts';
import type { WriteAnswer, WriteError } from '../../src/cluster/protocol/terms.ts';
import { BlobDamagedError, BusyError, NotOwnerError } from '../../src/lib/errors.ts';

const bytes = Buffer.alloc(2_000_000, 'a blob');
const blob = { digest: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
const never = new AbortController().signal;

async function* pieces() {
  for (let at = 0; at < bytes.length; at += 1024 * 1024) yield bytes.subarray(at, at + 1024 * 1024);
}

const acknowledged: WriteAnswer = { rows: 1, warned: false, replicates: true, timeline: '1' };
const full = Object.assign(new Error('could not extend file: No space left on device'), { code: '53100', severity: 'ERROR' });

/** A database that answers as it is told, then well. */
function world(answers: (WriteAnswer | WriteError | Error)[] = [], failures: Error[] = []) {
  const sent: string[] = [];
  const take = (text: string): void => {
    sent.push(/INSERT|UPDATE mw_blob|DELETE|SELECT/.exec(text)?.[0] ?? text);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  };
  const connection = {
    query: async (text: string, values: unknown[]) => {
      take(text.replace(/^WITH .*?\) (?=INSERT)/s, ''));
      return /DISTINCT/.test(text) ? (values[1] as string[]).map((digest) => ({ digest, put: 'p' })) : [];
    },
    write: async (text: string) => {
      take(text.replace(/^WITH .*?\) (?=UPDATE|DELETE)/s, ''));
      const answer = answers.shift() ?? acknowledged;
      if (answer instanceof Error) throw answer;
      return { answer, rows: [] };
    },
  } as unknown as Connection;
  const session = { shard: 0, token: { epoch: 1, owner: 'o' }, timeline: '1', ended: undefined as NotOwnerError | undefined };
  return { sent, session, blobs: new OwnerBlobs(session, { connection: async () => connection }) };
}

const attempt = ['INSERT', 'INSERT', 'UPDATE mw_blob'];

t.test('rows are stored until the last write is acknowledged', async (t) => {
  for (const answer of [
    { ...acknowledged, rows: 0 },
    { ...acknowledged, warned: true },
    { ...acknowledged, replicates: false },
    { ...acknowledged, timeline: '2' },
    { code: '57P01' },
    new Error('the connection is lost'),
  ]) {
    const { blobs, sent } = world([answer]);
    await blobs.put(blob, pieces, never);
    t.strictSame(sent, [...attempt, ...attempt], JSON.stringify(answer));
  }
});

t.test('a full database is tried again', async (t) => {
  const { blobs, sent } = world([], [full, full]);
  await blobs.put(blob, pieces, never);
  t.strictSame(sent, ['INSERT', 'INSERT', ...attempt]);
});

t.test('an upload ends when the shard has another owner, and when it is given up', async (t) => {
  const lost = world([{ ...acknowledged, rows: 0 }]);
  const putting = lost.blobs.put(blob, pieces, never);
  lost.session.ended = new NotOwnerError();
  await t.rejects(putting, NotOwnerError);
  const abort = new AbortController();
  const given = world(Array.from({ length: 100 }, () => ({ code: '53100' })));
  const waiting = given.blobs.put(blob, pieces, abort.signal);
  abort.abort(new Error('given up'));
  await t.rejects(waiting);
  t.ok(given.sent.length <= 3);
});

t.test('wrong bytes of the cache replace nothing', async (t) => {
  const { blobs, sent } = world();
  const wrong = async function* () {
    yield Buffer.alloc(bytes.length);
  };
  await t.rejects(blobs.put(blob, wrong, never), BlobDamagedError);
  t.strictSame(sent, []);
});

t.test('bytes that change in the cache while the database is full are not stored', async (t) => {
  const { blobs, sent } = world([], [full]);
  let reads = 0;
  const changing = async function* () {
    const all = Buffer.from(bytes);
    // Right for the comparison and the first attempt.
    if (reads++ > 1) all[1_500_000] = 0;
    for (let at = 0; at < all.length; at += 1024 * 1024) yield all.subarray(at, at + 1024 * 1024);
  };
  await t.rejects(blobs.put(blob, changing, never), BlobDamagedError);
  t.strictSame(sent, ['INSERT', 'INSERT'], 'the second row is not sent');
});

t.test('a deletion without an acknowledgement has deleted nothing', async (t) => {
  const { blobs } = world([{ ...acknowledged, warned: true }]);
  t.strictSame(await blobs.delete([blob.digest]), []);
  t.strictSame(await blobs.delete([blob.digest]), [blob.digest]);
});

t.test('a database that does not answer a read is no damage', async (t) => {
  const { blobs } = world([], [full]);
  await t.rejects(async () => {
    for await (const _ of blobs.get(blob.digest)) t.fail('a piece');
  }, BusyError);
});
