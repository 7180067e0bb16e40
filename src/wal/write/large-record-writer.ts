/**
 * Deposits: large records that are written, each into a segment of its own, before they are appended (large-record.ts). One at a time,
 * so that no more than one such segment takes up room beside the log; who comes meanwhile waits for its turn.
 *
 *     none --begin--> making --> opening --> opened --> ready --append()--> appended --rotation--> placing --its frame is durable--> none
 *                        |          |                     |
 *                      failed     failed              withdraw() --> closing --> removing --> none
 *
 * {@link depositTransitions} is the whole table.
 */
import path from 'node:path';
import { Deferred } from '../../lib/async/deferred.ts';
import { NoSpaceError, RecordTooLargeError, type StoppedError } from '../../lib/errors.ts';
import { type Transitions, transition } from '../../lib/invariant.ts';
import { recordLengthBytes } from '../format/frame.ts';
import { largeName, largeRecordBytesMax, largeSegmentBytes } from '../format/segment.ts';
import type { Lsn, PreparedRecord } from '../journal.ts';
import type { Tail } from '../recovery/repair-tail.ts';
import { DeadlineWaiters } from './deadline-waiters.ts';
import type { Op } from './flusher.ts';
import type { LargeOrder } from './large-record.ts';
import { newSalt, WriteThrottle } from './preallocate.ts';
import type { WalWorker } from './wal-worker.ts';

type State = 'none' | 'making' | 'opening' | 'opened' | 'ready' | 'appended' | 'placing' | 'closing' | 'removing';

type Event =
  | 'begin'
  /** The segment is on the disk. */
  | 'written'
  /** The flusher has opened the segment, or could not. */
  | 'prepared'
  | 'unprepared'
  | 'ready'
  | 'append'
  | 'withdraw'
  /** Its segment is the current one. */
  | 'rotated'
  /** Its frame is durable. */
  | 'placed'
  /** The flusher has closed its segment. */
  | 'dismissed'
  /** Nothing of it is left, or the log has stopped. */
  | 'end';

// biome-ignore format: a table
export const depositTransitions: Transitions<State, Event> = {
  none:     { begin: 'making',  written: 'invalid', prepared: 'invalid', unprepared: 'invalid',  ready: 'invalid', append: 'invalid',  withdraw: 'none',     rotated: 'invalid', placed: 'invalid', dismissed: 'invalid',  end: 'none' },
  making:   { begin: 'invalid', written: 'opening', prepared: 'invalid', unprepared: 'invalid',  ready: 'invalid', append: 'invalid',  withdraw: 'making',   rotated: 'invalid', placed: 'invalid', dismissed: 'invalid',  end: 'none' },
  opening:  { begin: 'invalid', written: 'invalid', prepared: 'opened',  unprepared: 'removing', ready: 'invalid', append: 'invalid',  withdraw: 'opening',  rotated: 'invalid', placed: 'invalid', dismissed: 'invalid',  end: 'none' },
  opened:   { begin: 'invalid', written: 'invalid', prepared: 'invalid', unprepared: 'invalid',  ready: 'ready',   append: 'invalid',  withdraw: 'opened',   rotated: 'invalid', placed: 'invalid', dismissed: 'invalid',  end: 'none' },
  ready:    { begin: 'invalid', written: 'invalid', prepared: 'invalid', unprepared: 'invalid',  ready: 'invalid', append: 'appended', withdraw: 'closing',  rotated: 'invalid', placed: 'invalid', dismissed: 'invalid',  end: 'none' },
  appended: { begin: 'invalid', written: 'invalid', prepared: 'invalid', unprepared: 'invalid',  ready: 'invalid', append: 'invalid',  withdraw: 'appended', rotated: 'placing', placed: 'invalid', dismissed: 'invalid',  end: 'none' },
  placing:  { begin: 'invalid', written: 'invalid', prepared: 'invalid', unprepared: 'invalid',  ready: 'invalid', append: 'invalid',  withdraw: 'placing',  rotated: 'invalid', placed: 'none',    dismissed: 'invalid',  end: 'none' },
  closing:  { begin: 'invalid', written: 'invalid', prepared: 'invalid', unprepared: 'invalid',  ready: 'invalid', append: 'invalid',  withdraw: 'closing',  rotated: 'invalid', placed: 'invalid', dismissed: 'removing', end: 'none' },
  removing: { begin: 'invalid', written: 'invalid', prepared: 'invalid', unprepared: 'invalid',  ready: 'invalid', append: 'invalid',  withdraw: 'removing', rotated: 'invalid', placed: 'invalid', dismissed: 'invalid',  end: 'none' },
};

export interface LargeRecordWriterOptions {
  readonly crew: WalWorker;
  readonly tail: Pick<Tail, 'folder' | 'lineage' | 'sync'>;
  /** There is something for the flusher to do. */
  readonly onDue: () => void;
  /** Work on the disk begins that is not the flusher's: see {@link LargeRecordWriter.progress}. */
  readonly onWork: () => void;
}

/** The one that is under way. */
interface Current extends PreparedRecord {
  readonly header: LargeOrder['header'];
  payloadCrc: number;
  readonly opened: Deferred<string | undefined>;
  /** Those who wait until it is durable. */
  readonly durable: DeadlineWaiters;
  readonly over: Deferred<void>;
}

