/** Says that the data of a live map are old or missing, in words and a picture, until they are fresh. */
import { icon, make } from '../dom.ts';
import type { KnownData } from '../loading/data-age.ts';
import { filledIn, knownLanguages, type Texts, textsFor } from '../texts.ts';

const clock = 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM12 7.5V12l3 2';

interface Language {
  readonly texts: Texts;
  /** The languages of dates, the preferred one first. */
  readonly languages: readonly string[];
}

export class DataBadge {
  readonly element = make('div', { className: 'data', attributes: { role: 'status' } });
  #language: Language = { texts: textsFor([]), languages: [] };
  #known: KnownData | undefined;
  /** The text without its time. */
  #kind = '';

  set language(language: Language) {
    this.#language = language;
    if (this.#known !== undefined) this.show(this.#known);
  }

  show(known: KnownData): void {
    const { isLost, isOld, isOver, since } = known;
    const { problemLive, noData, noDataSince, dataFrom } = this.#language.texts;
    this.#known = known;
    const age = since === undefined ? noData : isOver ? noDataSince : dataFrom;
    const kind = [...(isLost ? [problemLive] : []), ...(isOld ? [age] : [])].join(' ');
    const text = filledIn(kind, { time: this.#timeOf(since ?? 0) });
    const { element } = this;
    if (text === element.textContent) return;
    // Screen readers say it once, and not again for each other time.
    element.ariaLive = kind === this.#kind ? 'off' : 'polite';
    this.#kind = kind;
    element.replaceChildren(...(text === '' ? [] : [icon(clock), make('span', { textContent: text })]));
  }

  /** The time of day, with its date if that is not today. */
  #timeOf(since: number): string {
    const time = new Date(since);
    const isToday = time.toDateString() === new Date().toDateString();
    return time.toLocaleString(knownLanguages(this.#language.languages), {
      ...(!isToday && { day: 'numeric', month: 'short', year: 'numeric' }),
      ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    });
  }
}
