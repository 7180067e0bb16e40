/** Keeps the screen awake, where the browser allows it: on pages of https, while they are visible. */

export class AwakeScreen {
  #lock: WakeLockSentinel | undefined;
  #isStopped = false;

  /** Asks the browser. To be called again when the page is visible again: a page that is hidden loses its lock. */
  async ask(): Promise<void> {
    if (this.#isStopped || document.visibilityState !== 'visible' || this.#lock?.released === false) return;
    // A battery that is low, the policy of a page around this one, a browser without wake locks: the map is shown all the same.
    const lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
    if (lock === undefined) return;
    this.#release();
    this.#lock = lock;
    if (this.#isStopped) this.#release();
  }

  #release(): void {
    void this.#lock?.release().catch(() => undefined);
    this.#lock = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    this.#release();
  }
}
