/**
 * What was opened, in order, so that it can be closed in the reverse order: where a later step fails, and when all is over. As
 * `AsyncDisposableStack`, which Node 20 does not have.
 */
export class DisposeStack {
  #disposers: (() => unknown)[] = [];

  /** Adds what closes something that was just opened. */
  defer(dispose: () => unknown): void {
    this.#disposers.push(dispose);
  }

  /** Closes everything, the last first, each although another fails. Rejects with the first failure. A second call does nothing. */
  async disposeAsync(): Promise<void> {
    const failures: unknown[] = [];
    const disposers = this.#disposers.reverse();
    this.#disposers = [];
    for (const dispose of disposers) {
      try {
        await dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
