/**
 * Where a project uses files and has pictures in itself: in members that hold addresses, and in the attributes of HTML. The scanner of HTML is
 * that of the server, so both count the same.
 */

import type { DiffBuilder } from '../../../../lib/change/diff-builder.ts';
import { isPlain } from '../../../../lib/change/value-parts.ts';
import { addressesIn, type HtmlAddress, withAddresses } from '../../../../lib/html/html-addresses.ts';
import type { ProjectStore } from '../../document/project-store.ts';
import { categoriesIn, hasIcon, iconsOfCategories } from '../../kinds/map-categories.ts';
import { publicMapOf } from '../../kinds/public-map-settings.ts';
import type { ResourceRef } from '../../kinds/resource-kinds.ts';
import { serverRoot } from '../../server/server-root.ts';
import { type FileTexts, fileMembers } from './file-members.ts';

/** A member with addresses of pictures. */
export interface FileUse {
  readonly ref: ResourceRef;
  readonly member: string;
  readonly texts: FileTexts;
  readonly value: unknown;
  readonly addresses: readonly HtmlAddress[];
}

/** Most texts of HTML have no address of a picture, and need no scanner. An encoded slash or letter has an ampersand. */
const mayHaveAddress = /\/f\/|data:|&(?:#|sol)/i;

/** Finds the addresses in members, and remembers those in HTML. */
export class FileScanner {
  readonly #known = new Map<string, readonly HtmlAddress[]>();

  /** The members of a project that have addresses, as the user sees them. */
  *uses(store: ProjectStore): Generator<FileUse> {
    for (const { ref } of store.all())
      for (const [member, texts] of Object.entries(fileMembers[ref.kind] ?? {})) {
        const value = store.shown(ref.id)?.[member];
        const addresses = texts === 'html' ? this.#inHtml(String(value ?? '')) : textsIn(value, texts).map(alone);
        if (addresses.length > 0) yield { ref, member, texts, value, addresses };
      }
  }

  #inHtml(text: string): readonly HtmlAddress[] {
    if (!mayHaveAddress.test(text)) return [];
    const addresses = this.#known.get(text) ?? addressesIn(text);
    this.#known.set(text, addresses);
    return addresses;
  }
}

const alone = (text: string): HtmlAddress => ({ value: text.trim(), start: 0, end: text.length });

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The texts of a member that may be addresses. */
function textsIn(value: unknown, texts: Exclude<FileTexts, 'html'>): readonly string[] {
  // Most values of objects are numbers and words.
  if (texts === 'values')
    return isPlain(value)
      ? Object.values(value)
          .filter(isText)
          .filter((text) => mayHaveAddress.test(text))
      : [];
  if (texts === 'public_map') return [...iconsOfCategories(value), ...[logoIn(value)].filter(isText)];
  return isText(value) ? [value] : [];
}

/** The value of a member with other addresses. */
function withOthers({ texts, value, addresses }: FileUse, changed: (address: string) => string | undefined): unknown {
  const other = (text: unknown): unknown => (isText(text) ? (changed(text.trim()) ?? text) : text);
  if (texts === 'alone') return other(value);
  if (texts === 'html')
    return withAddresses(
      String(value),
      addresses.flatMap(({ value: address, start, end }) => {
        const next = changed(address);
        return next === undefined ? [] : [{ value: next, start, end }];
      }),
    );
  // A name may be one that every object has: it is defined, never assigned.
  if (texts === 'values') return Object.fromEntries(Object.entries(value as object).map(([name, text]) => [name, other(text)]));
  const { public_map: map, ...settings } = value as { readonly public_map: { readonly header?: object } };
  const categories = categoriesIn(value).map((each) => (hasIcon(each) ? { ...each, icon: other(each.icon) } : each));
  const logo = logoIn(value);
  const changes = {
    ...(categories.length > 0 && { categories }),
    ...(isText(logo) && { header: { ...map.header, logo: other(logo) } }),
  };
  return { ...settings, public_map: { ...map, ...changes } };
}

/** The logo in the header of a map's page. */
function logoIn(settings: unknown): unknown {
  const { header } = publicMapOf(settings);
  return isPlain(header) ? header['logo'] : undefined;
}

/** `/f/<slug>/` of the address of a file on this server: any name after it leads to the same file. '' for another address. */
function stemOf(address: string): string {
  const root = serverRoot();
  const path = address.startsWith(root) ? address.slice(root.length - 1) : address;
  const slash = path.startsWith('/f/') ? path.indexOf('/', '/f/'.length) : -1;
  return path.slice(0, slash + 1);
}

/** The members that use each file, by the path of the file; files without uses are not in it. */
export function usesByUrl(uses: Iterable<FileUse>, urls: readonly string[]): Map<string, FileUse[]> {
  const byStem = new Map(urls.map((url) => [stemOf(url), url]));
  const found = new Map<string, FileUse[]>();
  for (const use of uses)
    for (const stem of new Set(use.addresses.map(({ value }) => stemOf(value)))) {
      const url = stem === '' ? undefined : byStem.get(stem);
      if (url !== undefined) found.set(url, [...(found.get(url) ?? []), use]);
    }
  return found;
}

/** Whether an address is a picture itself. */
export const isPictureUrl = (address: string): boolean => /^data:image\//i.test(address);

/** The address of another file instead of that of one; `undefined` for other addresses. An absolute one stays absolute. */
export const replacing =
  (from: string, to: string) =>
  (address: string): string | undefined =>
    stemOf(address) !== stemOf(from) ? undefined : address.startsWith(serverRoot()) ? serverRoot() + to.slice(1) : to;

/** Changes addresses in members. @param changed returns the new address; `undefined` keeps the old one */
export function changeAddresses(
  edit: DiffBuilder,
  uses: Iterable<FileUse>,
  changed: (address: string) => string | undefined,
): DiffBuilder {
  for (const use of uses) edit.put(use.ref.id, { [use.member]: withOthers(use, changed) });
  return edit;
}
