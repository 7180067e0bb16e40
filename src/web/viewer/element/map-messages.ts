/** What the element says above the map: messages, hints about gestures, and announcements for screen readers. */
import { make } from './dom.ts';
import type { Texts } from './texts.ts';

/** Live data have a badge of their own. A part of the viewer that is missing is a problem of the page alone: its controls are away. */
export type Problem = VisibleProblem | 'live' | 'part';
export type VisibleProblem = 'source' | 'missing' | 'network' | 'format' | 'image' | 'tiles';

const problemTexts: Readonly<Record<VisibleProblem, keyof Texts>> = {
  source: 'problemSource',
  missing: 'problemMissing',
  network: 'problemNetwork',
  format: 'problemFormat',
  image: 'problemImage',
  tiles: 'problemTiles',
};

const hintMs = 1200;
/** Time for which a problem of a map that is drawn is shown, in milliseconds. */
const problemMs = 10_000;

interface Report {
  /** For the console of the browser. */
  readonly message: string;
  readonly isDrawn: boolean;
  retry(): void;
}

export class MapMessages {
  readonly message = make('div', { className: 'message', hidden: true, attributes: { role: 'status' } });
  readonly hint = make('div', { className: 'hint', attributes: { 'aria-hidden': 'true' } });
  readonly preparing = make('div', { className: 'preparing', hidden: true, attributes: { role: 'status' } });
  readonly live = make('div', { className: 'live', attributes: { 'aria-live': 'polite' } });
  /** Tiles did not load, and visitors know it. */
  #lacksTiles = false;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a message instead of the map, or none. */
  say(text: string | undefined, ...more: Node[]): void {
    this.message.hidden = text === undefined;
    this.message.className = 'message center';
    this.message.replaceChildren(...(text === undefined ? [] : [text, ...more]));
  }

  /** Says that something could not be loaded; of tiles, once. A map that is drawn stays: a message at its bottom is enough. */
  report(problem: VisibleProblem, texts: Texts, { message, isDrawn, retry }: Report): void {
    if (problem === 'tiles') {
      if (this.#lacksTiles) return;
      this.#lacksTiles = true;
      console.warn(message);
    }
    const text = texts[problemTexts[problem]];
    const button = make('button', { type: 'button', textContent: texts.retry, onclick: () => retry() });
    this.say(text, ...(isDrawn || problem === 'source' ? [] : [button]));
    this.message.classList.toggle('center', !isDrawn);
    if (isDrawn) setTimeout(() => this.message.textContent === text && this.say(undefined), problemMs);
  }

  /** Says at the lower edge that something becomes better soon, or nothing. */
  prepare(text: string | undefined): void {
    this.preparing.hidden = text === undefined;
    this.preparing.textContent = text ?? '';
  }

  announce(text: string): void {
    this.live.textContent = text;
  }

  showHint(text: string): void {
    this.hint.textContent = text;
    this.hint.classList.add('shown');
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => this.hint.classList.remove('shown'), hintMs);
  }

  stop(): void {
    clearTimeout(this.#hintTimer);
  }
}
