/**
 * Writes large records, each into a separate segment, before they are appended (large-record.ts). One at a time, so that at most one
 * such segment takes disk space in addition to the log; other large records queue.
 *
 *     none --begin--> making --> opening --> opened --> ready --append()--> appended --rotation--> committing --its frame is durable--> none
 *                        |          |                     |
 *                      failed     failed               abort() --> closing --> removing --> none
 *
 * {@link largeRecordTransitions} is the whole table.
 */
import path from 'node:path';
import { Deferred } from '../../../lib/async/deferred.ts';
import { NoSpaceError, RecordTooLargeError, type StoppedError } from '../../../lib/errors.ts';
import { type Transitions, transition } from '../../../lib/invariant.ts';
import { recordLengthBytes } from '../format/frame.ts';
import { largeName, largeRecordBytesMax, largeSegmentBytes } from '../format/segment.ts';
import type { Lsn, PreparedRecord } from '../journal.ts';
import type { Tail } from '../tail.ts';
import { DeadlineWaiters } from './deadline-waiters.ts';
import type { Op } from './flusher.ts';
import type { LargeOrder } from './large-record.ts';
import { newSalt, WriteThrottle } from './preallocate.ts';
import type { WalWorker } from './wal-worker.ts';

type State = 'none' | 'making' | 'opening' | 'opened' | 'ready' | 'appended' | 'committing' | 'closing' | 'removing';

type Event =
  | 'begin'
  /** The segment is on the disk. */
  | 'written'
  /** The flusher has opened the segment; `openFailed`: it could not. */
  | 'opened'
  | 'openFailed'
  | 'ready'
  | 'append'
  | 'abort'
  /** Its segment has become the current one. */
  | 'rotated'
  /** Its frame is durable. */
  | 'committed'
  /** The flusher has closed its segment. */
  | 'closed'
  /** The prepared segment is deleted, or the log has stopped. */
  | 'end';

// biome-ignore format: a table
export const largeRecordTransitions: Transitions<State, Event> = {
  none:       { begin: 'making', abort: 'none', end: 'none' },
  making:     { written: 'opening', abort: 'making', end: 'none' },
  opening:    { opened: 'opened', openFailed: 'removing', abort: 'opening', end: 'none' },
  opened:     { ready: 'ready', abort: 'opened', end: 'none' },
  ready:      { append: 'appended', abort: 'closing', end: 'none' },
  appended:   { abort: 'appended', rotated: 'committing', end: 'none' },
  committing: { abort: 'committing', committed: 'none', end: 'none' },
  closing:    { abort: 'closing', closed: 'removing', end: 'none' },
  removing:   { abort: 'removing', end: 'none' },
};

interface LargeRecordWriterOptions {
  readonly worker: WalWorker;
  readonly tail: Pick<Tail, 'folder' | 'lineage' | 'sync'>;
  /** An op for the flusher is due. */
  readonly onDue: () => void;
  /** Disk work on another thread than the flusher's begins: see {@link LargeRecordWriter.progress}. */
  readonly onWork: () => void;
}

/** The large record in progress. */
interface Current extends PreparedRecord {
  readonly header: LargeOrder['header'];
  payloadCrc: number;
  readonly opened: Deferred<string | undefined>;
  /** Requests that wait until the record is durable. */
  readonly durable: DeadlineWaiters;
  readonly over: Deferred<void>;
}

export class LargeRecordWriter {
  readonly #options: LargeRecordWriterOptions;
  readonly #throttle = new WriteThrottle();
  #state: State = 'none';
  #current: Current | undefined;
  /** Resolves when the last large record, in progress or queued, is done. */
  #over: Promise<void> = Promise.resolve();
  #work: Promise<unknown> = Promise.resolve();
  /** Whether another thread than the flusher's writes or deletes the segment. */
  #isWorking = false;
  #stopped: StoppedError | undefined;
  /** The LSN of the record that was appended and is not durable yet; 0 for none. */
  lsn: Lsn = 0;

  constructor(options: LargeRecordWriterOptions) {
    this.#options = options;
  }

  /** Writes a record into a separate segment. See {@link Journal.prepare}. */
  async make(byteLength: number, fill: (into: Buffer) => Promise<void>): Promise<PreparedRecord> {
    if (byteLength > largeRecordBytesMax) {
      throw new RecordTooLargeError(
        `the record has ${byteLength} bytes; the limit is ${largeRecordBytesMax}, the largest segment`,
      );
    }
    const turn = this.#over;
    const { lineage, sync } = this.#options.tail;
    const made: Current = {
      byteLength,
      header: { segmentBytes: largeSegmentBytes(byteLength), lineage, salt: newSalt(), sync, createdMs: Date.now(), large: true },
      payloadCrc: 0,
      opened: new Deferred<string | undefined>(),
      durable: new DeadlineWaiters(),
      over: new Deferred<void>(),
    };
    // A rejection without a listener must not end the process.
    made.opened.promise.catch(() => undefined);
    this.#over = made.over.promise;
    await turn;
    try {
      this.#refuseWhenStopped();
      this.#on('begin');
      this.#current = made;
      const record = new SharedArrayBuffer(byteLength);
      await fill(Buffer.from(record));
      await this.#write(made, record);
      this.#refuseWhenStopped();
      this.#on('written');
      this.#options.onDue();
      const openError = await made.opened.promise;
      if (openError !== undefined) {
        await this.#remove();
        throw noSpace(made, openError);
      }
      this.#on('ready');
      return made;
    } catch (error) {
      this.#end(made);
      throw error;
    }
  }

