/**
 * Abort signals. In Node, a signal derived from that of a `Request` works only until the request is garbage collected
 * (https://github.com/nodejs/undici/issues/4068); after that, `fetch` may wait forever. So the client races its own promises with signals.
 */

type Signal = AbortSignal | null | undefined;

/** Follows another signal until it is released, so that listeners do not accumulate on a long-lived signal. */
export class LinkedSignal extends AbortController {
  readonly #leader: Signal;
  readonly #stop = (): void => this.abort(this.#leader?.reason);

  constructor(leader: Signal) {
    super();
    this.#leader = leader;
    if (leader?.aborted) this.#stop();
    else leader?.addEventListener('abort', this.#stop);
  }

  letGo(): void {
    this.#leader?.removeEventListener('abort', this.#stop);
  }
}

/** Settles like a promise, or rejects with the reason of the signal, whichever is first. */
export function unlessAborted<T>(outcome: Promise<T>, signal: Signal): Promise<T> {
  if (!signal) return outcome;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    outcome.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Returns the body of a response as a stream that fails when the signal is aborted. Locks the body immediately, because Node empties the
 * body of a response that is collected before it is read.
 *
 * @param broken makes the error for a body that is cut off
 */
export function bodyOf({ body }: Response, signal: Signal, broken: (cause: unknown) => Error): ReadableStream<Uint8Array> | null {
  if (body === null) return null;
  const reader = body.getReader();
  const following = new LinkedSignal(signal);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const stop = (): void => {
          controller.error(signal?.reason);
          reader.cancel(signal?.reason).catch(() => {});
        };
        if (following.signal.aborted) stop();
        else following.signal.addEventListener('abort', stop);
      },
      async pull(controller) {
        const { done, value } = await reader.read().catch((cause) => {
          following.letGo();
          throw broken(cause);
        });
        if (following.signal.aborted) return;
        if (!done) return controller.enqueue(value);
        following.letGo();
        controller.close();
      },
      cancel(reason) {
        following.letGo();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
