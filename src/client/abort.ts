/**
 * Signals. What follows the signal of a `Request` does so, in Node, only until that is collected (https://github.com/nodejs/undici/issues/4068):
 * later than that, `fetch` may wait for ever in spite of it. So what is waited for here is left by ourselves.
 */

/** What comes of it, or rejects with what the signal was aborted with, whichever is first. */
export function unlessAborted<T>(outcome: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return outcome;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