  async #write(made: Current, record: SharedArrayBuffer): Promise<void> {
    const { worker, tail } = this.#options;
    this.#refuseWhenStopped();
    const work = this.#watched(() => worker.makeLarge({ folder: tail.folder, header: made.header, record }, this.#throttle));
    this.#work = work.catch(() => undefined);
    let crc: number | undefined;
    try {
      crc = await work;
    } catch (error) {
      this.#refuseWhenStopped();
      throw noSpace(made, String(error));
    }
    if (crc !== undefined) made.payloadCrc = crc;
  }

  /** Makes the prepared record a record of the log. The records before it are written first. */
  append(prepared: PreparedRecord, lsn: Lsn): void {
    if (this.#state !== 'ready' || prepared !== this.#current) {
      throw new Error('the large record was committed or aborted already, or another one was prepared');
    }
    this.#on('append');
    this.lsn = lsn;
  }

  /** Discards the prepared record, unless it was appended. */
  abort(prepared: PreparedRecord): void {
    if (prepared !== this.#current) return;
    const before = this.#state;
    this.#on('abort');
    if (this.#state !== before) this.#options.onDue();
  }

  /** The next op of the flusher for this record, except the rotation; `undefined` if none is due. */
  get op(): Op | undefined {
    switch (this.#state) {
      case 'opening':
        return { kind: 'openNext', segment: 'large' };
      case 'closing':
        return { kind: 'abortLarge' };
      case 'committing': {
        const { byteLength, payloadCrc } = this.#current as Current;
        return { kind: 'commitLarge', bytes: recordLengthBytes + byteLength, payloadCrc };
      }
      default:
        return undefined;
    }
  }

  /** The rotation to its segment; `undefined` if none is due. */
  get rotation(): (Op & { readonly kind: 'rotate' }) | undefined {
    if (this.#state !== 'appended') return undefined;
    const { salt, segmentBytes } = (this.#current as Current).header;
    return { kind: 'rotate', salt, segmentBytes, to: 'large' };
  }

  /** The flusher has opened the segment. @param openError why it could not */
  opened(openError: string | undefined): void {
    this.#on(openError === undefined ? 'opened' : 'openFailed');
    this.#current?.opened.resolve(openError);
  }

  /** The flusher has closed the segment of the aborted record. */
  segmentClosed(): void {
    const current = this.#current as Current;
    this.#on('closed');
    void this.#remove().then(() => this.#end(current));
  }

  /** The segment has become the current one. */
  rotated(): void {
    this.#on('rotated');
  }

  /** The record is durable. */
  committed(): void {
    const current = this.#current as Current;
    this.#on('committed');
    this.lsn = 0;
    current.durable.resolve();
    this.#end(current);
  }

  /** Resolves when the appended record is durable. */
  wait(): Promise<void> {
    return (this.#current as Current).durable.wait();
  }

  /**
   * Progress of the disk work on another thread than the flusher's: changes after each step; `undefined` while none is in progress. A
   * record that is being encoded, or is queued, needs no disk.
   */
  get progress(): number | undefined {
    return this.#isWorking ? this.#throttle.steps : undefined;
  }

  /** Path of the segment until it becomes the current one. */
  get path(): string {
    return path.join(this.#options.tail.folder, largeName);
  }

  /** Whether a request waits for the appended record. */
  get isAwaited(): boolean {
    return this.#current?.durable.any === true;
  }

  /** See {@link DeadlineWaiters.tick}. */
  tick(ticksMax: number, late: () => Error): void {
    this.#current?.durable.tick(ticksMax, late);
  }

  /** Rejects all waits: nothing more will be written. */
  fail(error: StoppedError): void {
    this.#stopped = error;
    this.#current?.opened.reject(error);
    this.#current?.durable.reject(error);
    this.#current?.over.resolve();
  }

  /** Ends the work in progress; resolves when it has ended. */
  async stop(error: StoppedError): Promise<void> {
    this.#throttle.stop();
    this.fail(error);
    await this.#work;
  }

  /** Deletes the segment. A failure does not matter: nothing reads the file, and the next large record replaces it. */
  async #remove(): Promise<void> {
    await this.#watched(() => this.#options.worker.removeLarge(this.path)).catch(() => undefined);
  }

  /** Runs work on another thread than the flusher's. One at a time, as there is one large record at a time. */
  async #watched<T>(work: () => Promise<T>): Promise<T> {
    this.#throttle.begin();
    this.#isWorking = true;
    this.#options.onWork();
    try {
      return await work();
    } finally {
      this.#isWorking = false;
    }
  }

  #end(current: Current): void {
    if (this.#current === current) {
      this.#current = undefined;
      this.#on('end');
    }
    current.over.resolve();
  }

  #on(event: Event): void {
    this.#state = transition(largeRecordTransitions, this.#state, event);
  }

  #refuseWhenStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
  }
}

function noSpace({ header }: Current, reason: string): NoSpaceError {
  return new NoSpaceError(`cannot create a segment of ${header.segmentBytes} bytes: ${reason}`);
}