export class LargeRecordWriter {
  readonly #options: LargeRecordWriterOptions;
  readonly #pace = new WriteThrottle();
  #state: State = 'none';
  #current: Current | undefined;
  /** When the last one that has its turn, or waits for it, is over. */
  #over: Promise<void> = Promise.resolve();
  #work: Promise<unknown> = Promise.resolve();
  /** Whether a thread other than the flusher's writes the segment, or deletes it. */
  #isWorking = false;
  #stopped: StoppedError | undefined;
  /** The record that was appended and is not durable yet; 0 for none. */
  lsn: Lsn = 0;

  constructor(options: LargeRecordWriterOptions) {
    this.#options = options;
  }

  /** Writes a record down. See {@link Journal.deposit}. */
  async make(byteLength: number, fill: (into: Buffer) => Promise<void>): Promise<PreparedRecord> {
    if (byteLength > largeRecordBytesMax) {
      throw new RecordTooLargeError(`a record of ${byteLength} bytes; the largest segment holds ${largeRecordBytesMax}`);
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
    // Who waits for it says so; nobody has to.
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
      const unprepared = await made.opened.promise;
      if (unprepared !== undefined) {
        await this.#remove();
        throw noSpace(made, unprepared);
      }
      this.#on('ready');
      return made;
    } catch (error) {
      this.#end(made);
      throw error;
    }
  }

  async #write(made: Current, record: SharedArrayBuffer): Promise<void> {
    const { crew, tail } = this.#options;
    this.#refuseWhenStopped();
    const work = this.#watched(() => crew.makeLarge({ folder: tail.folder, header: made.header, record }, this.#pace));
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

  /** It is to become a record of the log: what comes before it is written first. */
  append(deposit: PreparedRecord, lsn: Lsn): void {
    if (this.#state !== 'ready' || deposit !== this.#current) throw new Error('a deposit is appended once, while it is there');
    this.#on('append');
    this.lsn = lsn;
  }

  /** It will not be appended. */
  abort(deposit: PreparedRecord): void {
    if (deposit !== this.#current) return;
    const before = this.#state;
    this.#on('withdraw');
    if (this.#state !== before) this.#options.onDue();
  }

  /** The next op of the flusher that is about it, but for the rotation; `undefined` when there is none. */
  get op(): Op | undefined {
    switch (this.#state) {
      case 'opening':
        return { kind: 'prepare', segment: 'large' };
      case 'closing':
        return { kind: 'dismiss' };
      case 'placing': {
        const { byteLength, payloadCrc } = this.#current as Current;
        return { kind: 'place', bytes: recordLengthBytes + byteLength, payloadCrc };
      }
      default:
        return undefined;
    }
  }

  /** The rotation to its segment; `undefined` when none is due. */
  get rotation(): (Op & { readonly kind: 'rotate' }) | undefined {
    if (this.#state !== 'appended') return undefined;
    const { salt, segmentBytes } = (this.#current as Current).header;
    return { kind: 'rotate', salt, segmentBytes, to: 'large' };
  }

  /** The flusher has its segment open, or says why not. */
  prepared(unprepared: string | undefined): void {
    this.#on(unprepared === undefined ? 'prepared' : 'unprepared');
    this.#current?.opened.resolve(unprepared);
  }

  /** The flusher has let go of it. */
  dismissed(): void {
    const current = this.#current as Current;
    this.#on('dismissed');
    void this.#remove().then(() => this.#end(current));
  }

  /** Its segment is the current one. */
  rotated(): void {
    this.#on('rotated');
  }

  /** It is durable. */
  placed(): void {
    const current = this.#current as Current;
    this.#on('placed');
    this.lsn = 0;
    current.durable.resolve();
    this.#end(current);
  }

  /** Resolves when the one that was appended is durable. */
  wait(): Promise<void> {
    return (this.#current as Current).durable.wait();
  }

  /**
   * How far the work on the disk is that is not the flusher's: another value after each step; `undefined` while there is none. A record that
   * is encoded, or waits for its turn, needs no disk.
   */
  get progress(): number | undefined {
    return this.#isWorking ? this.#pace.steps : undefined;
  }

  /** Path of its segment until that is the current one. */
  get path(): string {
    return path.join(this.#options.tail.folder, largeName);
  }

  /** Whether a request waits for the one that was appended. */
  get isAwaited(): boolean {
    return this.#current?.durable.any === true;
  }

  /** See {@link DeadlineWaiters.look}. */
  look(looks: number, late: () => Error): void {
    this.#current?.durable.look(looks, late);
  }

  /** Nothing more will be written. */
  fail(error: StoppedError): void {
    this.#stopped = error;
    this.#current?.opened.reject(error);
    this.#current?.durable.reject(error);
    this.#current?.over.resolve();
  }

  /** Ends what is under way. */
  async stop(error: StoppedError): Promise<void> {
    this.#pace.stop();
    this.fail(error);
    await this.#work;
  }

  /** Nobody depends on what is left: whatever keeps its name from going, the next one that is made replaces it. */
  async #remove(): Promise<void> {
    const { crew, tail } = this.#options;
    await this.#watched(() => crew.removeLarge({ folder: tail.folder, paths: [this.path] })).catch(() => undefined);
  }

  /** Has a thread other than the flusher's do something. One at a time, as there is one deposit at a time. */
  async #watched<T>(work: () => Promise<T>): Promise<T> {
    this.#pace.begin();
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
    this.#state = transition(depositTransitions, this.#state, event);
  }

  #refuseWhenStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped;
  }
}

function noSpace({ header }: Current, reason: string): NoSpaceError {
  return new NoSpaceError(`there is no room for a segment of ${header.segmentBytes} bytes: ${reason}`);
}
