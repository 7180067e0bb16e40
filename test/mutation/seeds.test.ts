// tier: normal, process: first
/**
 * Every planted bug is caught by its test, for the right reason; without one, no test fails. Tests that cannot fail
 * prove nothing: these prove that they can.
 */
import t from 'tap';
import { Chance } from '../support/random.ts';
import { test } from '../support/test.ts';
import { seed, sized } from '../support/tier.ts';
import { detectorName, edited, lineOf, Plot, type Result, tryAll } from './run.ts';
import { type Detector, seeds } from './seeds.ts';

/** How many are planted (`npm run test:mutants` plants all), and of how many detectors one must see nothing in a sound program. */
const { count, share } = sized({ sample: { count: 4, share: 40 }, all: { count: 16, share: 30 } });

t.setTimeout(1_800_000);

t.test('every planted bug is caught by its test, which passes without it', async (t) => {
  t.ok(seeds.length >= 18, `${seeds.length} seeds`);
  t.equal(new Set(seeds.map(({ name }) => name)).size, seeds.length, 'each with a name of its own');
  const plots = [new Plot(), new Plot()];
  t.teardown(() => {
    for (const plot of plots) plot.remove();
  });
  const results: Result[] = [];
  await tryAll(new Chance(seed).shuffled(seeds).slice(0, count), plots, (result) => {
    results.push(result);
    t.equal(result.problem, undefined, `${result.seed}: caught by ${result.by}`);
  });
  for (const result of results) console.log(lineOf(result));

  // The plots are as they were compiled again: no detector may see anything now. All of them run in this suite where nothing was ever
  // planted, so a share of them, another one for each seed, is enough to show that plots are like it.
  const all = [...new Map(seeds.map(({ caughtBy }) => [detectorName(caughtBy), caughtBy])).values()];
  const first = seed % share;
  t.comment(`the detectors ${first}, ${first + share}, ...`);
  const detectors = all.filter((_, i) => i % share === first);
  await Promise.all(
    plots.map(async (plot, at) => {
      for (const detector of detectors.filter((_, i) => i % plots.length === at)) await control(plot, detector);
    }),
  );

  async function control(plot: Plot, detector: Detector): Promise<void> {
    const { problem, caught } = await plot.detect(detector);
    t.equal(caught, '', `without a seed, ${detectorName(detector)} passes`);
    t.match(problem, /but nothing/, 'and it did run to its end');
  }
});

test.all('a crash state that fails also fails when it is explored alone', async (t) => {
  const plot = new Plot();
  t.teardown(() => plot.remove());
  for (const [name, workload, state] of [
    ['a frame is not synced', 'single writes', /^\d+\.\d+$/],
    ['recovery seals before the name of the successor is durable', 'the smallest segments', /^\d+\.killed\/\d+\.\d+$/],
  ] as const) {
    const seed = seeds.find((one) => one.name === name);
    if (seed === undefined) throw new Error(`there is no seed "${name}"`);
    await plot.with(seed, async () => {
      const { failure } = await plot.explore(workload);
      t.match(failure, { state }, `${name}: a state has failed`);
      const again = await plot.explore(workload, failure?.state);
      t.strictSame(again.failure, failure, `${failure?.state} fails again`);
      t.ok(again.states < 100, `${again.states} states looked at`);
    });
  }
});

t.test('a planted bug whose text does not exist in the source is an error', async (t) => {
  const edit = { module: 'a/b', text: 'sync( fd );', becomes: '' };
  t.equal(edited('x; sync(\n  fd\n);', edit, 'no sync'), 'x; ');
  t.throws(() => edited('x;', edit, 'no sync'), {
    message: 'the seed "no sync" no longer applies: its text is not in src/a/b: sync( fd );',
  });
  t.throws(() => edited('sync( fd ); sync( fd );', edit, 'no sync'), { message: /stands 2 times in src\/a\/b/ });
});
