/** The element of a popup, which is empty and hidden until one is open. */
import { make } from '../dom.ts';

export const popupElement = (): HTMLElement =>
  make('div', {
    className: 'popup',
    hidden: true,
    tabIndex: -1,
    attributes: { role: 'dialog', part: 'popup', 'aria-labelledby': 'popup-title' },
  });
