/** Progress of long work: two numbers in shared memory, written by the working thread and read by another. */

/** Progress in bytes; `total` is 0 while unknown. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: Progress) => void;

export class ProgressCounter {
  readonly shared: SharedArrayBuffer;
  readonly #numbers: BigInt64Array;
  /** Called in the working thread after each step. */
  onAdd: () => void = () => undefined;

  constructor(shared = new SharedArrayBuffer(16)) {
    this.shared = shared;
    this.#numbers = new BigInt64Array(shared);
  }

  /** Bytes done. */
  get done(): number {
    return Number(Atomics.load(this.#numbers, 0));
  }

  /** Total number of bytes, as currently estimated; 0 if unknown. */
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
