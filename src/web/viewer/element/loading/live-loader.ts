/**
 * Asks for the live result of a published map: now, then again and again while the page is visible. After failures the pauses grow. An answer
 * that has not changed costs one request without content.
 */
import { type LiveSource, LoadError, requested } from './published-map.ts';

/** Milliseconds until a request counts as failed. */
const requestMs = 30_000;
/** Longest pause after failures, unless the map has a longer one itself. */
const pauseMsMax = 600_000;

interface LiveLoaderOptions {
  /** A result that differs from the last one that was applied. Resolves whether it was applied; may throw. */
  onResult(result: unknown): Promise<boolean>;
  /** The newest answer is applied, also if it has not changed. */
  onAnswer(): void;
  onProblem(message: string): void;
  /** The page is visible again, or not any more. */
  onVisibility(): void;
}

export class LiveLoader {
  /** When the last good answer came, in milliseconds since 1970. */
  answeredAt: number | undefined;
  readonly #options: LiveLoaderOptions;
  #source: LiveSource | undefined;
  #isOff = false;
  #asking: AbortController | undefined;
  /** The result is being applied, for which the map may be loaded. */
  #isApplying = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextAt = 0;
  #failures = 0;
  /** The browser has come online since the request began, which may have failed before that. */
  #isOnlineAgain = false;
  /** The text of the result that was applied last. */
  #applied: string | undefined;

  constructor(options: LiveLoaderOptions) {
    this.#options = options;
  }

  /** Asks from now on at this address, also immediately if it is new or of a new map. `undefined`: nowhere. */
  follow(source: LiveSource | undefined, isNewMap: boolean): void {
    const { address, refresh } = this.#source ?? {};
    this.#source = source;
    if (this.#isApplying || (!isNewMap && source?.address === address && source?.refresh === refresh)) return;
    this.#restart();
  }

  /** Asks no more until it is `false` again. */
  set isOff(is: boolean) {
    if (is === this.#isOff) return;
    this.#isOff = is;
    this.#restart();
  }

  stop(): void {
    this.#source = undefined;
    this.#restart();
  }

  #restart(): void {
    this.#asking?.abort();
    this.#asking = undefined;
    this.#isApplying = false;
    this.#applied = undefined;
    this.#failures = 0;
    this.#nextAt = 0;
    const isOn = this.#source !== undefined && !this.#isOff;
    const change = isOn ? 'addEventListener' : 'removeEventListener';
    document[change]('visibilitychange', this.#wake);
    window[change]('online', this.#again);
    this.#schedule();
  }

  /** In milliseconds. */
  get #pause(): number {
    const refreshMs = (this.#source?.refresh ?? 0) * 1000;
    return Math.min(refreshMs * 2 ** this.#failures, Math.max(refreshMs, pauseMsMax));
  }

  readonly #schedule = (): void => {
    clearTimeout(this.#timer);
    const waits = this.#source !== undefined && !this.#isOff && this.#asking === undefined;
    if (!waits || document.visibilityState !== 'visible') return;
    // A clock that was put back must not stop the requests.
    const wait = Math.min(this.#pause, this.#nextAt - Date.now());
    if (wait > 0) this.#timer = setTimeout(() => void this.#ask(), wait);
    else void this.#ask();
  };

  readonly #wake = (): void => {
    this.#options.onVisibility();
    this.#schedule();
  };

  /** A browser that was offline does not wait for the end of a pause. */
  readonly #again = (): void => {
    this.#nextAt = 0;
    this.#isOnlineAgain = true;
    this.#schedule();
  };

  async #ask(): Promise<void> {
    const asking = new AbortController();
    this.#asking = asking;
    this.#isOnlineAgain = false;
    const late = setTimeout(() => asking.abort(), requestMs);
    const { onResult, onAnswer, onProblem } = this.#options;
    const isCurrent = (): boolean => this.#asking === asking;
    try {
      const text = await this.#read(asking.signal);
      if (!isCurrent()) return;
      if (text !== this.#applied) {
        this.#isApplying = true;
        const isApplied = await onResult(parsed(text));
        if (isApplied && isCurrent()) this.#applied = text;
      }
      this.#failures = 0;
      this.answeredAt = Date.now();
      if (text === this.#applied) onAnswer();
    } catch (error) {
      if (!isCurrent()) return;
      const { message } = error as Error;
      const { address } = this.#source ?? {};
      this.#failures++;
      onProblem(asking.signal.aborted ? `${address}: no answer within ${requestMs / 1000} s` : message);
    } finally {
      clearTimeout(late);
      if (isCurrent()) {
        this.#isApplying = false;
        this.#asking = undefined;
        this.#nextAt = this.#isOnlineAgain && this.#failures > 0 ? 0 : Date.now() + this.#pause;
        this.#schedule();
      }
    }
  }

  /** Past the browser's cache, whose copy is used again if the server says that it is current. */
  async #read(signal: AbortSignal): Promise<string> {
    const { address = '' } = this.#source ?? {};
    const response = await requested(new URL(address), { signal, cache: 'no-cache' });
    if (response === undefined) throw new LoadError('missing', `${address}: there is no live result`);
    return response.text();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LoadError('format', 'the live result is not JSON', error);
  }
}
