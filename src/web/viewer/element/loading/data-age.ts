/**
 * How old the data of a live map are, by the answers that came and by those that did not. Time in which the page is hidden makes nothing old that
 * an answer makes fresh again, because a page that becomes visible asks at once.
 */
import type { LiveResult } from '../../drawing/live-result.ts';

/** Part of a live result: how fresh it says that it is. */
export type DataState = Pick<LiveResult, 'state' | 'since'>;

/** The data that a map shows. */
export interface KnownData extends DataState {
  /** The newest request has failed. */
  readonly isLost: boolean;
  /** They have not been fresh for two refreshes, so that visitors see it. */
  readonly isOld: boolean;
  /** They have not been fresh for so long that the map shows none. */
  readonly isOver: boolean;
}

/** A page that becomes visible gets its next answer within this time, or shows that its data are old. In milliseconds. */
const graceMs = 5000;

interface DataAgeOptions {
  /** Called when something may have changed. */
  onChange(known: KnownData): void;
  /** True while the page is visible. */
  isVisible(): boolean;
}

export class DataAge {
  readonly #options: DataAgeOptions;
  /** Age after which the map shows no data, in milliseconds. */
  overMs = Number.POSITIVE_INFINITY;
  /** Not a number while the map is not live. */
  #refreshMs = Number.NaN;
  #answer: DataState | undefined;
  /** When the newest fresh answer arrived, or the first one that was not fresh. */
  #seenAt = 0;
  #isLost = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: DataAgeOptions) {
    this.#options = options;
  }

  /** Expects an answer every `refresh` seconds from now on. `undefined`: none. */
  follow(refresh = Number.NaN): void {
    const isAnother = this.#refreshMs > 0 !== refresh > 0;
    this.#refreshMs = refresh * 1000;
    if (isAnother) {
      this.#answer = undefined;
      this.#isLost = false;
      this.#seenAt = Date.now();
    }
    this.check();
  }

  /** Notes an answer; `check` follows when it is shown. @param answer default: the former one */
  answered(answer = this.#answer): void {
    const { state = 'fresh', since } = this.#answer ?? {};
    const now = Date.now();
    if (state === 'fresh' || answer?.state === 'fresh') this.#seenAt = now;
    // A source that fails altogether makes the data of others no younger; data that came since then do.
    else if (answer?.since !== since) this.#seenAt = Math.min(now, Math.max(this.#from, answer?.since ?? 0));
    this.#answer = answer;
    this.#isLost = false;
  }

  lost(): void {
    this.#isLost = true;
    this.check();
  }

  get known(): KnownData {
    const now = Date.now();
    // A clock that was put back must not keep data young.
    this.#seenAt = Math.min(this.#seenAt, now);
    const ageMs = now - this.#from;
    const isOld = ageMs >= 2 * this.#refreshMs;
    const isMissing = this.#isLost || isOld;
    let { state, since } = this.#answer ?? { state: isMissing ? 'failed' : 'fresh', since: undefined };
    if (isMissing && state === 'fresh') [state, since] = ['stale', this.#seenAt];
    return { state, since, isLost: this.#isLost, isOld, isOver: isOld && ageMs >= this.overMs };
  }

  /** The clock of a visitor may be wrong, so that an answer ages from its arrival, too. */
  get #from(): number {
    return Math.min(this.#seenAt, this.#answer?.since ?? this.#seenAt);
  }

  /** Says what is known now, and again when that changes with time. */
  check(): void {
    clearTimeout(this.#timer);
    this.#options.onChange(this.known);
    const oldAt = this.#from + 2 * this.#refreshMs;
    const now = Date.now();
    const next = [oldAt, Math.max(oldAt, this.#from + this.overMs)].find((at) => at > now && at < Number.POSITIVE_INFINITY);
    if (next !== undefined) this.#wait(next - now);
  }

  /** Notes that the page is visible again, or not any more. */
  wake(): void {
    this.#wait(graceMs);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#options.isVisible()) this.check();
    }, ms);
  }
}
