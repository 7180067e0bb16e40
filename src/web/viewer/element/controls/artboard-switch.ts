/** The switch of artboards, such as the floors of a building: one stop of the Tab key, in which arrows move the focus. */
import type { MapArtboard } from '../../drawing/map-document.ts';
import { make } from '../dom.ts';
import { artboardTitle, type Texts } from '../texts.ts';

/** Steps of the keys: to the next one, to the one before. `Home` and `End` go to the first and the last. */
const steps: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export class ArtboardSwitch {
  readonly element = make('div', { className: 'artboards', hidden: true, attributes: { role: 'toolbar' } });
  readonly #onChoose: (at: number) => void;
  #isOff = false;

  /** @param onChoose called with the position of the artboard that was chosen */
  constructor(onChoose: (at: number) => void) {
    this.#onChoose = onChoose;
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
  }

  set texts({ artboards }: Texts) {
    this.element.setAttribute('aria-label', artboards);
  }

  /** Whether it stays away, also with several artboards. */
  set isOff(is: boolean) {
    this.#isOff = is;
    this.#hide();
  }

  /** Offers these artboards. Without a second one, the switch is not visible. */
  show(artboards: readonly MapArtboard[], texts: Texts): void {
    this.element.replaceChildren(
      ...artboards.map((artboard, at) => {
        const button = make('button', {
          type: 'button',
          textContent: artboardTitle(artboard, at, texts),
          onclick: () => this.#onChoose(at),
        });
        button.dataset['id'] = artboard.id;
        return button;
      }),
    );
    this.#hide();
  }

  /** Marks the artboard that is shown. */
  set current(id: string) {
    for (const button of this.#buttons) {
      const isCurrent = button.dataset['id'] === id;
      button.setAttribute('aria-pressed', `${isCurrent}`);
      button.tabIndex = isCurrent ? 0 : -1;
      // Its own scroll position, not that of the page.
      if (isCurrent) this.element.scrollLeft = button.offsetLeft - (this.element.clientWidth - button.offsetWidth) / 2;
    }
  }

  get #buttons(): HTMLButtonElement[] {
    return [...this.element.querySelectorAll('button')];
  }

  #hide(): void {
    this.element.hidden = this.#isOff || this.element.childElementCount < 2;
  }

  #onKey(event: KeyboardEvent): void {
    const buttons = this.#buttons;
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const step = steps[event.key];
    if (step === undefined || at === -1) return;
    event.preventDefault();
    const isReversed =
      event.key.startsWith('Arrow') && getComputedStyle(this.element).direction === 'rtl' && /Left|Right/.test(event.key);
    const next = isReversed ? at - step : at + step;
    buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus();
  }
}
