/** Disposal of resources in reverse order. */
import t from 'tap';
import { DisposeStack } from '../../src/lib/async/dispose-stack.ts';

t.test('resources are disposed in reverse order, each once, also if one fails', async (t) => {
  const opened = new DisposeStack();
  const closed: string[] = [];
  opened.defer(() => void closed.push('folder'));
  opened.defer(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    closed.push('log');
    throw new Error('log');
  });
  opened.defer(() => {
    closed.push('listener');
    throw new Error('listener');
  });
  await t.rejects(opened.disposeAsync(), { message: 'listener' });
  t.strictSame(closed, ['listener', 'log', 'folder']);
  await opened.disposeAsync();
  t.equal(closed.length, 3);
});
