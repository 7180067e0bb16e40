/** HTML fragments: text that is inserted into one is escaped, unless it is a fragment itself. */

export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Allowed content of a fragment: `undefined` for nothing, an array for several. */
export type Content = Markup | string | number | undefined | readonly Markup[];

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function textOf(content: Content): string {
  if (content === undefined) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'object') return content.map((each) => each.text).join('');
  return `${content}`.replace(/[&<>"']/g, (character) => escapes[character] as string);
}

/** Text between tags, or within the quotation marks of an attribute. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(strings.map((string, i) => string + textOf(contents[i])).join(''));
}

/** Joins fragments with a separator. */
export const joined = (between: Content, pieces: readonly Markup[]): Markup[] =>
  pieces.flatMap((piece, i) => (i === 0 ? [piece] : [html`${between}`, piece]));

/** The supported Markdown: `code` and [links](https://...). */
const inline = /`([^`]+)`|\[([^\]]+)\]\((https:[^)\s]+)\)/g;

/** A line of Markdown. */
export function marked(text: string): Markup {
  const pieces: Markup[] = [];
  let at = 0;
  for (const found of text.matchAll(inline)) {
    const [all, code, label = '', address = ''] = found;
    pieces.push(html`${text.slice(at, found.index)}`);
    pieces.push(code === undefined ? html`<a href="${address}" rel="noreferrer">${label}</a>` : html`<code>${code}</code>`);
    at = found.index + all.length;
  }
  return html`${[...pieces, html`${text.slice(at)}`]}`;
}

/** Paragraphs of Markdown. */
export const paragraphs = (text: string): Markup[] => text.split(/\n\s*\n/).map((paragraph) => html`<p>${marked(paragraph)}</p>`);
