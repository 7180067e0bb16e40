/** A timer that runs a function after a pause, again and again, and whose pause begins again when something else has done the same. */

export class RepeatedTurn {
  readonly #pauseMs: () => number | undefined;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param pauseMs asked before each pause; `undefined`: never again */
  constructor(pauseMs: () => number | undefined, act: () => void) {
    this.#pauseMs = pauseMs;
    this.#act = act;
    this.restart();
  }

  restart(): void {
    clearTimeout(this.#timer);
    const pauseMs = this.#pauseMs();
    if (pauseMs === undefined) return;
    this.#timer = setTimeout(() => {
      // The turn may restart itself.
      this.restart();
      this.#act();
    }, pauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
