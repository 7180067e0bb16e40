/**
 * The loop: the corpus and the seeds first, as they are, then inputs made of them. It is blind to the code that runs, but not to what
 * comes of it: an input that leads to words never heard before joins those that others are made of. The same seed makes the same inputs.
 */
import fs from 'node:fs';
import path from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { Chance } from '../support/random.ts';
import { failurePath, keep, readCorpus, replayCommand } from './corpus.ts';
import { inputBytesMax, mutateBytes } from './mutate.ts';
import type { Target } from './target.ts';
import { Watchdog } from './watchdog.ts';

export interface FuzzReport {
  readonly target: string;
  readonly inputs: number;
  /** How often each outcome was, the corpus and the seeds among them; the most frequent first. */
  readonly outcomes: readonly (readonly [outcome: string, count: number])[];
  /** Megabytes of memory that are kept afterwards, and megabytes by which the process was larger at any time. */
  readonly keptMb: number;
  readonly peakMb: number;
}

/** An input broke a promise; it was put into a file. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
}

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  /** Adds what leads to new words to the corpus. */
  readonly keep?: boolean;
}

const poolMax = 400;
/** Inputs that are kept are small. */
const keptBytesMax = 3000;

export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const random = new Chance(options.seed);
  const stuck = failurePath(target.name, Buffer.from('stuck'));
  const watchdog = new Watchdog(stuck, replayCommand(target.name, stuck));
  const corpus = readCorpus(target.name);
  const pool = [...target.seeds, ...corpus];
  const outcomes = new Map<string, number>();
  const before = { kept: keptBytes(), peak: process.resourceUsage().maxRSS };

  const one = async (input: Buffer, isNew: boolean): Promise<void> => {
    watchdog.begin(input);
    let outcome: string;
    try {
      const found = target.run(input);
      outcome = typeof found === 'string' ? found : await found;
    } catch (error) {
      throw failed(target.name, input, error);
    } finally {
      watchdog.end();
    }
    const count = outcomes.get(outcome) ?? 0;
    outcomes.set(outcome, count + 1);
    if (!isNew || count > 0) return;
    if (pool.length < poolMax) pool.push(input);
    if (options.keep === true && input.length <= keptBytesMax) keep(target.name, input);
  };

  const running = new Set<Promise<void>>();
  const start = async (input: Buffer, isNew: boolean): Promise<void> => {
    const run = one(input, isNew);
    if (target.concurrency === undefined) return run;
    running.add(run);
    // The race below reports a failure; later ones are dropped.
    run.then(() => running.delete(run)).catch(() => undefined);
    if (running.size >= target.concurrency) await Promise.race(running);
  };

  try {
    for (const input of [...target.seeds, ...corpus]) await start(input, false);
    for (let i = 0; i < options.inputs; i++) {
      // Half of them are one step away from what is sound.
      const [input, other] = [random.pick(random.once(2) ? target.seeds : pool), random.pick(pool)];
      const made = target.mutate?.(input, random) ?? mutateBytes(input, random, target.words, other);
      await start(made.subarray(0, inputBytesMax), true);
    }
    await Promise.all(running);
    await target.close?.();
  } finally {
    await watchdog.close();
  }
  const mb = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return {
    target: target.name,
    inputs: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
    outcomes: [...outcomes].sort(([, a], [, b]) => b - a),
    keptMb: mb(keptBytes() - before.kept),
    peakMb: mb((process.resourceUsage().maxRSS - before.peak) * 1024),
  };
}

/** Tries one input; says what came of it. */
export async function replay(target: Target, input: Buffer): Promise<string> {
  const outcome = await target.run(input);
  await target.close?.();
  return outcome;
}

function failed(target: string, input: Buffer, error: unknown): FuzzFailure {
  const file = failurePath(target, input);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, input);
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new FuzzFailure(`${target}: ${message}\nagain with: ${replayCommand(target, file)}`);
}

/** What is still referred to. */
function keptBytes(): number {
  v8.setFlagsFromString('--expose-gc');
  (vm.runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
