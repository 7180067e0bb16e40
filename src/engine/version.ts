/**
 * A version in words: a history, the run that wrote a record, and the record's LSN. Entity tags begin with it, and followers of the log name
 * their place by it. The run distinguishes an LSN from the same LSN in another copy of the folder. Records from before schema version 4 have no run.
 */
import type { Run, Runs } from '../store/runs.ts';

/** Of the 32 digits of a lineage: 64 bits of chance are enough to tell histories apart. */
const lineageDigits = 16;

/** What may follow behind a second dash tells forms of one version apart. */
const pattern = /^([0-9a-f]{16})(?:\.([0-9a-f]{16}))?-([0-9a-z]{1,11})(?:-.*)?$/;

/** Names the versions of one history. */
export class Versions {
  readonly #history: string;
  readonly #runs: Runs;
  /** The run of the version that was named last, and how the names of its versions begin. */
  #run: Run | undefined;
  #prefix: string;

  /** @param runs those of the history, which may grow */
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

  /** The LSN that a name of a version names here; `elsewhere` for a version of another history or run, `undefined` for what is none. */
  lsnOf(name: string): number | 'elsewhere' | undefined {
    const [, history, run, digits = ''] = pattern.exec(name) ?? [];
    if (history === undefined) return undefined;
    const lsn = Number.parseInt(digits, 36);
    return history === this.#history && Number.isSafeInteger(lsn) && this.#runs.at(lsn)?.id === run ? lsn : 'elsewhere';
  }
}
