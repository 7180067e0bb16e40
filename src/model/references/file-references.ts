/**
 * References to files in texts: a member that is nothing but the address of a file, and the attributes `src` and `href` of tags in HTML.
 */
import { addressesIn, replaceAddresses } from '../../lib/html/html-addresses.ts';
import { JsonText } from '../json-text.ts';
import type { FileTexts } from '../members.ts';
import { shardOfSlug } from '../publication.ts';
import type { Body } from '../value.ts';
import { withChangedTexts } from './changed-texts.ts';

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

/** Most texts have none, and need no tokenizer. */
const mayHaveFiles = (html: string): boolean => html.includes(filesPath) || /&(?:#|sol)/.test(html);

/** The references in HTML, in their order. Takes time in proportion to the length; never throws. */
export function fileReferencesIn(html: string, publicUrl?: string): HtmlFileReference[] {
  if (!mayHaveFiles(html)) return [];
  const found: HtmlFileReference[] = [];
  for (const { value, start, end } of addressesIn(html)) {
    const address = fileAddress(value, publicUrl);
    if (address === undefined) continue;
    const { base, slug, name } = address;
    found.push({ base, slug, name, start, end });
  }
  return found;
}

/**
 * HTML with other addresses in its references; the same text if nothing changes.
 *
 * @param replaced returns the new path, which stays below the public URL if the old one was; `undefined` keeps the old address
 */
export function replaceFileReferences(html: string, replaced: (slug: string) => string | undefined, publicUrl?: string): string {
  if (!mayHaveFiles(html)) return html;
  return replaceAddresses(html, (address) => otherFile(address, replaced, publicUrl));
}

/** The addresses of files in a value or a body, each with its member. */
export function* filesNamedIn(
  { fileMembers }: WithFileMembers,
  value: Body,
  publicUrl?: string,
): Generator<{ readonly member: string; readonly slug: string; readonly name: string }, void> {
  for (const { member, texts } of fileMembers) {
    for (const text of textsIn(value[member], texts)) {
      for (const { slug, name } of texts === 'html' ? fileReferencesIn(text, publicUrl) : aloneIn(text, publicUrl))
        yield { member, slug, name };
    }
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
  const other = (text: string): string => otherFile(text, replaced, publicUrl) ?? text;
  const changed = withChangedTexts(
    value,
    fileMembers.map(({ member, texts }) => [
      member,
      texts === 'html' ? (text) => replaceFileReferences(text, replaced, publicUrl) : other,
    ]),
  );
  const structures = fileMembers.flatMap(({ member, texts }): [string, unknown][] => {
    const before = value[member];
    const after = texts === 'values' ? withValues(before, other) : texts === 'public_map' ? withPictures(before, other) : before;
    return after === before ? [] : [[member, after]];
  });
  return structures.length === 0 ? changed : { ...changed, ...Object.fromEntries(structures) };
}

/** The texts of a member that may have addresses of files. */
function textsIn(value: unknown, texts: FileTexts): readonly string[] {
  if (texts === 'values') return mayHaveAddress(value) ? Object.values(plain(value)).filter(isText) : [];
  if (texts === 'public_map') return picturesIn(value).flatMap(({ holder, member }) => [holder[member]].filter(isText));
  return isText(value) && value !== '' ? [value] : [];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Named values as an object, whether they are kept as text or not. */
const plain = (value: unknown): Body =>
  value instanceof JsonText ? value.value : typeof value === 'object' && value !== null ? (value as Body) : {};

/** Most properties have none, and need not be parsed. */
const mayHaveAddress = (value: unknown): boolean => !(value instanceof JsonText) || value.text.includes(filesPath);

function withValues(value: unknown, other: (text: string) => string): unknown {
  if (value === undefined || !mayHaveAddress(value)) return value;
  const before = Object.entries(plain(value));
  const after = before.map(([name, item]) => [name, isText(item) ? other(item) : item] as const);
  if (after.every(([, item], at) => item === before[at]?.[1])) return value;
  const changed = Object.fromEntries(after);
  return value instanceof JsonText ? JsonText.of(changed) : changed;
}

/** The parts of `settings.public_map` of a project that may name a picture: none of one that has another form. */
function picturesIn(settings: unknown): readonly { readonly holder: Body; readonly member: 'icon' | 'logo' }[] {
  const { categories, header } = plain(plain(settings)['public_map']);
  const listed = Array.isArray(categories) ? categories.filter((each) => typeof each === 'object' && each !== null) : [];
  return [
    ...listed.map((holder: Body) => ({ holder, member: 'icon' as const })),
    { holder: plain(header), member: 'logo' as const },
  ];
}

function withPictures(settings: unknown, other: (text: string) => string): unknown {
  const changed = new Map<unknown, Body>();
  for (const { holder, member } of picturesIn(settings)) {
    const before = holder[member];
    if (isText(before) && other(before) !== before) changed.set(holder, { ...holder, [member]: other(before) });
  }
  if (changed.size === 0) return settings;
  const map = plain(plain(settings)['public_map']);
  const { categories, header } = map;
  const after = {
    ...map,
    ...(Array.isArray(categories) && { categories: categories.map((each) => changed.get(each) ?? each) }),
    ...(changed.has(header) && { header: changed.get(header) }),
  };
  return { ...plain(settings), public_map: after };
}

function aloneIn(text: string, publicUrl: string | undefined): readonly FileAddress[] {
  const address = fileAddress(text, publicUrl);
  return address === undefined ? [] : [address];
}

/** The address that a file gets; `undefined` for one that keeps its own, and for any other text. */
function otherFile(
  text: string,
  replaced: (slug: string) => string | undefined,
  publicUrl: string | undefined,
): string | undefined {
  const address = fileAddress(text, publicUrl);
  const path = address && replaced(address.slug);
  return path === undefined ? undefined : address?.base + path;
}
