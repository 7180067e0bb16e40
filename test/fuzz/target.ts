/** What is fuzzed: something that takes bytes from outside, and what it has to keep to whatever they are. */
import type { Chance } from '../support/random.ts';

export interface Target {
  /** As `--target` and the folder of its corpus name it. */
  readonly name: string;
  /** Inputs of a normal run. */
  readonly inputs: number;
  /** Sound inputs, from which others are made. */
  readonly seeds: readonly Buffer[];
  /** Words that mean something in there. */
  readonly words?: readonly string[];
  /** Outcomes that a run has to come to: {@link run} begins with these words. A fuzzer that only ever gets one answer tests little. */
  readonly outcomes: readonly string[];
  /** Inputs under way at a time; 1 without it. With more, what the same seed finds may differ. */
  readonly concurrency?: number;
  /** An input made of another; without it bytes are changed. */
  mutate?(input: Buffer, random: Chance): Buffer;
  /**
   * Feeds an input and judges what comes of it. Returns that in a few words: what leads to words never heard is worth changing further.
   * Throws when a promise is broken: an error of the wrong kind, a value that should have been refused, a round trip that loses something.
   */
  run(input: Buffer): string | Promise<string>;
  /** Judges the whole, after the last input, and cleans up. */
  close?(): void | Promise<void>;
}

/** Throws unless something holds. */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** The outcome of an error that may be thrown: its class and the kind of its message. Throws on what is none of `allowed`. */
// biome-ignore lint/suspicious/noExplicitAny: any constructor of errors
export function refusal(error: unknown, ...allowed: readonly (new (...args: any[]) => Error)[]): string {
  if (!(error instanceof Error) || !allowed.some((kind) => error instanceof kind)) throw error;
  return `refused: ${error.name} ${kindOf(error.message)}`;
}

/** A message without what differs between two inputs of one kind. */
function kindOf(message: string): string {
  return (
    message
      // A folder of the test's own.
      .replaceAll(/\/tmp\/\S*/g, '')
      .replaceAll(/[0-9a-f]{8,}|\d+/gi, '#')
      .replaceAll(/"[\s\S]*"/g, '""')
      .replaceAll(/'[\s\S]*'/g, "''")
      .slice(0, 120)
  );
}
