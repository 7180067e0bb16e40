// tier: normal, process: own
/**
 * Every reader of external bytes, fed with invalid input: it accepts it or refuses it with the right kind of error, in
 * bounded time and memory. Longer runs: `npm run test:fuzz -- --target NAME --inputs N --seed N`.
 */
import t from 'tap';
import { seed, sized, tier } from '../support/tier.ts';
import { FuzzFailure, fuzz } from './fuzzer.ts';
import { targets } from './targets.ts';

/** Megabytes that a target may keep, and by which it may make the process grow for a moment. */
const [keptMbMax, peakMbMax] = [128, 700];

t.setTimeout(1000 * 60 * 10);

/** The part of each target's inputs that is tried. */
const part = sized({ sample: 1 / 100, all: 1 / 3 });

let total = 0;
for (const [name, make] of Object.entries(targets)) {
  t.test(`the fuzz target "${name}" accepts or refuses every input in bounded time and memory (seed ${seed})`, async (t) => {
    const target = await make(t);
    try {
      const report = await fuzz(target, { inputs: Math.ceil(target.inputs * part), seed });
      total += report.inputs;
      // A sample is too small for the rarer ones.
      for (const expected of tier === 'all' ? target.outcomes : []) {
        const count = report.outcomes.filter(([outcome]) => outcome.startsWith(expected)).reduce((sum, [, n]) => sum + n, 0);
        t.ok(count > 0, `${count} times: ${expected}`);
      }
      t.ok(report.keptMb < keptMbMax, `${report.keptMb} MB are kept`);
      t.ok(report.peakMb < peakMbMax, `${report.peakMb} MB more at a time`);
      t.comment(`${report.inputs} inputs, ${report.outcomes.length} outcomes`);
    } catch (error) {
      if (!(error instanceof FuzzFailure)) throw error;
      t.comment(error.message);
      t.fail(error.message.split('\n', 1)[0] ?? '');
    }
  });
}

t.test('the fuzz targets got enough inputs', async (t) => {
  t.ok(total > 200_000 * part, `${total} inputs`);
});
