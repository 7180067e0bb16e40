/** Cuts a conversion into slices, so that a page stays responsive, and checks for an abort between them. */
import { ConvertError, type ConvertOptions } from './conversion.ts';

/** Milliseconds of work between two turns of the event loop. */
const sliceMs = 12;

export class Slices {
  readonly #onProgress: ((share: number) => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  #startedAt = performance.now();
  #from = 0;
  #to = 1;

  constructor({ onProgress, signal }: Pick<ConvertOptions, 'onProgress' | 'signal'>) {
    this.#onProgress = onProgress;
    this.#signal = signal;
  }

  /** Begins a stage, whose progress is this part of the whole. */
  async stage(from: number, to: number): Promise<void> {
    this.#from = from;
    this.#to = to;
    await this.#turn(from);
  }

  /** @param share of the stage, from 0 to 1 @throws {ConvertError} "aborted" */
  next(share: number): Promise<void> | undefined {
    // Most calls need no promise.
    if (performance.now() - this.#startedAt <= sliceMs) return undefined;
    return this.#turn(this.#from + share * (this.#to - this.#from));
  }

  async #turn(share: number): Promise<void> {
    this.#check();
    this.#onProgress?.(share);
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#check();
    this.#startedAt = performance.now();
  }

  #check(): void {
    if (this.#signal?.aborted === true) throw new ConvertError('aborted', 'The conversion was cancelled. Nothing was imported.');
  }
}
