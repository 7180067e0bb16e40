/** Publishes committed records in log order, one after the other, each when it is durable. */
import { durableAtLast, type Journal } from '../../storage/wal/journal.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { ProjectName } from '../command.ts';

/** A record that is published when it is durable. */
export interface PendingRecord {
  readonly lsn: number;
  readonly project: ProjectName;
  /** `undefined` if the record is too large for a live broadcast. */
  readonly changes: readonly Change[] | undefined;
  readonly bytes: number;
}

interface PublicationQueueParts {
  readonly journal: Journal;
  /** Publishes a record that is durable. */
  publish(record: PendingRecord): Promise<void>;
  /** Called when the journal has stopped, or `publish` has failed; the pending records are dropped. */
  onFailure(error: unknown): void;
}

export class PublicationQueue {
  readonly #parts: PublicationQueueParts;
  #records: PendingRecord[] = [];
  #bytes = 0;
  #isRunning = false;

  constructor(parts: PublicationQueueParts) {
    this.#parts = parts;
  }

  /** LSN of the oldest pending record; infinite if there is none. */
  get firstLsn(): number {
    return this.#records[0]?.lsn ?? Number.POSITIVE_INFINITY;
  }

  get length(): number {
    return this.#records.length;
  }

  /** Bytes of the pending records. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether this is the oldest pending record: it may have been dropped during a wait. */
  isFirst(record: PendingRecord): boolean {
    return this.#records[0] === record;
  }

  push(record: PendingRecord): void {
    this.#records.push(record);
    this.#bytes += record.bytes;
  }

  /** Drops all pending records, and returns them. */
  drop(): readonly PendingRecord[] {
    const dropped = this.#records;
    this.#records = [];
    this.#bytes = 0;
    return dropped;
  }

  /** Publishes the pending records, unless that is in progress. Never rejects. */
  async run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { journal } = this.#parts;
    try {
      for (let [next] = this.#records; next !== undefined; [next] = this.#records) {
        await durableAtLast(journal, next.lsn);
        if (this.isFirst(next)) await this.#parts.publish(next);
        // Heartbeats may name this version only after the record was published.
        if (!this.isFirst(next)) continue;
        this.#records.shift();
        this.#bytes -= next.bytes;
      }
    } catch (error) {
      this.drop();
      this.#parts.onFailure(error);
    } finally {
      this.#isRunning = false;
    }
  }
}
