/**
 * The journal: the interface through which the engine makes its records durable. A journal sees bytes, not projects.
 *
 * One writer, batches, asynchronous. The write-ahead log in this folder is the implementation on a disk; `test/wal/conformance.ts`
 * runs the same suite over every implementation.
 */
import { StalledError } from '../../lib/errors.ts';

import type { Undeleted } from '../../lib/files/files.ts';

/** The number of a record: 1, 2, 3 ... without gaps; log order is decision order. 0 means "before the first record". */
export type Lsn = number;

/** A large record that is written already, and becomes part of the log with {@link Journal.commitPrepared}. */
export interface PreparedRecord {
  readonly byteLength: number;
}

export interface Journal {
  /** Random name of this history, 32 hex digits: an ETag of one lineage never matches the bytes of another. */
  readonly lineage: string;
  /** Size limit of {@link append}, in bytes. */
  readonly recordBytesMax: number;
  /** Size limit of {@link prepare}, in bytes. */
  readonly preparedBytesMax: number;
  /** The LSN that the next appended record gets. */
  readonly nextLsn: Lsn;
  /** Every record up to this LSN survives a crash. Never decreases. */
  readonly durableLsn: Lsn;

  /**
   * Queues one record, in order, and returns its LSN. Synchronous; the bytes are copied before it returns.
   *
   * Throws, with nothing queued: {@link RecordTooLargeError}, {@link NoSpaceError} (the next segment cannot be created),
   * {@link BusyError} (the queue is full, or the next segment is still being prepared), {@link StalledError} (the disk does not respond),
   * {@link StoppedError}.
   */
  append(record: Uint8Array): Lsn;

  /**
   * Writes a large record before its commit, without blocking other writes. After it resolves, the caller must call {@link commitPrepared}
   * or {@link abort}. One large record at a time: the next one waits until this one is durable or aborted. Rejects with
   * {@link RecordTooLargeError}, {@link NoSpaceError}, {@link StalledError} and {@link StoppedError}, and leaves nothing on the disk.
   *
   * @param fill encodes the record into the buffer; called when no other large record is in progress
   */
  prepare(byteLength: number, fill: (into: Buffer) => Promise<void>): Promise<PreparedRecord>;

  /** Appends a prepared record and returns its LSN. Synchronous, as fast as {@link append}, and throws the same errors. */
  commitPrepared(prepared: PreparedRecord): Lsn;

  /** Discards a prepared record, unless it was committed. */
  abort(prepared: PreparedRecord): void;

  /**
   * Waits until the record `lsn` and all before it are durable. Returns `undefined` if they already are, so that the common case costs
   * one comparison. Rejects with {@link StoppedError} if they can no longer become durable, and with {@link StalledError} if the disk
   * takes too long: they may still become durable ({@link durableAtLast} continues to wait). Throws a `RangeError` for a record that was
   * never appended.
   */
  durable(lsn: Lsn): Promise<void> | undefined;

  /**
   * Seals all records appended so far. Resolves with the newest sealed LSN when they are durable and sealed. Rejects with
   * {@link NoSpaceError} if the next segment cannot be created, with {@link BusyError} if it is late, and with {@link StoppedError}.
   */
  seal(): Promise<Lsn>;

  /** Deletes sealed segments without a record above `lsn`: a snapshot covers them. Resolves with those that could not be deleted. */
  trim(lsn: Lsn): Promise<readonly Undeleted[]>;

  /** Makes everything durable, writes a mark that confirms the last batch, and stops. Later calls throw {@link StoppedError}. */
  close(): Promise<void>;
}

/** Waits like {@link Journal.durable}, but without a time limit: for work for which no client waits. */
export async function durableAtLast(journal: Pick<Journal, 'durable'>, lsn: Lsn): Promise<void> {
  for (;;) {
    try {
      await journal.durable(lsn);
      return;
    } catch (error) {
      if (!(error instanceof StalledError)) throw error;
    }
  }
}
