/**
 * The requests that save changes, one after the other. If the server does not answer or has no room, they wait and are sent again; if it
 * refuses the key, they wait until the user has signed in again.
 *
 *     idle <--> running <--> paused              a request waits to be sent again
 *       ^          |
 *       |          v  refused, for a reason that is not in the values
 *     stopped <--> trying --> running            a change is taken, or the user retries
 */
import type { Signal } from '@preact/signals';
import { type Transitions, transition } from '../../../lib/invariant.ts';
import { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { refusalText } from '../server/refusal-text.ts';
import type { Notice } from './notices.ts';
import { isTemporary } from './project-api.ts';
import type { QueueState } from './save-state.ts';

const retryMs = { first: 1000, most: 15_000 };

/** `begin`: a task is added; `end`: no task is left; `accept`: the server has not refused the change. */
type Event = 'begin' | 'end' | 'accept' | 'refuse' | 'pause' | 'retry' | 'close';

// biome-ignore format: a table
export const saveQueueTransitions: Transitions<QueueState, Event> = {
  idle:    { begin: 'running', retry: 'idle', close: 'closed' },
  running: { begin: 'running', accept: 'running', refuse: 'trying', pause: 'paused', retry: 'running', end: 'idle', close: 'closed' },
  paused:  { begin: 'paused', retry: 'running', close: 'closed' },
  trying:  { begin: 'trying', accept: 'running', refuse: 'trying', pause: 'paused', retry: 'running', end: 'stopped', close: 'closed' },
  stopped: { begin: 'trying', retry: 'idle', close: 'closed' },
  closed:  { begin: 'closed', accept: 'closed', refuse: 'closed', retry: 'closed', end: 'closed', close: 'closed' },
};

interface SaveQueueOptions {
  /** Says why something waits. */
  readonly notice: Signal<Notice | undefined>;
  /** The state may have changed. */
  onChange(): void;
  /** What waits is to be added again. */
  onRetry(): void;
  /** The server has refused the key. */
  onSessionEnd(reason: string): void;
}

export class SaveQueue {
  readonly #options: SaveQueueOptions;
  #last: Promise<void> = Promise.resolve();
  #state: QueueState = 'idle';
  /** Tasks that run or wait for their turn. */
  #tasks = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = retryMs.first;
  /** Ends the pause before a request is sent again; `undefined` while none waits. */
  #endPause: (() => void) | undefined;
  /** The reason that was given for waiting; empty for none. */
  #reason = '';

  constructor(options: SaveQueueOptions) {
    this.#options = options;
  }

  get state(): QueueState {
    return this.#state;
  }

  /** Whether a task runs, or waits for its turn. */
  get isRunning(): boolean {
    return this.#tasks > 0;
  }

  /** Runs a task after everything that was added before it. */
  add(task: () => Promise<void>): void {
    this.#tasks++;
    this.#on('begin');
    this.#options.onChange();
    this.#last = this.#last.then(async () => {
      try {
        if (!this.#isClosed) await task();
        this.#retryMs = retryMs.first;
      } catch (error) {
        this.failed(error);
      } finally {
        this.#tasks--;
        if (this.#tasks === 0) this.#on('end');
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
        this.#on('pause');
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
    while (this.isRunning) await this.#last;
  }

  /** The server has taken a change. */
  accepted(): void {
    const { notice } = this.#options;
    this.#on('accept');
    if (this.#reason !== '' && notice.value?.text === this.#reason) notice.value = { text: '', isProblem: false };
    this.#reason = '';
  }

  /** A task, or a part of it, has failed. */
  failed(error: unknown): void {
    if (error instanceof ProblemError && error.status === 401) this.#options.onSessionEnd(error.detail);
    else if (isTemporary(error)) {
      this.#on('accept');
      this.#sayWhy(error);
      this.#retryLater();
    } else if (error instanceof ProblemError) {
      this.#on('refuse');
      this.#sayWhy(error);
    } else {
      this.#options.notice.value = { text: texts.saving.failed, isProblem: true };
      console.error(error);
    }
  }

  /** The reason why something waits. It disappears when the server takes it. */
  #sayWhy(error: unknown): void {
    this.#reason = error instanceof ProblemError ? refusalText(error) : texts.saving.waits;
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
    this.#on('retry');
    this.#endPause?.();
    this.#options.onRetry();
  }

  /** Ends retries. What has not begun is not done any more. */
  close(): void {
    this.#on('close');
    clearTimeout(this.#retryTimer);
    this.#endPause?.();
  }

  // Read through a method: it changes while a request is awaited.
  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #on(event: Event): void {
    this.#state = transition(saveQueueTransitions, this.#state, event);
  }
}
