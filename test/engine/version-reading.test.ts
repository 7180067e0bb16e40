/** Work on the content of versions, which may be hundreds of megabytes: one at a time, and fair to all accounts. */
import t from 'tap';
import { withVersionContent } from '../../src/engine/versions/held-content.ts';
import { Turns } from '../../src/lib/async/turns.ts';

t.test('the content of one version is in memory at a time, and accounts take turns', async (t) => {
  const engine = { readingVersions: new Turns({ total: 1, perAccount: 1 }) };
  const order: string[] = [];
  let running = 0;
  const read = (name: string) =>
    withVersionContent(engine, name[0] as string, async () => {
      t.equal(++running, 1, name);
      order.push(name);
      await new Promise(setImmediate);
      running--;
      if (name === 'a2') throw new Error('damaged');
    });
  const ended = await Promise.allSettled(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(read));
  t.equal(ended.filter(({ status }) => status === 'rejected').length, 1);
  t.strictSame(order.slice(0, 3), ['a1', 'b1', 'c1'], 'others come after one of an account that sends many');
  t.equal(order.length, 6, 'one that fails stops none');
});
