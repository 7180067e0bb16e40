/** The journal in memory: the conformance tests, and the records that it keeps for subscribers. */
import t from 'tap';
import { MemoryJournal } from '../../src/storage/wal/memory-journal.ts';
import { MemoryLog } from '../../src/storage/wal/memory-log.ts';
import { conformance, type Home } from './conformance.ts';

/** Only a log that outlives its journal can be opened again. */
function home(): Home {
  const log = new MemoryLog(Number.POSITIVE_INFINITY);
  let journal: MemoryJournal | undefined;
  const recordsFrom = (from: number, to: number): Buffer[] => {
    const found = log.recordsFrom(from, to);
    if (found === undefined) throw new Error('they are gone');
    return Array.from(found, ([, record]) => record);
  };
  return {
    async open() {
      journal = new MemoryJournal(log);
      return journal;
    },
    records: async () => recordsFrom(1, log.nextLsn - 1),
    async replay(from, to) {
      if (journal === undefined || to > (await journal.seal())) throw new Error('they are not sealed');
      return recordsFrom(from, to);
    },
  };
}

t.test('the journal in memory passes the conformance tests', async (t) => {
  conformance(t, home);
});

t.test('records that become durable together are reported once', async (t) => {
  const reported: number[] = [];
  const journal = new MemoryJournal(new MemoryLog(), (lsn) => reported.push(lsn));
  journal.append(Buffer.from('a'));
  journal.append(Buffer.from('b'));
  t.strictSame(reported, []);
  await journal.durable(2);
  t.strictSame(reported, [2]);
  await journal.durable(journal.append(Buffer.from('c')));
  t.strictSame(reported, [2, 3]);
  await journal.close();
});

t.test('the log in memory keeps the newest records up to its limit, and always the last one', (t) => {
  const log = new MemoryLog(1000);
  const lsns = (from: number, to: number) => {
    const found = log.recordsFrom(from, to);
    return found && Array.from(found, ([lsn]) => lsn);
  };
  for (let i = 0; i < 10; i++) log.add(Buffer.alloc(100));
  t.equal(lsns(6, 10), undefined);
  t.strictSame(lsns(7, 10), [7, 8, 9, 10]);
  t.strictSame(lsns(8, 9), [8, 9]);
  t.strictSame(lsns(11, 12), []);
  log.add(Buffer.alloc(5000));
  t.strictSame(lsns(11, 11), [11]);
  t.equal(lsns(10, 11), undefined);
  log.add(Buffer.alloc(1));
  t.equal(lsns(11, 12), undefined);
  t.strictSame(lsns(12, 12), [12]);
  log.trim(50);
  t.equal(lsns(12, 12), undefined);
  t.equal(log.nextLsn, 13);
  t.end();
});
