/**
 * The newest records, in memory: the log of a process without a data folder. Subscribers resume from it as from a log on a disk. Its size is
 * limited; the oldest records are dropped first, and a subscriber that needs a dropped record gets `reset`.
 */
import { randomBytes } from 'node:crypto';
import type { Lsn } from './journal.ts';

/** Default limit for the records in memory, in bytes. One record may be larger. */
const keptBytesDefault = 16 * 1024 * 1024;

/** Estimated memory of a record in addition to its bytes. */
const overheadBytes = 128;

export class MemoryLog {
  readonly lineage = randomBytes(16).toString('hex');
  readonly #bytesMax: number;
  readonly #records = new Map<Lsn, Buffer>();
  #firstLsn: Lsn = 1;
  #nextLsn: Lsn = 1;
  #bytes = 0;

  constructor(bytesMax = keptBytesDefault) {
    this.#bytesMax = bytesMax;
  }

  /** The LSN of the next record. */
  get nextLsn(): Lsn {
    return this.#nextLsn;
  }

  /** Appends a record, without copying it. */
  add(record: Buffer): Lsn {
    this.#records.set(this.#nextLsn, record);
    this.#bytes += record.byteLength + overheadBytes;
    this.#nextLsn += 1;
    while (this.#bytes > this.#bytesMax && this.#firstLsn < this.#nextLsn - 1) this.#dropOldest();
    return this.#nextLsn - 1;
  }

  /** The records `from` to `to`, inclusive; `undefined` if the first was dropped. */
  recordsFrom(from: Lsn, to: Lsn): Generator<[Lsn, Buffer], void> | undefined {
    return from < this.#firstLsn ? undefined : this.#recordsFrom(from, to);
  }

  *#recordsFrom(from: Lsn, to: Lsn): Generator<[Lsn, Buffer], void> {
    for (let lsn = from; lsn <= to; lsn += 1) {
      const record = this.#records.get(lsn);
      if (record === undefined) return;
      yield [lsn, record];
    }
  }

  /** Drops the records up to this one. */
  trim(lsn: Lsn): void {
    while (this.#firstLsn <= lsn && this.#firstLsn < this.#nextLsn) this.#dropOldest();
  }

  #dropOldest(): void {
    this.#bytes -= (this.#records.get(this.#firstLsn)?.byteLength ?? 0) + overheadBytes;
    this.#records.delete(this.#firstLsn);
    this.#firstLsn += 1;
  }
}
