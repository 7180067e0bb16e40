/**
 * Fuzzes one target for longer, or tries one input again:
 *
 *     npm run test:fuzz -- --target snapshot --inputs 1000000 --seed 7
 *     npm run test:fuzz -- --target snapshot --file .tap/fuzz/snapshot-0123456789ab
 *
 * Without a target, all of them. `--keep` adds inputs with new outcomes to the corpus.
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { givenOrRandomSeed } from '../support/tier.ts';
import { FuzzFailure, fuzz, replay } from './fuzzer.ts';
import { targets } from './targets.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    inputs: { type: 'string' },
    seed: { type: 'string', default: String(givenOrRandomSeed()) },
    file: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});

const names = values.target === undefined ? Object.keys(targets) : [values.target];
const teardowns: (() => unknown)[] = [];
for (const name of names) {
  const make = targets[name];
  if (make === undefined) throw new Error(`there is no target ${name}; there are: ${Object.keys(targets).join(', ')}`);
  const target = await make({ teardown: (over) => teardowns.push(over) });
  const started = performance.now();
  try {
    if (values.file !== undefined) {
      process.stdout.write(`${await replay(target, fs.readFileSync(values.file))}\n`);
      continue;
    }
    const seed = Number(values.seed);
    const report = await fuzz(target, { inputs: Number(values.inputs ?? target.inputs), seed, keep: values.keep });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const { inputs, keptMb, peakMb } = report;
    process.stdout.write(
      `${name}: ${inputs} inputs in ${seconds} s (seed ${seed}); ${keptMb} MB kept, ${peakMb} MB more at a time\n`,
    );
    for (const [outcome, count] of report.outcomes.slice(0, 40))
      process.stdout.write(`${String(count).padStart(9)}  ${outcome}\n`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof FuzzFailure ? error.message : (error as Error).stack}\n`);
  }
}
for (const over of teardowns.reverse()) await over();
process.exit();
