/** What every journal must do, run over each implementation. */
import type { Test } from 'tap';
import { RecordTooLargeError, StoppedError } from '../../src/lib/errors.ts';
import type { Journal, Lsn } from '../../src/storage/wal/journal.ts';

/** One journal's home: opens it, again and again, over the same storage. */
export interface Home {
  open(): Promise<Journal>;
  /** All records of a journal that is closed, in order. */
  records(): Promise<Buffer[]>;
  /** The records from one LSN to another, both included and sealed, of a journal that is open. */
  replay(from: Lsn, to: Lsn): Promise<Buffer[]>;
}

export type NewHome = (t: Test) => Promise<Home> | Home;

export function conformance(t: Test, newHome: NewHome): void {
  t.test('LSNs ascend from 1 without a gap, across restarts', async (t) => {
    const home = await newHome(t);
    let journal = await home.open();
    t.same([journal.nextLsn, journal.durableLsn], [1, 0]);
    t.same(
      [1, 2, 3].map(() => journal.append(Buffer.from('x'))),
      [1, 2, 3],
    );
    t.equal(journal.nextLsn, 4);
    await journal.close();
    journal = await home.open();
    t.same([journal.nextLsn, journal.durableLsn], [4, 3]);
    t.equal(journal.append(Buffer.from('y')), 4);
    await journal.close();
    t.equal((await home.records()).length, 4);
  });

  t.test('the lineage stays the same after a close', async (t) => {
    const home = await newHome(t);
    const first = await home.open();
    t.match(first.lineage, /^[0-9a-f]{32}$/);
    first.append(Buffer.from('x'));
    await first.close();
    const second = await home.open();
    t.equal(second.lineage, first.lineage);
    await second.close();
  });

  t.test('records are read back unchanged: empty, binary, large and many at once', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    const records = [Buffer.alloc(0), Buffer.from([0, 255, 0]), Buffer.alloc(300_000, 'ab'), Buffer.alloc(0)];
    for (let i = 0; i < 500; i += 1) records.push(Buffer.from(`record ${i} ${'z'.repeat(i)}`));
    for (const record of records) journal.append(record);
    await journal.close();
    t.ok((await home.records()).every((record, i) => record.equals(records[i] as Buffer)));
    t.equal((await home.records()).length, records.length);
  });

  t.test(
    'a record that is deposited has its place among the others, is durable with them and comes back as it was',
    async (t) => {
      const home = await newHome(t);
      const journal = await home.open();
      const large = Buffer.alloc(journal.recordBytesMax + 70_000, 'large ');
      const deposit = () =>
        journal.prepare(large.byteLength, async (into) => {
          large.copy(into);
        });
      const given = await deposit();
      t.equal(given.byteLength, large.byteLength);
      t.equal(journal.nextLsn, 1, 'which it gets when it is appended');
      journal.abort(given);
      const made = await deposit();
      const lsns = [journal.append(Buffer.from('x')), journal.commitPrepared(made), journal.append(Buffer.from('y'))];
      t.same(lsns, [1, 2, 3]);
      t.throws(() => journal.commitPrepared(made), 'once');
      await journal.durable(2);
      t.ok(journal.durableLsn >= 2);
      await journal.close();
      const records = await home.records();
      t.same(
        records.map(({ byteLength }) => byteLength),
        [1, large.byteLength, 1],
      );
      t.ok(records[1]?.equals(large));
      await t.rejects(deposit(), StoppedError);
    },
  );

  t.test('one large record is prepared at a time; one that is aborted, fails or is too large takes no LSN', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    const size = journal.recordBytesMax + 1;
    const filled: string[] = [];
    const deposit = (name: string) =>
      journal.prepare(size, async (into) => {
        filled.push(name);
        into.fill(name);
      });
    const first = await deposit('a');
    const [second, third] = [deposit('b'), deposit('c')];
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    t.same(filled, ['a']);
    journal.abort(first);
    t.equal(journal.commitPrepared(await second), 1);
    t.throws(() => journal.commitPrepared(first), 'it was aborted');
    t.equal(journal.commitPrepared(await third), 2);
    await t.rejects(
      journal.prepare(size, () => Promise.reject(new Error('no record'))),
      /no record/,
    );
    await t.rejects(
      journal.prepare(journal.preparedBytesMax + 1, async () => void t.fail('nothing is written')),
      RecordTooLargeError,
    );
    t.throws(() => journal.append(Buffer.alloc(size)), RecordTooLargeError);
    journal.abort(await deposit('d'));
    t.equal(journal.append(Buffer.from('e')), 3);
    await journal.close();
    t.same(filled, ['a', 'b', 'c', 'd']);
    const records = (await home.records()).map((record) => `${record.toString('latin1', 0, 1)} ${record.byteLength}`);
    t.same(records, [`b ${size}`, `c ${size}`, 'e 1']);
  });

  t.test('append copies its record', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    const record = Buffer.from('before');
    journal.append(record);
    record.fill('!');
    await journal.close();
    t.same(await home.records(), [Buffer.from('before')]);
  });

  t.test('durable waits only for records that are not durable', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    t.equal(journal.durable(0), undefined);
    const [a, b] = [journal.append(Buffer.from('a')), journal.append(Buffer.from('b'))];
    t.equal(journal.durableLsn, 0, 'not before the turn ends');
    const waits = [journal.durable(a), journal.durable(b), journal.durable(b)];
    t.ok(waits.every((wait) => wait instanceof Promise));
    await Promise.all(waits);
    t.equal(journal.durableLsn, 2);
    t.equal(journal.durable(b), undefined);
    t.throws(() => journal.durable(3), RangeError, 'a record that was never appended');
    await journal.close();
  });

  t.test('durable can be called at any time', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    for (let turns = 0; turns < 8; turns += 1) {
      const lsn = journal.append(Buffer.from('x'));
      for (let i = 0; i < turns; i += 1) await new Promise((resolve) => setImmediate(resolve));
      await journal.durable(lsn);
      t.ok(journal.durableLsn >= lsn);
    }
    await journal.close();
  });

  t.test('waits for durability end in order', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    const ended: number[] = [];
    const writers = Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 20; i += 1) {
        const lsn = journal.append(Buffer.from('x'));
        await journal.durable(lsn);
        if (journal.durableLsn < lsn) t.fail(`${lsn} ended its wait at ${journal.durableLsn}`);
        ended.push(lsn);
      }
    });
    await Promise.all(writers);
    t.equal(journal.durableLsn, 400);
    t.same(
      [...ended].sort((a, b) => a - b),
      Array.from({ length: 400 }, (_, i) => i + 1),
    );
    await journal.close();
  });

  t.test('records before a seal can be replayed', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    t.equal(await journal.seal(), 0, 'nothing to seal');
    for (let i = 1; i <= 5; i += 1) journal.append(Buffer.from(`${i}`));
    const sealed = journal.seal();
    journal.append(Buffer.from('6'));
    t.ok((await sealed) >= 5);
    t.same((await home.replay(2, 5)).map(String), ['2', '3', '4', '5']);
    const all = await journal.seal();
    t.equal(all, 6);
    t.equal(await journal.seal(), 6, 'nothing more to seal');
    t.same((await home.replay(1, 6)).map(String), ['1', '2', '3', '4', '5', '6']);
    await t.rejects(home.replay(1, 7), 'what is not sealed cannot be replayed');
    await journal.close();
    t.equal((await home.records()).length, 6);
  });

  t.test('overlapping seals cover their records', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    const seals: Promise<Lsn>[] = [];
    for (let i = 1; i <= 6; i += 1) {
      journal.append(Buffer.from(`${i}`));
      seals.push(journal.seal());
      if (i % 2 === 0) await journal.durable(i);
    }
    const sealed = await Promise.all(seals);
    t.ok(
      sealed.every((lsn, i) => lsn >= i + 1 && lsn <= 6),
      String(sealed),
    );
    t.same((await home.replay(1, 6)).map(String), ['1', '2', '3', '4', '5', '6']);
    await journal.close();
  });

  t.test('trim deletes only covered segments', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    for (let i = 1; i <= 4; i += 1) {
      journal.append(Buffer.from(`${i}`));
      await journal.seal();
    }
    await journal.trim(2);
    await t.rejects(home.replay(1, 4));
    t.same((await home.replay(3, 4)).map(String), ['3', '4']);
    await journal.trim(0);
    await journal.trim(2);
    t.same((await home.replay(3, 4)).map(String), ['3', '4']);
    await journal.close();
  });

  t.test('close makes every record durable and refuses later calls', async (t) => {
    const home = await newHome(t);
    const journal = await home.open();
    const lsn = journal.append(Buffer.from('last'));
    const waits = journal.durable(lsn);
    const closed = journal.close();
    t.throws(() => journal.append(Buffer.from('late')), StoppedError);
    await t.rejects(journal.seal(), StoppedError);
    await t.rejects(journal.trim(1), StoppedError);
    await waits;
    await closed;
    t.equal(journal.durable(lsn), undefined);
    await journal.close();
    t.same((await home.records()).map(String), ['last']);
  });
}
