/**
 * Runs: which server start wrote which records. A run begins with the first record that a process appends after its start, and ends
 * before the first record of the next run. Its id is random, so two copies of a folder that both continue get different runs.
 *
 * One entry per start that wrote something, about 16 bytes on disk. Entries are never removed or merged: each is part of the entity tags
 * of the resources that its records wrote.
 */
import { firstIndex } from '../lib/first-index.ts';
import { RecordFormatError, stored } from '../model/stored.ts';

export interface Run {
  /** The first record of the run. */
  readonly firstLsn: number;
  /** 16 hex digits. */
  readonly id: string;
}

export class Runs implements Iterable<Run> {
  /** In ascending LSN order. */
  readonly #runs: Run[];

  constructor(runs: Iterable<Run> = []) {
    this.#runs = [...runs];
  }

  get newest(): Run | undefined {
    return this.#runs.at(-1);
  }

  /** Ignores the newest run: a record that was encoded before the run's first record was appended also starts the run. */
  start(firstLsn: number, id: string): void {
    const { newest } = this;
    if (newest?.id === id) return;
    if (newest !== undefined && firstLsn <= newest.firstLsn)
      throw new Error(`record ${firstLsn} starts a run, but the newest run starts at record ${newest.firstLsn}`);
    this.#runs.push({ firstLsn, id });
  }

  /** The run that wrote a record; `undefined` before the first run. */
  at(lsn: number): Run | undefined {
    const { newest } = this;
    if (newest === undefined || lsn >= newest.firstLsn) return newest;
    return this.#runs[firstIndex(this.#runs.length, (i) => (this.#runs[i] as Run).firstLsn > lsn) - 1];
  }

  /** The runs that wrote records `from` to `to`, inclusive. */
  between(from: number, to: number): Run[] {
    return this.#runs.filter(
      ({ firstLsn }, i) => firstLsn <= to && (this.#runs[i + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) > from,
    );
  }

  [Symbol.iterator](): Iterator<Run> {
    return this.#runs.values();
  }
}

/** Size of a run's id, in bytes. */
export const runIdLength = 8;

export const runIdBytes = (id: string): Buffer => Buffer.from(id, 'hex');

/** Throws {@link RecordFormatError} for anything but the output of {@link runIdBytes}. */
export function runIdFrom(item: unknown): string {
  const bytes = stored.bytes(item, 'the id of a run');
  if (bytes.byteLength !== runIdLength)
    throw new RecordFormatError(`the id of a run has ${bytes.byteLength} bytes, not ${runIdLength}`);
  return Buffer.from(bytes).toString('hex');
}
