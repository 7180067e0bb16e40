/** The state of the data of a live map in words, and the time of day. Pure. */
import { filledIn } from '../texts.ts';
import type { WallTexts } from './wall-texts.ts';

/** The detail of `mapwright-live`: all that a wall knows of the data. A map whose events have no `state` is fresh. */
export interface LiveDetail {
  readonly state?: 'fresh' | 'stale' | 'failed' | undefined;
  /** RFC 3339; the time of the last good answer, while the data are not fresh. */
  readonly since?: string | undefined;
}

/** Formats times in the languages of the visitor. */
export class TimeWords {
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;

  /** @param languages that the browser knows */
  constructor(languages: readonly string[]) {
    const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    this.#time = new Intl.DateTimeFormat([...languages], time);
    this.#day = new Intl.DateTimeFormat([...languages], { ...time, day: 'numeric', month: 'short' });
  }

  /** `09:27`. @param at milliseconds since 1970 */
  timeOf(at: number): string {
    return this.#time.format(at);
  }

  /** The time of day, with the day unless it is that of `now`. Both in milliseconds since 1970. */
  momentOf(at: number, now: number): string {
    const isToday = new Date(at).toDateString() === new Date(now).toDateString();
    return (isToday ? this.#time : this.#day).format(at);
  }
}

/**
 * @param answeredAt when the server has answered last, in milliseconds since 1970
 * @param now in milliseconds since 1970
 */
export function dataWords(
  { state = 'fresh', since = '' }: LiveDetail,
  answeredAt: number,
  now: number,
  words: TimeWords,
  texts: WallTexts,
): string {
  if (state === 'fresh') return filledIn(texts.current, { time: words.momentOf(answeredAt, now) });
  const at = Date.parse(since);
  return Number.isNaN(at) ? texts.none : filledIn(texts.from, { time: words.momentOf(at, now) });
}
