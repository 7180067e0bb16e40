// tier: normal, process: first
/**
 * The real server, killed at random moments: during writes, during a snapshot, and during recovery from the kill
 * before. No acknowledged or shown write is lost, and none is partial.
 */
import t from 'tap';
import { killLoop } from '../support/kill-loop.ts';
import { temporaryFolder } from '../support/process.ts';
import { randomFrom } from '../support/random.ts';
import { seed, sized } from '../support/tier.ts';

const killsMax = 50;
const kills = sized({ sample: 4, all: 20 });

t.setTimeout(600_000);

t.test(`the server has every acknowledged write after ${kills} kills or more (seed ${seed})`, async (t) => {
  const done = await killLoop(t, temporaryFolder(t), kills, randomFrom(seed), killsMax);
  t.comment(JSON.stringify(done));
  t.ok(done.acknowledged > kills, 'much was written');
  t.ok(done.inSnapshots > 0 && done.inRecovery > 0 && done.snapshots > 0, 'snapshots and recoveries were hit as well');
});
