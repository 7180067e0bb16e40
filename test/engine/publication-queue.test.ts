/** The queue of records that wait to be published: it counts what it holds, and nothing else. */
import t from 'tap';
import { type PendingRecord, PublicationQueue } from '../../src/engine/feed/publication-queue.ts';
import type { Journal } from '../../src/storage/wal/journal.ts';

const journal = { durable: async () => undefined } as unknown as Journal;
const record = (lsn: number, bytes: number): PendingRecord => ({
  ...{ lsn, bytes, changes: undefined },
  project: { accountId: 'a', projectId: 'p' },
});

t.test('bytes and length are those of the records that are not published yet', async (t) => {
  const seen: number[] = [];
  const queue: PublicationQueue = new PublicationQueue({
    journal,
    publish: async ({ lsn }) => void seen.push(lsn, queue.bytes, queue.length),
    onFailure: (error) => t.fail(String(error)),
  });
  queue.push(record(1, 100));
  queue.push(record(2, 20));
  t.strictSame([queue.firstLsn, queue.bytes, queue.length], [1, 120, 2]);
  await queue.run();
  t.strictSame(seen, [1, 120, 2, 2, 20, 1]);
  t.strictSame([queue.firstLsn, queue.bytes, queue.length], [Number.POSITIVE_INFINITY, 0, 0]);
});

t.test('a failure drops all records', async (t) => {
  const failures: unknown[] = [];
  const queue = new PublicationQueue({
    journal,
    publish: async () => {
      throw new Error('no room');
    },
    onFailure: (error) => void failures.push(error),
  });
  queue.push(record(1, 100));
  queue.push(record(2, 20));
  await queue.run();
  t.match(failures, [{ message: 'no room' }]);
  t.strictSame([queue.bytes, queue.length], [0, 0]);
});
