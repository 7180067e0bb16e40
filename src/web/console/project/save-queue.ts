/**
 * The requests that save changes, one after the other. If the server does not answer or has no room, they wait and are sent again; if it
 * refuses the key, they wait until the user has signed in again.
 */
import type { Signal } from '@preact/signals';
import { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { isTemporary } from './project-api.ts';
import type { Notice } from './save-state.ts';

const retryMs = { first: 1000, most: 15_000 };

interface SaveQueueOptions {
  /** Says why something waits. */
  readonly notice: Signal<Notice | undefined>;
  /** `isRunning`, `isPaused` or `isStopped` may have changed. */
  onChange(): void;
  /** What waits is to be added again. */
  onRetry(): void;
  /** The server has refused the key. */
  onSessionEnd(reason: string): void;
}

export class SaveQueue {
  readonly #options: SaveQueueOptions;
  #last: Promise<void> = Promise.resolve();
  #running = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = retryMs.first;
  /** Ends the pause before a request is sent again; `undefined` while none waits. */
  #endPause: (() => void) | undefined;
  #isStopped = false;
  #isClosed = false;
  /** The reason that was given for waiting; empty for none. */
  #reason = '';

  constructor(options: SaveQueueOptions) {
    this.#options = options;
  }

  /** Whether a task runs, or waits for its turn. */
  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** Whether a request waits to be sent again. */
  get isPaused(): boolean {
    return this.#endPause !== undefined;
  }

  /** Whether the server has refused a task, for a reason that is not in its values. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Runs a task after everything that was added before it. */
  add(task: () => Promise<void>): void {
    this.#running++;
    this.#options.onChange();
    this.#last = this.#last.then(async () => {
      try {
        if (!this.#isClosed) await task();
        this.#retryMs = retryMs.first;
      } catch (error) {
        this.failed(error);
      } finally {
        this.#running--;
        this.#options.onChange();
      }
    });
  }

  /** As {@link add}, for a task with a result. `otherwise`: the result if it fails. */
  result<T>(task: () => Promise<T>, otherwise: T): Promise<T> {
    return new Promise((resolve) => {
      this.add(async () => {
        let result = otherwise;
        try {
          result = await task();
        } finally {
          resolve(result);
        }
      });
    });
  }

  /** Sends a request of a task again until the server answers, or until the user has signed in again. */
  async patiently<T>(request: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await request();
        this.accepted();
        return answer;
      } catch (error) {
        const isRefused = error instanceof ProblemError && error.status === 401;
        if (this.#isClosed || !(isRefused || isTemporary(error))) throw error;
        if (isRefused) this.#options.onSessionEnd(error.detail);
        else this.#sayWhy(error);
        await new Promise<void>((resolve) => {
          this.#endPause = resolve;
          if (!isRefused) this.#retryLater();
          this.#options.onChange();
        });
        this.#endPause = undefined;
        this.#options.onChange();
        if (this.#isClosed) throw error;
      }
    }
  }

  /** Resolves when everything that was added so far is done. */
  async idle(): Promise<void> {
    while (this.#running > 0) await this.#last;
  }

  /** The server has taken a change. */
  accepted(): void {
    const { notice } = this.#options;
    this.#isStopped = false;
    if (this.#reason !== '' && notice.value?.text === this.#reason) notice.value = { text: '', isProblem: false };
    this.#reason = '';
  }

  /** A task, or a part of it, has failed. */
  failed(error: unknown): void {
    if (error instanceof ProblemError && error.status === 401) this.#options.onSessionEnd(error.detail);
    else if (isTemporary(error)) {
      this.#isStopped = false;
      this.#sayWhy(error);
      this.#retryLater();
    } else if (error instanceof ProblemError) {
      this.#isStopped = true;
      this.#sayWhy(error);
    } else {
      this.#options.notice.value = { text: texts.saving.failed, isProblem: true };
      console.error(error);
    }
  }

  /** The reason why something waits. It disappears when the server takes it. */
  #sayWhy(error: unknown): void {
    this.#reason = error instanceof ProblemError ? error.detail : texts.saving.noAnswer;
    this.#options.notice.value = { text: this.#reason, isProblem: true };
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer);
    if (this.#isClosed) return;
    this.#retryTimer = setTimeout(() => this.retry(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, retryMs.most);
  }

  /** Sends what waits. */
  retry(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    this.#isStopped = false;
    this.#endPause?.();
    this.#options.onRetry();
  }

  /** Ends retries. What has not begun is not done any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    this.#endPause?.();
  }
}
