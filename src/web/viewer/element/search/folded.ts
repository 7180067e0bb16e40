/** Text as it is compared in a search: without case, diacritics and markup. */

/** Letters that are no letter with a diacritic, but are typed as others. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};

/** A text without case and diacritics, and with one blank between words. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþħı]/g, (letter) => letters[letter] as string)
    .replace(/[\s\u200b]+/g, ' ')
    .trim();

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  szlig: 'ß',
  aelig: 'æ',
  oslash: 'ø',
};

const attributes = '(?:[^>"\']|"[^"]*"|\'[^\']*\')*';
/** Elements whose content the map never shows: those of DOMPurify. */
const hidden = 'audio|head|iframe|math|noembed|noframes|noscript|plaintext|script|style|svg|template|title|video|xmp';
/** Comments, such elements with their content, and tags; to the end of the text if they have none. */
const markup = new RegExp(
  `<!--[^]*?(?:-->|$)|<(${hidden})(?=[\\s/>])${attributes}>[^]*?(?:</\\1(?=[\\s/>])[^>]*>?|$)|<[a-z/!]${attributes}>?`,
  'gi',
);

/** The text of a popup's content, as far as a search needs it: what is shown of it, with its references to characters resolved. */
export const textOf = (html: string): string =>
  html
    .replace(markup, ' ')
    .replace(/&(?:#x([\da-f]{1,7})|#(\d{1,9})|([a-z]{2,8}));?/gi, (whole, hex?: string, decimal?: string, name = '') => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (hex !== undefined || decimal !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
      const diacritic = /^([a-z])(?:uml|acute|grave|circ|tilde|cedil|ring|caron)$/i.exec(name);
      return diacritic?.[1] ?? named[name.toLowerCase()] ?? (name === 'nbsp' ? ' ' : whole);
    });
