/**
 * Signals. What follows the signal of a `Request` does so, in Node, only until that is collected (https://github.com/nodejs/undici/issues/4068):
 * later than that, `fetch` may wait for ever in spite of it. So what is waited for here is left by ourselves.
 */

type Signal = AbortSignal | null | undefined;

/** Follows a signal until it lets go of it: so what `fetch` hangs on a signal does not pile up on one that lives long. */
export class Following extends AbortController {
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

/** What comes of it, or rejects with what the signal was aborted with, whichever is first. */
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
 * The body of an answer, to be read by somebody else: breaks with what the signal is aborted with. It is locked from now on, since Node
 * empties the body of a response that is collected before anybody has begun to read.
 *
 * @param broken the error for one that breaks off
 */
export function bodyOf({ body }: Response, signal: Signal, broken: (cause: unknown) => Error): ReadableStream<Uint8Array> | null {
  if (body === null) return null;
  const reader = body.getReader();
  const following = new Following(signal);
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
