/**
 * Does to real servers what goes wrong in the world, and says what did not hold: `npm run test:chaos`.
 *
 *     --short      every fault, few rounds; some minutes
 *     --only NAME  that fault alone, or all whose names begin so; may be given more than once
 *     --rounds N   as many rounds of each as that
 *     --seed N     the chance of another run
 *     --list       says which faults there are
 *
 * A fault that fails leaves its folder. The exit status is 1 when one did.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '../support/random.ts';
import { givenOrRandomSeed } from '../support/tier.ts';
import { faults } from './all.ts';
import type { Fault, Scene } from './fault.ts';
import { whyNot } from './machine/needs.ts';

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string' },
    seed: { type: 'string', default: String(givenOrRandomSeed()) },
    list: { type: 'boolean', default: false },
  },
});
const seed = wholeNumber('seed', flags.seed);
const rounds = flags.rounds === undefined ? undefined : wholeNumber('rounds', flags.rounds);
const chosen = faults.filter(({ name }) => flags.only.length === 0 || flags.only.some((only) => name.startsWith(only)));

/** Longest that a round may take, in milliseconds; a sound server on a slow machine needs a tenth of it. */
const roundMs = 180_000;

/** What is to be tidied when the whole run is broken off. */
let tidyNow: () => Promise<void> = async () => undefined;

if (chosen.length === 0) {
  refuse(`There is no fault whose name begins with ${flags.only.join(' or ')}. See --list.`);
} else if (flags.list) {
  for (const { name, does, holds } of chosen) console.log(`${name}\n  ${does}\n  ${holds}`);
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void tidyNow().finally(() => process.exit(1));
    });
  }
  await doAll();
}

async function doAll(): Promise<void> {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const fault of chosen) {
    const missing = fault.needs.flatMap((need) => whyNot(need) ?? []);
    if (missing.length > 0) {
      count.skipped++;
      console.log(`skipped ${fault.name}: ${missing.join('; ')}`);
    } else {
      count[(await carryOut(fault)) ? 'passed' : 'failed']++;
    }
  }
  if (count.failed > 0) process.exitCode = 1;
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
}

/** Does one fault; whether all held. */
async function carryOut(fault: Fault): Promise<boolean> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mapwright-fault-${fault.name}-`));
  const tidying: (() => unknown)[] = [];
  const kept: string[] = [];
  const notes: string[] = [];
  const times = rounds ?? fault.rounds[flags.short ? 'short' : 'long'];
  const scene: Scene = {
    folder,
    rounds: times,
    random: randomFrom(seed),
    teardown: (tidy) => tidying.push(tidy),
    keep: (data) => kept.push(data),
    note: (text) => notes.push(text),
  };
  const tidy = async () => {
    for (let next = tidying.pop(); next !== undefined; next = tidying.pop()) await next();
  };
  tidyNow = async () => {
    await tidy();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  try {
    await Promise.race([fault.run(scene), tooLong(times * roundMs)]);
    await tidyNow();
    console.log(`ok ${fault.name} (${times}, ${seconds()})${notes.map((note) => `: ${note}`).join('')}`);
    return true;
  } catch (error) {
    keepAll(kept, folder);
    await tidy();
    console.log(`FAILED ${fault.name} (${seconds()}): it ${fault.does}; ${fault.holds}`);
    console.log(String(error instanceof Error ? error.stack : error).replace(/^/gm, '    '));
    console.log(`    again: npm run test:chaos -- --only ${fault.name} --rounds ${times} --seed ${seed}`);
    console.log(`    what was left: ${folder}`);
    return false;
  }
}

async function tooLong(ms: number): Promise<never> {
  await setTimeout(ms, undefined, { ref: false });
  throw new Error(`it did not end within ${ms / 1000} s`);
}

/** Data that lies on a disk of the fault's own would go with it. */
function keepAll(folders: readonly string[], scene: string): void {
  const to = path.join(scene, 'kept');
  for (const [i, folder] of folders.entries()) {
    try {
      if (fs.statSync(folder).dev === fs.statSync(scene).dev) continue;
      // A socket cannot be copied.
      fs.cpSync(folder, path.join(to, `data-${i}`), { recursive: true, filter: (file) => !fs.lstatSync(file).isSocket() });
    } catch (error) {
      console.log(`    ${folder} could not be kept: ${(error as Error).message}`);
    }
  }
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) refuse(`--${name} takes a whole number, not "${text}".`);
  return Number(text);
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
