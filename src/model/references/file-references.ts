/**
 * References to files in texts: a member that is nothing but the address of a file, and the attributes `src` and `href` of tags in HTML.
 *
 * HTML is read by the tokenizer of parse5, which finds the tags that a browser finds. Only the values of attributes are replaced; every other
 * character stays.
 */
import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import type { FileTexts } from '../members.ts';
import { shardOfSlug } from '../publication.ts';
import type { Body } from '../value.ts';

/** A member whose text may have addresses of files. */
export interface FileMember {
  readonly member: string;
  readonly texts: FileTexts;
}

/** Anything with such members. */
interface WithFileMembers {
  readonly fileMembers: readonly FileMember[];
}

/** The address of a file: `/f/<slug>/<name>`. */
export interface FileAddress {
  /** The public URL before the path; '' for a path alone. */
  readonly base: string;
  readonly slug: string;
  /** Decoded. */
  readonly name: string;
}

/** An attribute of a tag whose value is the address of a file. */
export interface HtmlFileReference extends FileAddress {
  /** Position of the value in the text, without its quotation marks. */
  readonly start: number;
  /** Position after its last character. */
  readonly end: number;
}

/** Path below which files are public. */
export const filesPath = '/f/';

/** The slug in the path of a file; '' for any other text. */
export const slugOfPath = (path: string): string => fileAddress(path)?.slug ?? '';

/** The path of a file. */
export const filePath = (slug: string, name: string): string => `${filesPath}${slug}/${encodeURIComponent(name)}`;

/**
 * The file that a text names if it is, alone, the path of a file, or that path below the public URL; `undefined` for any other text.
 *
 * @param publicUrl of the server, with or without a slash at its end
 */
export function fileAddress(text: string, publicUrl?: string): FileAddress | undefined {
  const base = publicUrl?.replace(/\/$/, '') ?? '';
  const isBelow = base !== '' && text.startsWith(`${base}${filesPath}`);
  const path = isBelow ? text.slice(base.length) : text;
  if (!path.startsWith(filesPath)) return undefined;
  const slash = path.indexOf('/', filesPath.length);
  const [slug, encoded] = [path.slice(filesPath.length, slash), path.slice(slash + 1)];
  if (slash === -1 || shardOfSlug(slug) === undefined || encoded === '' || /[/\\?#\s]/.test(encoded)) return undefined;
  try {
    return { base: isBelow ? base : '', slug, name: decodeURIComponent(encoded) };
  } catch {
    return undefined;
  }
}

/** The references in HTML, in their order. Takes time in proportion to the length; never throws. */
export function fileReferencesIn(html: string, publicUrl?: string): HtmlFileReference[] {
  // Most texts have none, and need no tokenizer.
  if (!html.includes(filesPath) && !/&(?:#|sol)/.test(html)) return [];
  const found: HtmlFileReference[] = [];
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        tokenizer.state = contentModes.get(tag.tagName) ?? tokenizer.state;
        for (const attribute of tag.attrs) {
          const address = addressAttributes.has(attribute.name) ? fileAddress(attribute.value.trim(), publicUrl) : undefined;
          if (address !== undefined) found.push({ ...address, ...placeOf(html, tag, attribute.name) });
        }
      },
      ...{ onEndTag: ignore, onCharacter: ignore, onWhitespaceCharacter: ignore, onNullCharacter: ignore },
      ...{ onComment: ignore, onDoctype: ignore, onEof: ignore },
    },
  );
  tokenizer.write(html, true);
  return found;
}

/**
 * HTML with other addresses in its references; the same text if nothing changes.
 *
 * @param replaced returns the new path, which stays below the public URL if the old one was; `undefined` keeps the old address
 */
export function replaceFileReferences(html: string, replaced: (slug: string) => string | undefined, publicUrl?: string): string {
  let text = '';
  let at = 0;
  for (const { base, slug, start, end } of fileReferencesIn(html, publicUrl)) {
    const address = replaced(slug);
    if (address === undefined) continue;
    text += html.slice(at, start) + escaped(base + address);
    at = end;
  }
  return at === 0 ? html : text + html.slice(at);
}

/** The addresses of files in a value or a body, each with its member. */
export function* filesNamedIn(
  { fileMembers }: WithFileMembers,
  value: Body,
  publicUrl?: string,
): Generator<{ readonly member: string; readonly slug: string }, void> {
  for (const { member, texts } of fileMembers) {
    const text = value[member];
    if (typeof text !== 'string' || text === '') continue;
    for (const { slug } of texts === 'html' ? fileReferencesIn(text, publicUrl) : aloneIn(text, publicUrl))
      yield { member, slug };
  }
}

/**
 * The value with other addresses of files; the same object if nothing changes.
 *
 * @param replaced as for {@link replaceFileReferences}
 */
export function withFileReferences<T extends Body>(
  { fileMembers }: WithFileMembers,
  value: T,
  replaced: (slug: string) => string | undefined,
  publicUrl?: string,
): T {
  const changed: Record<string, string> = {};
  for (const { member, texts } of fileMembers) {
    const text = value[member];
    if (typeof text !== 'string' || text === '') continue;
    const other = texts === 'html' ? replaceFileReferences(text, replaced, publicUrl) : replacedAlone(text, replaced, publicUrl);
    if (other !== text) changed[member] = other;
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}

function aloneIn(text: string, publicUrl: string | undefined): readonly FileAddress[] {
  const address = fileAddress(text, publicUrl);
  return address === undefined ? [] : [address];
}

function replacedAlone(text: string, replaced: (slug: string) => string | undefined, publicUrl: string | undefined): string {
  const address = fileAddress(text, publicUrl);
  const path = address && replaced(address.slug);
  return path === undefined ? text : address?.base + path;
}

/** The attributes whose value is one address. */
const addressAttributes: ReadonlySet<string> = new Set(['src', 'href']);

/** Elements whose content has no tags. */
const contentModes: ReadonlyMap<string, Tokenizer['state']> = new Map([
  ...(['title', 'textarea'] as const).map((name) => [name, TokenizerMode.RCDATA] as const),
  ...(['style', 'xmp', 'iframe', 'noembed', 'noframes'] as const).map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

const ignore = (): void => undefined;

const isSpace = (character: string): boolean => /^[\t\n\f\r ]$/.test(character);

/** Where the value of an attribute is. It has one. */
function placeOf(html: string, { location }: Token.TagToken, name: string): { start: number; end: number } {
  const skipSpaces = (from: number): number => {
    let at = from;
    while (isSpace(html.charAt(at))) at++;
    return at;
  };
  const equals = skipSpaces((location?.attrs?.[name]?.startOffset ?? 0) + name.length);
  const start = skipSpaces(equals + 1);
  const quote = html.charAt(start);
  if (quote === '"' || quote === "'") return { start: start + 1, end: html.indexOf(quote, start + 1) };
  let end = start;
  while (end < html.length && html.charAt(end) !== '>' && !isSpace(html.charAt(end))) end++;
  return { start, end };
}

/** An address as the value of an attribute, with any quotation marks or none. */
const escaped = (address: string): string => address.replace(/[&"'<>=`\s]/g, (character) => `&#${character.charCodeAt(0)};`);
