/** Content of popups: text of a project that would run or load something if it were used as it is. */
import DOMPurify from 'dompurify';
import { popupAttributes, popupElements } from '../../../lib/html/popup-content.ts';
import { contentAddress, linkTo } from './content-address.ts';
import type { FilesBase } from './loading/file-address.ts';

/**
 * The content of a popup as elements that neither run nor load anything but pictures. Links open in a new tab, unless
 * they lead to a place on this page or in the map.
 *
 * @param html within the bounds of `content-bounds.ts`: an unbounded text may take the browser minutes
 * @param filesBase as for {@link loadedFrom}
 */
export function safeContent(html: string, filesBase: FilesBase | undefined): DocumentFragment {
  const fragment = sanitized(html);
  for (const link of fragment.querySelectorAll('a')) {
    const text = link.getAttribute('href') ?? '';
    const attributes = linkTo(text, !text.trim().startsWith('#'), filesBase);
    if (attributes === undefined) link.removeAttribute('href');
    else Object.assign(link, attributes);
  }
  for (const picture of fragment.querySelectorAll('img')) {
    const address = contentAddress('web picture', picture.getAttribute('src') ?? '', filesBase);
    if (address === undefined) picture.remove();
    else Object.assign(picture, { src: address, alt: picture.alt });
  }
  return fragment;
}

const purifying = {
  ALLOWED_TAGS: [...popupElements],
  ALLOWED_ATTR: [...popupAttributes],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

/**
 * Styles of elements, which are common in copied text: the policy of a page complains about them when they are parsed, before they are removed.
 * A tag ends before the next one here, which keeps the search linear in a text without ends of tags.
 */
const withoutStyles = (html: string): string =>
  html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/(?<=[\s/"'])style(?=\s*=)/gi, 'data-style'));

/** Content of a popup as elements that neither run nor load anything but pictures. Addresses are not checked. @param html as for {@link safeContent} */
export function sanitized(html: string): DocumentFragment {
  // Nothing, whatever its types say, if the page's policy lets no script make elements from text (`trusted-types`).
  const fragment = DOMPurify.sanitize(withoutStyles(html), purifying) as DocumentFragment | null;
  if (fragment !== null) return fragment;
  const text = document.createDocumentFragment();
  text.append(html.replace(/<[^<>]*>/g, ' ').trim());
  return text;
}
