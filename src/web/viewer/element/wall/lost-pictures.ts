/** Asks again for pictures and tiles that did not load: after a pause that grows, and when the browser is online again. */

/** In milliseconds. */
const pauseMs = { first: 60_000, most: 600_000 };

export class LostPictures {
  readonly #redraw: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  /** @param redraw asks for all pictures of the artboard that is shown */
  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  /** A picture did not load. */
  miss(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#again(), Math.min(pauseMs.most, pauseMs.first * 2 ** this.#failures));
    this.#failures += 1;
  }

  online(): void {
    this.#failures = 0;
    if (this.#timer !== undefined) this.#again();
  }

  #again(): void {
    this.forget();
    this.#redraw();
  }

  /** Another artboard is shown, with other pictures. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
