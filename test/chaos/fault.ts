/** What a fault is: something that goes wrong in the world, done to a real server, and what must hold then. */
import type { Random } from '../support/random.ts';
import type { Need } from './machine/needs.ts';

export interface Fault {
  /** What `--only` names it by. */
  readonly name: string;
  /** What is done, in a line. */
  readonly does: string;
  /** What must hold, in a line. */
  readonly holds: string;
  /** What the machine must offer; without it the fault is skipped. */
  readonly needs: readonly Need[];
  /** How often it is done in one run of {@link run}. */
  readonly rounds: { readonly short: number; readonly long: number };
  /** Throws when something does not hold. */
  run(scene: Scene): Promise<void>;
}

/** Where a fault takes place. */
export interface Scene {
  /** A folder of its own, empty; it is kept when the fault fails. */
  readonly folder: string;
  readonly rounds: number;
  readonly random: Random;
  /** Called when it is over, however it ended; the last that was handed in comes first. */
  teardown(tidy: () => unknown): void;
  /** Names a folder that may lie on a disk which goes away: it is copied before, when the fault fails. */
  keep(folder: string): void;
  /** Adds a count to the report. */
  note(text: string): void;
}

/** Throws unless something holds. */
export function hold(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`this does not hold: ${what}`);
}
