/** Turns: how much work runs at a time, in which order, and what is refused. */
import t from 'tap';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { Turns } from '../../src/lib/async/turns.ts';
import { BusyError } from '../../src/lib/errors.ts';
import fc from '../support/fast-check.ts';

t.test('at most sixteen pieces of work run, four per account, and each ends', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(5), { maxLength: 80 }),
      fc.array(fc.nat(1000), { minLength: 1 }),
      async (accounts, order) => {
        const turns = new Turns({ total: 16, perAccount: 4 });
        const running: { readonly account: number; readonly end: () => void }[] = [];
        let done = 0;
        const all = accounts.map((account) =>
          turns.run(`${account}`, async () => {
            const work = new Deferred<void>();
            running.push({ account, end: work.resolve });
            await work.promise;
            done++;
          }),
        );
        for (let i = 0; done < accounts.length; i++) {
          t.ok(running.length <= 16 && turns.running <= 16);
          for (const each of new Set(accounts)) t.ok(running.filter(({ account }) => account === each).length <= 4);
          const [ending] = running.splice((order[i % order.length] as number) % Math.max(1, running.length), 1);
          ending?.end();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(all);
        t.equal(turns.running, 0);
      },
    ),
    { numRuns: 30 },
  );
});

t.test('an account with much waiting work does not delay the first of another', async (t) => {
  const turns = new Turns({ total: 2, perAccount: 2 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (account: string) =>
    turns.run(account, async () => {
      begun.push(account);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = [...Array.from({ length: 6 }, () => begin('many')), begin('one'), begin('one')];
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  t.strictSame(begun, ['many', 'many', 'one', 'one', 'many', 'many', 'many', 'many']);
});

t.test('work that gets no turn in time is not done, and leaves its place', async (t) => {
  const turns = new Turns({ total: 1, perAccount: 1 });
  const first = new Deferred<string>();
  const running = turns.run('a', () => first.promise);
  let isDone = false;
  const late = async () => {
    isDone = true;
    return 'late';
  };
  t.equal(await turns.runWithin('a', 1, late), undefined);
  t.equal(await turns.runWithin('b', 1, late), undefined);
  const next = turns.run('b', async () => 'next');
  first.resolve('first');
  t.strictSame([await running, await next], ['first', 'next']);
  t.equal(isDone, false);
  t.equal(turns.running, 0);
});

t.test('work beyond the waiting places of an account is refused; other accounts have their own', async (t) => {
  const turns = new Turns({ total: 1, perAccount: 1, waitingPerAccount: 1, what: 'evaluations' });
  const first = new Deferred<void>();
  const all = [turns.run('a', () => first.promise), turns.run('a', async () => undefined), turns.run('b', async () => undefined)];
  await t.rejects(
    turns.run('a', async () => t.fail('it is not done')),
    new BusyError('1 evaluations of the account are waiting, which is the limit'),
  );
  first.resolve();
  await Promise.all(all);
  t.equal(await turns.run('a', async () => 'again'), 'again');
});

t.test('work that waits for its lane holds no place that other work needs', async (t) => {
  const turns = new Turns({ total: 4, perAccount: 2, perLane: 2 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (title: string, account: string, lane: string) =>
    turns.run(
      account,
      async () => {
        begun.push(title);
        await new Promise<void>((resolve) => ends.set(title, resolve));
      },
      lane,
    );
  const end = async (title: string): Promise<void> => {
    ends.get(title)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const all = [begin('a1', 'a', 'slow'), begin('b1', 'b', 'slow'), begin('c1', 'c', 'slow'), begin('c2', 'c', 'fast')];
  t.strictSame(begun, ['a1', 'b1', 'c2'], 'the lane is full for c, whose other work starts');
  all.push(begin('a2', 'a', 'fast'), begin('a3', 'a', 'slow'), begin('a4', 'a', 'other'));
  t.strictSame(begun, ['a1', 'b1', 'c2', 'a2']);
  // Now a, and in all, there is no place; c1 waits for its lane.
  await end('a1');
  t.strictSame(begun.slice(4), ['c1'], 'its place in the lane goes to the account that had no turn');
  await end('c2');
  t.strictSame(begun.slice(5), ['a4'], 'a passes over its work for the full lane');
  for (const title of ['b1', 'a2', 'c1', 'a4', 'a3']) await end(title);
  await Promise.all(all);
  t.equal(turns.running, 0);
});

t.test('the end of one piece starts all work that it held up', async (t) => {
  const turns = new Turns({ total: 9, perAccount: 1, perLane: 1 });
  const begun: string[] = [];
  const [first, others] = [new Deferred<void>(), new Deferred<void>()];
  const begin = async (title: string): Promise<void> => {
    begun.push(title);
    await others.promise;
  };
  const all = [
    turns.run('a', () => first.promise, 'x'),
    turns.run('a', () => begin('another of its account'), 'y'),
    turns.run('b', () => begin('another in its lane'), 'x'),
  ];
  first.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(begun.sort(), ['another in its lane', 'another of its account']);
  others.resolve();
  await Promise.all(all);
});

t.test('with lanes, every piece of work ends, and no limit is passed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 60 }),
      fc.array(fc.nat(1000), { minLength: 1 }),
      async (pieces, order) => {
        const turns = new Turns({ total: 6, perAccount: 3, perLane: 2 });
        const running: { readonly account: number; readonly lane: number; readonly end: () => void }[] = [];
        const waiting = new Set(pieces);
        const all = pieces.map((piece) => {
          const [account, lane] = piece;
          const work = async (): Promise<void> => {
            waiting.delete(piece);
            await new Promise<void>((end) => running.push({ account, lane, end }));
          };
          return turns.run(`${account}`, work, `${lane}`);
        });
        for (let i = 0; running.length > 0; i++) {
          const count = (holds: (each: (typeof running)[number]) => boolean): number => running.filter(holds).length;
          const isFull = (account: number, lane: number): boolean =>
            running.length >= 6 || count((each) => each.account === account) >= 3 || count((each) => each.lane === lane) >= 2;
          for (const { account, lane } of running)
            if (count((each) => each.account === account) > 3 || count((each) => each.lane === lane) > 2)
              throw new Error('a limit is passed');
          for (const [account, lane] of waiting) if (!isFull(account, lane)) throw new Error('work waits for nothing');
          running.splice((order[i % order.length] as number) % running.length, 1)[0]?.end();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(all);
        if (waiting.size > 0) throw new Error('work was left');
      },
    ),
    { numRuns: 50 },
  );
});
