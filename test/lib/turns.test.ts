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
