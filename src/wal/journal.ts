/**
 * The journal: what the engine asks of whatever makes its records durable. It sees bytes, not projects.
 *
 * One writer, batches, asynchronous. The write-ahead log beside this file is the local implementation; `test/wal/conformance.ts`
 * runs the same suite over every implementation.
 */
import { StalledError } from '../lib/errors.ts';

import type { Undeleted } from '../lib/files/files.ts';

/** A record's number: 1, 2, 3 ... without gaps; log order is decision order. 0 stands for "before the first record". */
export type Lsn = number;

/** A record that is written already, and is no part of the log before it is appended. */
export interface PreparedRecord {
  /** Of the record. */
  readonly byteLength: number;
}

export interface Journal {
  /** Random name of this history, 32 hex digits: a tag made under one lineage never matches bytes of another. */
  readonly lineage: string;
  /** Bytes that a record may have which is appended as it is. */
  readonly recordBytesMax: number;
  /** Bytes that any record may have: a larger one than the above is deposited first. */
  readonly preparedBytesMax: number;
  /** The LSN that the next appended record gets. */
  readonly nextLsn: Lsn;
  /** Every record up to here survives a crash. Never moves back. */
  readonly durableLsn: Lsn;

  /**
   * Queues one record, in order, and returns its LSN. Synchronous; the bytes are copied before it returns.
   *
   * Throws, with nothing queued: {@link RecordTooLargeError}, {@link NoSpaceError} (no room for the next segment),
   * {@link BusyError} (the queue is full, or the next segment is still being prepared), {@link StalledError} (the disk does not answer),
   * {@link StoppedError}.
   */
  append(record: Uint8Array): Lsn;

  /**
   * Writes a large record ahead of its being appended, while everything else goes on. Resolves when only {@link commitPrepared} is left to be
   * done; whoever asked for it then does that, or says {@link abort}. There is one at a time: the next one waits until this one is
   * durable or withdrawn. Rejects with {@link RecordTooLargeError}, {@link NoSpaceError}, {@link StalledError} and {@link StoppedError},
   * with nothing left behind.
   *
   * @param fill writes the record, when its turn has come
   */
  prepare(byteLength: number, fill: (into: Buffer) => Promise<void>): Promise<PreparedRecord>;

  /** Queues a record that was deposited, and returns its LSN; as {@link append} does, which takes no longer. */
  commitPrepared(deposit: PreparedRecord): Lsn;

  /** Gives up a deposit, unless it was appended. */
  abort(deposit: PreparedRecord): void;

  /**
   * Waits until the record `lsn` and all before it are durable. `undefined` when they already are, so that the common case costs
   * one comparison. Rejects with {@link StoppedError} when they can no longer become so, and with {@link StalledError} when the disk
   * takes too long: they may still become durable ({@link durableAtLast} waits on). Throws a `RangeError` for a record that was never
   * appended.
   */
  durable(lsn: Lsn): Promise<void> | undefined;

  /**
   * Seals what has been appended so far; resolves, once it is durable and sealed, with the newest sealed LSN. Rejects with
   * {@link NoSpaceError} when there is no room for the next segment, with {@link BusyError} when it is late, and with {@link StoppedError}.
   */
  seal(): Promise<Lsn>;

  /** Deletes sealed segments that hold no record above `lsn`: a snapshot covers them. Resolves with those that could not be deleted. */
  trim(lsn: Lsn): Promise<readonly Undeleted[]>;

  /** Makes everything durable, vouches for the last batch and stops. Later calls throw {@link StoppedError}. */
  close(): Promise<void>;
}

/** Waits as {@link Journal.durable} does, however long the disk takes: for work without a client that waits. */
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
