/**
 * Closes opened things in reverse order, after a failed step or at the end. Like `AsyncDisposableStack`, which Node 20 does not have.
 */
export class DisposeStack {
  #disposers: (() => unknown)[] = [];

  /** Adds a function that closes something just opened. */
  defer(dispose: () => unknown): void {
    this.#disposers.push(dispose);
  }

  /** Calls all functions, last first, even if one fails. Rejects with the first failure. A second call does nothing. */
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
