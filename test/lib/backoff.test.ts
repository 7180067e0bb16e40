/** How long what failed waits for its next try. */
import t from 'tap';
import { retryDelayMs } from '../../src/lib/async/backoff.ts';

t.test('seconds after a quick failure, a few times as long as a slow one took, and never minutes', async (t) => {
  t.equal(retryDelayMs(0), 2000);
  t.equal(retryDelayMs(5000), 15_000);
  t.equal(retryDelayMs(3_600_000), 30_000);
});
