/** What the colours of a map mean: a card in its corner that a button opens and closes. On a narrow map it is closed at first. */
import { colourOf } from '../../drawing/colours.ts';
import { documentDefaults, type MapArtboard, type MapDocument } from '../../drawing/map-document.ts';
import { make } from '../dom.ts';
import type { Texts } from '../texts.ts';

/** Below this width of the map, in pixels. */
const narrowPx = 480;
/** Longer legends can be scrolled, also with the keyboard. */
const longFrom = 8;

const white = '#ffffff';

/** How objects of a colour look: their different opacities, and the colour of the artboard below the first one. */
interface Look {
  readonly opacities: number[];
  readonly ground: string;
}

function looksOf(artboards: readonly MapArtboard[]): Map<string, Look> {
  const looks = new Map<string, Look>();
  for (const { type, bg_color, objects } of artboards) {
    const ground = type === 'color' ? colourOf(bg_color, white).css : white;
    for (const { color, opacity } of objects) {
      const { css, alpha } = colourOf(color, documentDefaults.object.color);
      const look = looks.get(css) ?? { opacities: [], ground };
      looks.set(css, look);
      const drawn = Math.max(0, Math.min(1, opacity)) * alpha;
      if (!look.opacities.includes(drawn) && look.opacities.length < 2) look.opacities.push(drawn);
    }
  }
  return looks;
}

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
  /** Whether it is not decided yet if it is open. */
  #isNew = true;

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
  show({ legend, artboards }: Pick<MapDocument, 'legend' | 'artboards'>, isFirst: boolean): void {
    const looks = legend.length === 0 ? undefined : looksOf(artboards);
    this.#entries.replaceChildren(
      ...legend.map(({ color, name }) => {
        const swatch = make('span', { className: 'swatch' });
        const { css, alpha } = colourOf(color, documentDefaults.object.color);
        const { opacities, ground } = looks?.get(css) ?? { opacities: [], ground: white };
        // Objects with several opacities have no common look.
        const [opacity = alpha, other] = opacities;
        const used = Math.round(255 * (other === undefined && opacity > 0 ? opacity : alpha));
        const layer = `${css}${used.toString(16).padStart(2, '0')}`;
        swatch.style.background = `linear-gradient(${layer}, ${layer}) ${ground}`;
        return make('li', {}, swatch, name);
      }),
    );
    this.#entries.tabIndex = legend.length > longFrom ? 0 : -1;
    this.#hide();
    this.#isNew ||= isFirst;
    this.resized();
  }

  /** Opens the legend of a map that is not narrow, once it has a size: it may be in a tab that is not visible yet. */
  resized(): void {
    const width = this.element.parentElement?.clientWidth ?? 0;
    if (!this.#isNew || width === 0) return;
    this.#isNew = false;
    this.element.open = width >= narrowPx;
  }

  #hide(): void {
    this.element.hidden = this.#isOff || this.#entries.childElementCount === 0;
  }
}
