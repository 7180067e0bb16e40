/** `npm run test:cluster`: explores a million states of the protocol, or as many as given; `SEED=7` repeats a run. */
import { givenOrRandomSeed } from '../support/tier.ts';
import { explore } from './explore.ts';

const states = Number(process.argv[2] ?? 1_000_000);
const seed = givenOrRandomSeed();
console.log(`seed ${seed}`);
const started = performance.now();
const { failure, ...found } = explore({ seed, states, exhaustive: states / 4 });
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${found.states.toLocaleString('en')} different states, ${found.walks.toLocaleString('en')} walks, ${seconds} s`);
console.log(
  `${found.acknowledged.toLocaleString('en')} walks with acknowledged batches, ${found.answered.toLocaleString('en')} reads answered`,
);
console.log(failure === undefined ? '0 lost, 0 stale' : `${failure.rule}: ${failure.message}\n  ${failure.steps.join('\n  ')}`);
process.exitCode = failure === undefined ? 0 : 1;
