/** The order in which pictures of several accounts are recognized. */
import t from 'tap';
import { recognizedIn } from '../../src/engine/files/stored-picture.ts';
import { Turns } from '../../src/lib/async/turns.ts';
import type { Recognized } from '../../src/lib/pictures/picture-types.ts';

t.test('an account that sends many pictures at once lets others go between them', async (t) => {
  const order: string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  // One at a time, in the order of the calls, as the thread does.
  const recognize = (path: string): Promise<Recognized> => {
    const result = last.then(() => {
      order.push(path);
      if (path === 'a3') throw new Error('the file cannot be read');
      return { fault: 'broken' } as const;
    });
    last = result.catch(() => undefined);
    return result;
  };
  const stored = {
    blobs: { isInMemory: false },
    recognizer: { recognize },
    recognizing: new Turns({ total: 1, perAccount: 1 }),
  } as never;
  const sent = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((path) =>
    recognizedIn(stored, { path } as never, path[0] as string),
  );
  const ended = await Promise.allSettled(sent);
  t.strictSame(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  t.strictSame(
    ended.map(({ status }) => status === 'rejected'),
    [false, false, true, false, false, false, false],
    'one that fails stops none',
  );
});
