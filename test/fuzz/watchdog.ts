/**
 * The watchdog: a thread that looks whether an input takes absurdly long, which the thread that is stuck in it cannot. It puts the input
 * into a file, says so, and ends the process.
 *
 *     shared: number of the input (i32), 0 between two; length (i32); where to put it (its path is made by the other thread); the bytes
 */
import fs from 'node:fs';
import path from 'node:path';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { workerFile } from '../../src/lib/threads/worker-file.ts';
import { inputBytesMax } from './mutate.ts';

/** Milliseconds that nothing which takes bytes from strangers may need for any of them. */
const stuckMs = 5000;
const lookMs = 500;
const headBytes = 8;

interface Shared {
  readonly memory: SharedArrayBuffer;
  readonly file: string;
  readonly replay: string;
}

export class Watchdog {
  readonly #worker: Worker;
  readonly #head: Int32Array;
  readonly #bytes: Uint8Array;
  #count = 0;

  /** @param file where an input goes that does not come to an end, and how it is tried again */
  constructor(file: string, replay: string) {
    const memory = new SharedArrayBuffer(headBytes + inputBytesMax);
    this.#head = new Int32Array(memory, 0, 2);
    this.#bytes = new Uint8Array(memory, headBytes);
    this.#worker = new Worker(new URL(workerFile(import.meta.url, './watchdog')), {
      workerData: { memory, file, replay } satisfies Shared,
    });
    this.#worker.unref();
  }

  begin(input: Buffer): void {
    this.#bytes.set(input.subarray(0, inputBytesMax));
    Atomics.store(this.#head, 1, Math.min(input.length, inputBytesMax));
    Atomics.store(this.#head, 0, ++this.#count);
  }

  end(): void {
    Atomics.store(this.#head, 0, 0);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

if (parentPort !== null && (workerData as Partial<Shared> | null)?.memory !== undefined) watch(workerData as Shared);

function watch({ memory, file, replay }: Shared): void {
  const head = new Int32Array(memory, 0, 2);
  let seen = 0;
  let since = 0;
  setInterval(() => {
    const count = Atomics.load(head, 0);
    if (count === 0 || count !== seen) {
      seen = count;
      since = performance.now();
    } else if (performance.now() - since > stuckMs) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, new Uint8Array(memory, headBytes, Atomics.load(head, 1)));
      fs.writeSync(2, `an input did not come to an end in ${stuckMs / 1000} s; again with: ${replay}\n`);
      process.kill(process.pid, 'SIGABRT');
    }
  }, lookMs);
}
