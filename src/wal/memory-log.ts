/**
 * Records that are kept in memory, the newest of them: the log of a process that keeps nothing. Those who follow what changes go on from it
 * as from one on a disk. Its bytes are bounded: where there are more, the oldest records go, and who wanted these has to begin anew.
 */
import { randomBytes } from 'node:crypto';
import type { Lsn } from './journal.ts';

/** Bytes of records that are kept, unless somebody says otherwise; of a single one any number. */
export const keptBytesDefault = 16 * 1024 * 1024;

/** What a record takes beside its bytes, about. */
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

  /** Keeps a record, as it is. */
  add(record: Buffer): Lsn {
    this.#records.set(this.#nextLsn, record);
    this.#bytes += record.byteLength + overheadBytes;
    this.#nextLsn += 1;
    while (this.#bytes > this.#bytesMax && this.#firstLsn < this.#nextLsn - 1) this.#letGo();
    return this.#nextLsn - 1;
  }

  /** The records from one LSN to another, both included; `undefined` when the first is not there any more. */
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

  /** Lets the records go up to this one. */
  trim(lsn: Lsn): void {
    while (this.#firstLsn <= lsn && this.#firstLsn < this.#nextLsn) this.#letGo();
  }

  #letGo(): void {
    this.#bytes -= (this.#records.get(this.#firstLsn)?.byteLength ?? 0) + overheadBytes;
    this.#records.delete(this.#firstLsn);
    this.#firstLsn += 1;
  }
}
