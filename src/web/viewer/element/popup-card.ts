/** The popup of an object: a card next to a point of the map, or at the bottom of a narrow map. */
import type { Box } from '../../../lib/geo/polygon.ts';
import type { MapPopup } from '../drawing/map-document.ts';
import { linkTo } from './content-address.ts';
import { boundedContent } from './content-bounds.ts';
import { inParts } from './content-parts.ts';
import { popupElement } from './details/popup-element.ts';
import { shownPicture } from './details/shown-picture.ts';
import { icon, make } from './dom.ts';
import type { FilesBase } from './loading/file-address.ts';
import { safeContent } from './safe-content.ts';
import type { Texts } from './texts.ts';

const cross = 'M6 6 18 18M18 6 6 18';
/** Width of a card, in pixels, whatever the popup says. */
const widths = { least: 160, most: 640 };
/** Distance of a card from its point, and from the edges of the map, in pixels. */
const [gap, edge] = [14, 8];
/** Below this width of the map, the card is at its bottom. */
const narrowPx = 480;

/** A card is not made lower than this for its object's sake, in pixels. */
const lowestPx = 120;
/** Below this height of the map, or below {@link narrowPx}, text comes before the picture. */
const lowPx = 420;
/** Share of the height of the map that a picture takes at most. */
const pictureShare = 0.4;
/** Elements that make lines themselves. */
const blocks = 'p, div, br, hr, ul, ol, dl, table, h1, h2, h3, h4, h5, h6, blockquote, pre, figure';

/** Whether content has no element that makes lines: then its line breaks are shown. */
export const isPlainText = (content: ParentNode): boolean => content.querySelector(blocks) === null;

interface PopupCardOptions {
  /** Of {@link popupElement}; a new one without it. */
  readonly element?: HTMLElement;
  onClose(): void;
  /** A picture was loaded, so that the card has another height. */
  onResize(): void;
}

/** The parts of a popup. @param id of the heading @param name of the object, for a popup without a title */
export function popupContent(
  { title, image, content, buttonText, buttonAction, buttonLink, openLinkInNewTab }: MapPopup,
  { id, name, texts, filesBase }: { id: string; name: string; texts: Texts; filesBase: FilesBase | undefined },
): HTMLElement[] {
  // A popup of an object without a name has a title for screen readers only.
  const heading = make('h2', { id, textContent: title || name || texts.popup });
  heading.classList.toggle('unseen', title === '' && name === '');
  const { html, exceeded } = boundedContent(content);
  const safe = safeContent(html, filesBase);
  // Text without paragraphs keeps its line breaks, also if some of its words are bold.
  const body = make('div', { className: isPlainText(safe) ? 'content plain' : 'content' });
  body.append(inParts(safe));
  const parts: HTMLElement[] = [heading];
  const picture = shownPicture(image, filesBase);
  if (picture !== undefined) parts.unshift(picture);
  if (body.childNodes.length > 0) parts.push(body);
  if (exceeded !== undefined) parts.push(make('p', { className: 'cut', textContent: texts.contentCut }));
  const link = buttonAction === 'follow-link' ? linkTo(buttonLink, openLinkInNewTab) : undefined;
  if (buttonText !== '' && link !== undefined)
    parts.push(make('p', { className: 'action' }, make('a', { ...link, textContent: buttonText })));
  return parts;
}

export class PopupCard {
  readonly element: HTMLElement;
  filesBase: FilesBase | undefined;
  readonly #onClose: () => void;
  #room: readonly [number, number, number, number] | undefined;

