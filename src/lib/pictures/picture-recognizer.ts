/**
 * Recognizes pictures in a worker thread, one at a time, in the order of the calls. A picture that takes too much processor time or memory ends
 * the thread.
 */
import { OverrunError, StoppedError } from '../errors.ts';
import type { Log } from '../observability/logger.ts';
import { JobThread } from '../threads/job-thread.ts';
import { workerFile } from '../threads/worker-file.ts';
import type { Recognized } from './picture-types.ts';
import type { RecognizeTask } from './recognize-worker.ts';

export interface PictureRecognizerOptions {
  readonly log?: Log;
  /** Most processor time for one picture, in milliseconds; default 1000. */
  readonly runMs?: number;
  /** Most wall time for one picture, in milliseconds; default 30 s. */
  readonly wallMs?: number;
  /** Heap of the thread, in megabytes; default 512: the tree of an SVG needs about thirty times its text. */
  readonly heapMb?: number;
}

/** How long the idle thread waits for the next picture, in milliseconds. */
const idleMs = 10_000;

const warmUp: RecognizeTask = { source: undefined };

export class PictureRecognizer {
  readonly #thread: JobThread;
  readonly #runMs: number;
  readonly #wallMs: number | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ log, runMs = 1000, wallMs, heapMb = 512 }: PictureRecognizerOptions = {}) {
    const options = { what: 'pictures', idleMs, heapMb, ...(log === undefined ? {} : { log }) };
    this.#thread = new JobThread(workerFile(import.meta.url, './recognize-worker'), options);
    this.#runMs = runMs;
    this.#wallMs = wallMs;
  }

  /**
   * Recognizes a picture. Rejects with StoppedError after {@link close}, with BusyError if the machine is too busy, and with the error of the
   * file system if the file cannot be read.
   *
   * @param source a path, or the bytes, which are copied
   */
  recognize(source: string | Uint8Array): Promise<Recognized> {
    const result = this.#last.then(() => this.#recognize(source));
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread: calls that wait reject. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.stop();
  }

  async #recognize(source: string | Uint8Array): Promise<Recognized> {
    try {
      if (this.#isClosed) throw new StoppedError('the recognition of pictures is stopped');
      return await this.#thread.runWithin<Recognized>({ source } satisfies RecognizeTask, this.#runMs, warmUp, this.#wallMs);
    } catch (error) {
      if (this.#isClosed) throw new StoppedError('the recognition of pictures is stopped');
      if (error instanceof OverrunError) return { fault: 'too-slow' };
      throw error;
    }
  }
}
