// tier: normal
/**
 * Concurrent histories over HTTP, with a disk that is slow, fails and loses power: each is linearizable, also across crashes.
 *
 * `LINEAR_HISTORIES` sets how many, `SEED` the first: the message about one that fails names the seed that repeats it.
 */
import t, { type Test } from 'tap';
import { StoppedError } from '../../src/lib/errors.ts';
import { seed, sized } from '../support/tier.ts';
import { makeBase, makeBatchHistory, makeHistory } from './histories.ts';

const histories = Number(process.env['LINEAR_HISTORIES'] ?? sized({ sample: 30, all: 400 }));

t.setTimeout(1000 * 60 * 60);

// A request of a process whose journal has failed, and for which nobody waits any more: that process has ended, and so has the request.
process.on('unhandledRejection', (error) => {
  if (!(error instanceof StoppedError)) throw error;
});

/** Makes histories, one for each seed, until one of them is not linearizable. */
async function explore(t: Test, make: typeof makeHistory): Promise<void> {
  const bases = [await makeBase(false), await makeBase(true)];
  const total = { histories: 0, crashed: 0, crashes: 0, operations: 0, unanswered: 0 };
  for (let i = 0; i < histories; i++) {
    const { fault, crashes, operations, unanswered } = await make(bases, seed + i);
    if (fault !== undefined) {
      t.comment(fault);
      t.fail(`history ${seed + i} (SEED=${seed + i} LINEAR_HISTORIES=1 makes it again): ${fault.split('\n', 1)}`);
      return;
    }
    total.histories++;
    total.crashed += crashes > 0 ? 1 : 0;
    total.crashes += crashes;
    total.operations += operations;
    total.unanswered += unanswered;
  }
  t.comment(JSON.stringify(total));
  t.pass('all of them linearizable');
  if (histories < 100) return;
  t.ok(total.crashed > histories * 0.3, `${total.crashed} of them with a crash`);
  t.ok(total.unanswered > histories / 4, `${total.unanswered} operations without an answer`);
  t.ok(total.unanswered < total.operations / 3, `${total.operations} operations, most of them answered`);
}

t.test(`${histories} concurrent histories are linearizable across crashes (from seed ${seed})`, (t) => explore(t, makeHistory));

t.test(`${histories} histories of batches with identifiers, places and moves are linearizable (from seed ${seed})`, (t) =>
  explore(t, makeBatchHistory),
);
