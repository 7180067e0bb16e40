/** How far a long piece of work has come: two numbers in shared memory, written by the thread that works, read by the one that asks. */

/** How far something has come, in bytes; `total` is 0 as long as nobody knows it. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: Progress) => void;

export class Meter {
  readonly shared: SharedArrayBuffer;
  readonly #numbers: BigInt64Array;
  /** Called in the thread that works. */
  onAdd: () => void = () => undefined;

  constructor(shared = new SharedArrayBuffer(16)) {
    this.shared = shared;
    this.#numbers = new BigInt64Array(shared);
  }

  /** Bytes done. */
  get done(): number {
    return Number(Atomics.load(this.#numbers, 0));
  }

  /** Bytes in all, as far as it is known; 0 when it is not. */
  get expected(): number {
    return Number(Atomics.load(this.#numbers, 1));
  }

  add(bytes: number): void {
    Atomics.add(this.#numbers, 0, BigInt(bytes));
    this.onAdd();
  }

  expect(bytes: number): void {
    Atomics.store(this.#numbers, 1, BigInt(bytes));
  }
}
