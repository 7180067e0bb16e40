/**
 * The name of a version: a history, the run that wrote a record, and the record's LSN. Entity tags begin with it, and subscribers resume from
 * it. The run distinguishes an LSN from the same LSN in another copy of the folder. LSN 0, and records whose run a repair could not read, have none.
 */
import type { Run, Runs } from '../store/runs.ts';

/** How many of a lineage's 32 digits are used: 64 random bits are enough to distinguish histories. */
const lineageDigits = 16;

/** A suffix after a second dash distinguishes representations of one version. */
const pattern = /^([0-9a-f]{16})(?:\.([0-9a-f]{16}))?-([0-9a-z]{1,11})(?:-.*)?$/;

/** Names the versions of one history. */
export class Versions {
  readonly #history: string;
  readonly #runs: Runs;
  /** The run of the last version that was named, and the prefix of its names. */
  #run: Run | undefined;
  #prefix: string;

  /** @param runs the runs of the history, which may grow */
  constructor(lineage: string, runs: Runs) {
    this.#history = lineage.slice(0, lineageDigits);
    this.#runs = runs;
    this.#prefix = `${this.#history}-`;
  }

  nameOf(lsn: number): string {
    const run = this.#runs.at(lsn);
    if (run !== this.#run) {
      this.#run = run;
      this.#prefix = run === undefined ? `${this.#history}-` : `${this.#history}.${run.id}-`;
    }
    return this.#prefix + lsn.toString(36);
  }

  /** Parses a name; `elsewhere` for a version of another history or run, `undefined` if the text is not a version. */
  lsnOf(name: string): number | 'elsewhere' | undefined {
    const [, history, run, digits = ''] = pattern.exec(name) ?? [];
    if (history === undefined) return undefined;
    const lsn = Number.parseInt(digits, 36);
    return history === this.#history && Number.isSafeInteger(lsn) && this.#runs.at(lsn)?.id === run ? lsn : 'elsewhere';
  }
}