  constructor({ element = popupElement(), onClose, onResize }: PopupCardOptions) {
    this.#onClose = onClose;
    this.element = element;
    // The event of a picture does not bubble.
    this.element.addEventListener('load', () => onResize(), true);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onClose();
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Shows a new version of the popup that is open: what was read and what had the focus stay. */
  renew(popup: MapPopup, name: string, texts: Texts, more: readonly Node[] = []): void {
    const { activeElement } = this.element.getRootNode() as ShadowRoot;
    const focused = this.#focusable.indexOf(activeElement as HTMLElement);
    const top = this.#scroll?.scrollTop ?? 0;
    this.show(popup, name, texts, more);
    if (this.#scroll !== null) this.#scroll.scrollTop = top;
    if (focused !== -1) (this.#focusable[focused] ?? this.element).focus({ preventScroll: true });
  }

  get #scroll(): HTMLElement | null {
    return this.element.querySelector('.scroll');
  }

  get #focusable(): HTMLElement[] {
    return [...this.element.querySelectorAll<HTMLElement>('button, a[href], [tabindex]')];
  }

  /** @param name of the object, for a popup without a title @param more what follows the popup */
  show(popup: MapPopup, name: string, texts: Texts, more: readonly Node[] = []): void {
    const close = make(
      'button',
      { type: 'button', className: 'close', ariaLabel: texts.close, title: texts.close, onclick: () => this.#onClose() },
      icon(cross),
    );
    const parts = popupContent(popup, { id: 'popup-title', name, texts, filesBase: this.filesBase });
    this.element.style.maxWidth = `${Math.max(widths.least, Math.min(widths.most, popup.maxWidth))}px`;
    this.element.replaceChildren(
      close,
      make(
        'div',
        { className: 'scroll about', tabIndex: 0, attributes: { role: 'group', 'aria-labelledby': 'popup-title' } },
        ...parts,
        ...more,
      ),
    );
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  /** Height of the part of the map that the card covers as a sheet at its bottom, in pixels; 0 for a card next to its point. */
  get coveredPx(): number {
    return this.isOpen && this.element.classList.contains('sheet') ? this.element.offsetHeight : 0;
  }

  /** Padding of the map, from its top on, with which the card covers its object no longer; `undefined` if it does not, or if there is no room. */
  get room(): readonly [number, number, number, number] | undefined {
    return this.#room;
  }

  /**
   * Moves the card next to a point or a box, inside the map: above it, below it, or at its side.
   *
   * @param size `top`: height of what is at the top of the map, and stays free
   */
  place(
    at: Box,
    { width, height, top: free = 0 }: { readonly width: number; readonly height: number; readonly top?: number },
  ): void {
    const { style } = this.element;
    this.element.classList.toggle('sheet', width < narrowPx);
    this.element.classList.toggle('small', width < narrowPx || height < lowPx);
    style.setProperty('--_picture', `${Math.round(height * pictureShare)}px`);
    style.setProperty('--_free', `${free}px`);
    this.#room = undefined;
    if (width < narrowPx) {
      style.removeProperty('left');
      style.removeProperty('top');
      return;
    }
    style.maxBlockSize = '';
    const isTight = !this.#fits(at, { width, height, free });
    const spare = Math.floor(Math.max(at.top - free, height - at.bottom) - gap - edge);
    // A card that has no room on any side is lower, and its text scrolls.
    if (isTight && spare >= lowestPx) style.maxBlockSize = `${spare}px`;
    const { offsetWidth, offsetHeight } = this.element;
    const within = (value: number, size: number, least: number, most: number): number =>
      Math.max(least + edge, Math.min(most - size - edge, value));
    const fitsAbove = at.top - gap - offsetHeight >= free + edge;
    const fitsBelow = at.bottom + gap + offsetHeight <= height - edge;
    const fitsRight = at.right + gap + offsetWidth <= width - edge;
    const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
    const left = fitsAbove || fitsBelow ? x - offsetWidth / 2 : fitsRight ? at.right + gap : at.left - gap - offsetWidth;
    const top = fitsAbove ? at.top - gap - offsetHeight : fitsBelow ? at.bottom + gap : y - offsetHeight / 2;
    style.left = `${Math.round(within(left, offsetWidth, 0, width))}px`;
    style.top = `${Math.round(within(top, offsetHeight, free, height))}px`;
    if (!isTight || spare >= lowestPx) return;
    const isLow = offsetHeight + 2 * gap + at.bottom - at.top <= height - free;
    if (isLow) this.#room = [offsetHeight + gap, 0, 0, 0];
    else if (offsetWidth + 2 * gap + at.right - at.left <= width) this.#room = [0, 0, 0, offsetWidth + gap];
  }

  /** True if a side of a box has room for the card. */
  #fits(at: Box, { width, height, free }: { readonly width: number; readonly height: number; readonly free: number }): boolean {
    const { offsetWidth, offsetHeight } = this.element;
    const spareHeight = Math.max(at.top - free, height - at.bottom);
    const spareWidth = Math.max(at.left, width - at.right);
    return spareHeight >= offsetHeight + gap + edge || spareWidth >= offsetWidth + gap + edge;
  }
}
