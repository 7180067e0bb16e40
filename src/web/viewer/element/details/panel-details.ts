/** The details of an object in the panel: its popup, its fields, and the way to it. */
import { nameOf } from '../../drawing/map-document.ts';
import { icon, make } from '../dom.ts';
import { popupContent } from '../popup-card.ts';
import { sayDetails } from '../visits/visit-events.ts';
import { detailsTextsFor } from './details-texts.ts';
import type { DetailsContent, DetailsView, DetailsViewOptions } from './details-view.ts';
import { fieldRows } from './field-rows.ts';

const arrow = 'M15 5l-7 7 7 7';

export class PanelDetails implements DetailsView {
  /** The panel is no card above the map. */
  readonly coveredPx = 0;
  readonly room = undefined;
  readonly #options: DetailsViewOptions;

  constructor(options: DetailsViewOptions) {
    this.#options = options;
    const { element, onClose, onResize } = options;
    element.addEventListener('load', () => onResize(), true);
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
    });
  }

  show(content: DetailsContent): void {
    this.#put(content);
    sayDetails(this.#options.element, content.details.object.id);
  }

  #put(content: DetailsContent): void {
    const { details, texts, filesBase, languages } = content;
    const { back } = detailsTextsFor(languages);
    const id = 'details-title';
    this.#options.element.replaceChildren(
      make(
        'button',
        { type: 'button', className: 'back', onclick: () => this.#options.onClose() },
        icon(arrow),
        make('span', { textContent: back }),
      ),
      make(
        'div',
        { className: 'scroll about', tabIndex: 0, attributes: { role: 'group', 'aria-labelledby': id } },
        ...popupContent(details.popup, { id, name: nameOf(details.object), texts, filesBase }),
        ...fieldRows(content),
      ),
    );
  }

  renew(content: DetailsContent): void {
    const { element } = this.#options;
    const { activeElement } = element.getRootNode() as ShadowRoot;
    const focused = focusable(element).indexOf(activeElement as HTMLElement);
    const top = element.querySelector('.scroll')?.scrollTop ?? 0;
    this.#put(content);
    const scroll = element.querySelector('.scroll');
    if (scroll !== null) scroll.scrollTop = top;
    if (focused !== -1) (focusable(element)[focused] ?? element).focus({ preventScroll: true });
  }

  hide(): void {
    this.#options.element.replaceChildren();
  }

  place(): void {
    // It has its place in the panel.
  }
}

const focusable = (element: HTMLElement): HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>('button, a[href], [tabindex]'),
];
