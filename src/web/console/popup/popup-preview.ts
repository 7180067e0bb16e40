/** The preview: the card of the viewer, on an empty map as wide as a computer shows it or as a phone does. */
import { type MapPopup, readPopup } from '../../viewer/drawing/map-document.ts';
import { detailsSheet } from '../../viewer/element/details/details-style.ts';
import { make } from '../../viewer/element/dom.ts';
import { elementSheet } from '../../viewer/element/map-element-style.ts';
import { PopupCard } from '../../viewer/element/popup-card.ts';
import { textsFor } from '../../viewer/element/texts.ts';
import { frameTexts as texts } from './frame-texts.ts';

/** Sizes of the map, in pixels. */
const maps = { computer: { width: 800, height: 500 }, phone: { width: 390, height: 480 } } as const;

export class PopupPreview {
  readonly element: HTMLElement;
  /** As wide as there is room. */
  readonly #head = make('div', { className: 'preview-head' });
  readonly #frame = make('div', { className: 'preview-frame' });
  readonly #map = make('div', { className: 'preview-map' });
  readonly #card = new PopupCard({ onClose: () => undefined, onResize: () => this.#place() });
  #size: keyof typeof maps = 'phone';
  #popup: MapPopup = readPopup({});
  #name = '';

  constructor() {
    const shadow = this.#map.attachShadow({ mode: 'open' });
    shadow.adoptedStyleSheets = [elementSheet(), detailsSheet()];
    shadow.append(this.#card.element);
    const choices = (['computer', 'phone'] as const).map((size) =>
      make('button', { type: 'button', textContent: texts[size], title: texts.previewOf(maps[size].width) }),
    );
    const choose = (size: keyof typeof maps): void => {
      this.#size = size;
      choices.forEach((choice, at) => {
        choice.ariaPressed = String((at === 0 ? 'computer' : 'phone') === size);
      });
      this.#place();
    };
    choices[0]?.addEventListener('click', () => choose('computer'));
    choices[1]?.addEventListener('click', () => choose('phone'));
    this.#frame.append(this.#map);
    this.#head.append(make('h2', { textContent: texts.preview }), ...choices);
    this.element = make(
      'section',
      { className: 'preview', attributes: { 'aria-label': texts.preview } },
      this.#head,
      this.#frame,
    );
    // The preview does not go anywhere: the frame may not open windows.
    this.#map.addEventListener('click', (event) => event.preventDefault());
    new ResizeObserver(() => this.#place()).observe(this.#head);
    choose('phone');
  }

  /** @param name of the object, for a popup without a title */
  show(popup: MapPopup, name: string): void {
    [this.#popup, this.#name] = [popup, name];
    if (this.#card.isOpen) this.#card.renew(popup, name, textsFor(navigator.languages));
    else this.#card.show(this.#popup, this.#name, textsFor(navigator.languages));
    this.#place();
  }

  #place(): void {
    const { width, height } = maps[this.#size];
    const shown = Math.min(width, this.#head.clientWidth || width);
    const scale = shown / width;
    Object.assign(this.#map.style, { width: `${width}px`, height: `${height}px`, transform: `scale(${scale})` });
    // Exactly what the map takes: nothing else is visible next to it.
    Object.assign(this.#frame.style, { width: `${shown}px`, height: `${Math.floor(height * scale)}px` });
    if (!this.#card.isOpen) return;
    const [x, y] = [width / 2, height - 40];
    this.#card.place({ left: x, top: y, right: x, bottom: y }, { width, height });
  }
}
