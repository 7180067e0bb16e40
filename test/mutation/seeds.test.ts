// tier: normal, process: first
/**
 * Every planted bug is caught by its test, for the right reason; without one, no test fails. Tests that cannot fail
 * prove nothing: these prove that they can.
 */
import t from 'tap';
import { Chance } from '../support/random.ts';
import { test } from '../support/test.ts';
import { seed, sized } from '../support/tier.ts';
import { faults } from './faults.ts';
import { changed } from './plant.ts';
import { lineOf, Plot, planted, type Result, tryAll } from './run.ts';
import { type Detector, seeds } from './seeds.ts';
import { detectorName } from './table.ts';

/** How many are planted (`npm run test:mutants` plants all), and of how many detectors one must see nothing in a sound program. */
const { count, share } = sized({ sample: { count: 2, share: 80 }, all: { count: 16, share: 30 } });

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

t.test('every seed applies: its text is in its function once, or its fault has a module; every fault has a seed', async (t) => {
  for (const seed of seeds) t.doesNotThrow(() => planted(seed), seed.name);
  const used = new Set(seeds.map(({ plants }) => plants));
  for (const name of Object.keys(faults)) t.ok(used.has(name as keyof typeof faults), `a seed has the fault "${name}"`);
});

t.test('a change is made inside its function only, and refused where the function or the text is missing', async (t) => {
  const source = `class Log {
  sync(fd: number): void {
    flush(
      fd,
    );
  }

  get size(): number {
    return flush(1);
  }
}

const close = (fd: number): void => {
  flush(fd);
};
`;
  const change = { module: 'a/b', inside: 'Log.sync', text: 'flush( fd, );', becomes: '' };
  t.equal(changed(source, change), source.replace(/flush\(\n.*\n.*\);/, ''));
  t.equal(changed(source, { ...change, inside: 'close', text: 'flush(fd)' }), source.replace('flush(fd);', ';'));
  t.equal(changed(source, { ...change, inside: 'Log.size', text: 'flush(1)', becomes: '0' }), source.replace('flush(1)', '0'));
  t.throws(() => changed(source, { ...change, inside: 'Log.open' }), { message: 'there is no Log.open in src/a/b' });
  t.throws(() => changed(source, { ...change, text: 'gone' }), { message: 'the text is not in Log.sync of src/a/b: gone' });
  t.throws(() => changed(source, { ...change, inside: 'Log', text: 'flush(' }), {
    message: /stands 2 times in Log of src\/a\/b/,
  });
});
