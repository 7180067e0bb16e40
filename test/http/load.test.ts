/** Accounts are known to the counters while they have something in flight, and no longer. */
import t from 'tap';
import { defaultLimits } from '../../src/http/limits.ts';
import { Load } from '../../src/http/load.ts';

t.test('an account without a request or a stream takes no room', (t) => {
  const load = new Load({ ...defaultLimits, requestsPerAccountMax: 2 });
  for (let i = 0; i < 1000; i++) load.end(load.begin(`account ${i}`));
  t.equal(load.accounts, 0);

  const first = load.begin('a');
  const second = load.begin('a');
  t.equal(first, second);
  t.throws(() => load.begin('a'), { name: 'Problem' });
  load.hold(first, 1000, 0);
  load.end(second);
  t.equal(load.accounts, 1, 'one of its requests is under way');
  t.equal(load.begin('a'), first, 'which counts with the next one');
  load.end(first);

  load.beginStream(first);
  load.release(first, 1000);
  load.end(first);
  t.equal(load.accounts, 1, 'its stream is open');
  t.equal(load.begin('a'), first);
  load.end(first);
  load.endStream(first);
  t.equal(load.accounts, 0);
  t.match(load.begin('a'), { requests: 1, bodiesBytes: 0, streams: 0 });
  t.end();
});

t.test('an account that may make no requests takes no room either', (t) => {
  const load = new Load({ ...defaultLimits, requestsPerAccountMax: 0 });
  t.throws(() => load.begin('a'), { name: 'Problem' });
  t.equal(load.accounts, 0);
  t.end();
});
