/** The delay before a retry. */
import t from 'tap';
import { retryDelayMs } from '../../src/lib/async/backoff.ts';

t.test('a retry waits from 2 to 30 seconds, and three times as long as the failed attempt took', async (t) => {
  t.equal(retryDelayMs(0), 2000);
  t.equal(retryDelayMs(5000), 15_000);
  t.equal(retryDelayMs(3_600_000), 30_000);
});
