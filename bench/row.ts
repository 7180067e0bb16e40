/** What a bench gives: rows of one table. */
import type { Side } from './lib/turns.ts';

/** What a row has to reach: a ratio, or a figure in the row's own unit where there is no ratio. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface Row {
  /** What is measured: `GET one / floor`. Unique in the table. */
  readonly what: string;
  /** The unit of `ours` and `other`: `/s`, `ms`, `B`, `MB/s`. */
  readonly unit: string;
  /** Median. */
  readonly ours: number;
  /** What it is held against, measured in turn with ours in the same run; absent where the goal is a figure. */
  readonly other?: { readonly name: string; readonly median: number };
  /** Median of the ratios of the rounds, ours by other. */
  readonly ratio?: number;
  /** What the other side is to itself, measured twice in each round; 1 on a quiet machine. */
  readonly control?: number;
  readonly goal?: Goal;
  /** Of the ratio, or of `ours` where there is none: greatest less smallest, as a share of the median. */
  readonly spread: number;
  /** What a reader must know to read the row right. */
  readonly note?: string;
}

/** How a bench is to be run. */
export interface Context {
  /** The compiled program that is measured: a folder with `bin/mapwright.js` in it, or, before it is bundled, `src/cli/mapwright.js`. */
  readonly program: string;
  /** Rounds of each comparison, in which the sides take turns. */
  readonly rounds: number;
  /** Seconds of one measurement. */
  readonly seconds: number;
  /** Minutes of a soak. */
  readonly minutes: number;
  /** Everything as small as can be: whether it works at all is what is asked, as a test does. Figures mean nothing. */
  readonly tiny: boolean;
  /** Ours only: who runs the bench holds its rows against those of another commit. Rows without their other side. */
  readonly alone: boolean;
  /** Reports progress. */
  say(text: string): void;
}

export interface Bench {
  /** As `--only` names it. */
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  /** Runs only where `--only` names it: it takes long. */
  readonly onDemand?: boolean;
  /** Why those cannot run here that ours is held against; `undefined` when they can. Ours alone always can. */
  missing?(): Promise<string | undefined>;
  run(context: Context): Promise<Row[]>;
  /** Starts the program alone, ready to be measured: then two commits are measured beside each other. By default each run starts one. */
  open?(context: Context): Promise<Opened>;
}

/** A program that is ready to be measured again and again. */
export interface Opened {
  /** As the table calls it, and its unit. */
  readonly what: string;
  readonly unit: string;
  readonly side: Side;
  /** Rejects when what it stored or answered was wrong. */
  check(): Promise<void>;
  stop(): Promise<void>;
}
