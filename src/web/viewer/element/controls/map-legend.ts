/** What the colours of a map mean: a card in its corner that a button opens and closes. On a narrow map it is closed at first. */
import { colourOf } from '../../drawing/colours.ts';
import { documentDefaults, type LegendEntry } from '../../drawing/map-document.ts';
import { make } from '../dom.ts';
import type { Texts } from '../texts.ts';

/** Below this width of the map, in pixels. */
const narrowPx = 480;
/** Longer legends can be scrolled, also with the keyboard. */
const longFrom = 8;

export class MapLegend {
  readonly #title = make('summary');
  readonly #entries = make('ul');
  readonly element = make(
    'details',
    { className: 'legend', hidden: true, attributes: { part: 'legend' } },
    this.#title,
    this.#entries,
  );
  #isOff = false;

  set texts({ legend }: Texts) {
    this.#title.textContent = legend;
    this.#entries.setAttribute('aria-label', legend);
  }

  /** Whether it stays away. */
  set isOff(is: boolean) {
    this.#isOff = is;
    this.#hide();
  }

  /** @param isFirst whether the map is shown for the first time: later, the legend stays as the visitor left it */
  show(entries: readonly LegendEntry[], isFirst: boolean): void {
    this.#entries.replaceChildren(
      ...entries.map(({ color, name }) => {
        const swatch = make('span', { className: 'swatch' });
        const { css, alpha } = colourOf(color, documentDefaults.object.color);
        swatch.style.backgroundColor = css;
        swatch.style.opacity = `${alpha}`;
        return make('li', {}, swatch, name);
      }),
    );
    this.#entries.tabIndex = entries.length > longFrom ? 0 : -1;
    this.#hide();
    if (isFirst) this.element.open = (this.element.parentElement?.clientWidth ?? 0) >= narrowPx;
  }

  #hide(): void {
    this.element.hidden = this.#isOff || this.#entries.childElementCount === 0;
  }
}
