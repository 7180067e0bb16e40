/** A text about a place, as people write it in other programs: HTML, plain text, or the marks of uMap. */
import { type CleanHtml, cleanHtml, hasTags } from './clean-html.ts';

/** Tags that make lines. */
const lineTag = /<(?:br|p|div|center|table|tr|td|ul|ol|li|dl|dt|h[1-6]|hr|pre|blockquote)(?=[\s/>])/i;

/**
 * A text as HTML that popups show, and as text alone. Line breaks of a text without tags that make lines are kept, and addresses in it are links.
 *
 * @param marks `umap`: `**bold**`, `*italic*`, `# title`, `[[https://…|text]]` and `{{https://…/picture.jpg}}` count
 */
export function contentOf(given: string, marks: 'none' | 'umap' = 'none'): CleanHtml {
  const text = given.trim();
  if (!/[<>&"\n\r\u00a0]|https?:\/\//i.test(text) && (marks === 'none' || !/[*#[{]|---/.test(text)))
    return text.length > plainMost ? cleanHtml(text) : { html: text, text, isCut: false };
  // Without a tag, "<" and "&" stand for themselves, but not in a reference to a character.
  const html = hasTags(text) ? text : text.replace(/&(?!#?\w{1,32};)/g, '&amp;').replaceAll('<', '&lt;');
  const marked = marks === 'umap' ? withoutMarks(html) : html;
  return cleanHtml(lineTag.test(text) ? marked : withBreaks(marked));
}

/** Characters of a text that is certainly within the bounds. */
const plainMost = 10_000;

/** Line breaks outside of tags are `<br>`. */
const withBreaks = (html: string): string =>
  html.replace(/<[^<>]*>|\r\n?|\n/g, (found) => (found.startsWith('<') ? found : '<br>'));

const quoted = (address: string): string => address.trim().replaceAll('"', '%22');

/** The marks of uMap as HTML. */
const withoutMarks = (text: string): string =>
  text
    .replace(/\{\{\{?\s*([^{}|\s]+)\s*(?:\|[^{}]*)?\}\}\}?/g, (found, address: string) =>
      found.startsWith('{{{') ? `<a href="${quoted(address)}">${address}</a>` : `<img src="${quoted(address)}">`,
    )
    .replace(/\[\[\s*([^[\]|\s]+)\s*(?:\|([^[\]]*))?\]\]/g, (_, address: string, label?: string) => {
      return `<a href="${quoted(address)}">${label?.trim() || address}</a>`;
    })
    .replace(
      /^(#{1,3})[ \t]*([^#\s].*)$/gm,
      (_, signs: string, title: string) => `<h${signs.length + 2}>${title}</h${signs.length + 2}>`,
    )
    .replace(/^---+[ \t]*$/gm, '<hr>')
    .replace(/(<\/h\d>|<hr>)\r?\n|\r?\n(?=<h)/g, '$1')
    .replace(/\*\*(?!\s)([^*\n]+)(?<!\s)\*\*/g, '<b>$1</b>')
    .replace(/\*(?!\s)([^*\n]+)(?<!\s)\*/g, '<i>$1</i>');
