/**
 * How much the tests explore, and with which random numbers. Both are read from the environment here and nowhere else: `TEST_TIER` and
 * `SEED`, which the runner (run.ts) sets.
 */
import { randomInt } from 'node:crypto';
import { Chance } from './random.ts';

/**
 * - `short`: the files that a version of Node could break; explorations are samples
 * - `normal`: everything once; explorations are samples
 * - `all`: every file, and larger samples, which the seed chooses. Explorers have commands of their own for their full length.
 */
export type Tier = 'short' | 'normal' | 'all';

/** From the shortest to the longest: each has the tests of those before it. */
export const tiers: readonly Tier[] = ['short', 'normal', 'all'];
const seedMax = 2 ** 31;

function tierFrom(text: string): Tier {
  const found = tiers.find((name) => name === text);
  if (found === undefined) throw new Error(`TEST_TIER is "${text}". It must be one of ${tiers.join(', ')}.`);
  return found;
}

function seedFrom(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value >= seedMax)
    throw new Error(`SEED is "${text}". It must be a whole number from 0 to ${seedMax - 1}.`);
  return value;
}

export const tier: Tier = tierFrom(process.env['TEST_TIER'] || 'normal');

/** The seed that `SEED` names, or else a new random one: for runs that explore at length. */
export function givenOrRandomSeed(): number {
  return process.env['SEED'] ? seedFrom(process.env['SEED']) : randomInt(seedMax);
}

/** The seed of every random choice in the tests. 1 unless `SEED` names another; `npm run test:all` sets a random one and prints it. */
export const seed: number = process.env['SEED'] ? seedFrom(process.env['SEED']) : 1;

/** A size for the current tier: that of `npm run test:all`, or the sample that the short tier takes too. */
export function sized<T>(sizes: { readonly sample: T; readonly all: T }): T {
  return tier === 'all' ? sizes.all : sizes.sample;
}

/**
 * `count` cases of a table, which the seed chooses, in the order of the table. `npm run test:all` has all of them, or `countInAll`: its seed is another
 * one each time.
 */
export function sampled<T>(cases: readonly T[], count: number, countInAll = cases.length): readonly T[] {
  const length = tier === 'all' ? countInAll : count;
  if (length >= cases.length) return cases;
  const chosen = new Set(new Chance(seed).shuffled(cases.map((_, i) => i)).slice(0, length));
  return cases.filter((_, i) => chosen.has(i));
}
