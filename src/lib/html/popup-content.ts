/** Elements, attributes and bounds of the content of popups: for the viewer, which removes the rest, and for programs that write such content. No imports. */

/** Elements of a popup. Everything else becomes the text in it. */
export const popupElements: readonly string[] = (
  'a b i em strong u s sub sup small mark br hr p div span h1 h2 h3 h4 h5 h6 ul ol li dl dt dd ' +
  'blockquote pre code table caption thead tbody tfoot tr th td img figure figcaption'
).split(' ');

export const popupAttributes: readonly string[] = ['href', 'src', 'alt', 'title'];

/** `characters` are UTF-16 code units, as in `String.length`. */
export const contentBounds = {
  characters: 262_144,
  /** With comments, each of which a parser makes a node of. */
  elements: 2000,
  /** Without elements that have no end tag, or whose end tag may be missing. */
  depth: 32,
  tables: 8,
  attributes: 4000,
  /** Elements without a start tag: a parser repeats open formatting in each paragraph, and adds rows to tables. */
  implied: 8000,
} as const;
