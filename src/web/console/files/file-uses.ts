/**
 * Where a project uses a file: in members that hold the address of a picture, and in HTML. An address has 128 random bits, so wherever a text
 * contains it, it means the file.
 */
import type { EditOperation } from '../project/history.ts';
import type { ProjectStore } from '../project/project-store.ts';
import type { Kind, ResourceRef } from '../project/resource-kinds.ts';

/** A member with the address of a file. */
export interface FileUse {
  readonly ref: ResourceRef;
  readonly member: string;
  readonly text: string;
}

const members: Partial<Record<Kind, readonly string[]>> = {
  project: ['thumb'],
  artboard: ['image_url'],
  popup: ['image', 'content'],
  action: ['popup_image', 'popup_content'],
};

/** The members of a project that may show pictures, with their values as the user sees them. */
export function* pictureTexts(store: ProjectStore): Generator<FileUse> {
  for (const { ref } of store.all())
    for (const member of members[ref.kind] ?? []) {
      const text = store.shown(ref.id)?.[member];
      if (typeof text === 'string' && text !== '') yield { ref, member, text };
    }
}

/** `/f/<slug>/` of the path of a file: any name after it leads to the same file. */
const stem = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1);

/** The members that use each file, by the path of the file; files without uses are not in it. */
export function usesByUrl(store: ProjectStore, urls: readonly string[]): Map<string, FileUse[]> {
  const byStem = new Map(urls.map((url) => [stem(url), url]));
  const found = new Map<string, FileUse[]>();
  for (const use of pictureTexts(store)) {
    const seen = new Set<string>();
    for (const { start, nameAt } of addressesIn(use.text)) {
      const url = byStem.get(use.text.slice(start, nameAt));
      if (url === undefined || seen.has(url)) continue;
      seen.add(url);
      found.set(url, [...(found.get(url) ?? []), use]);
    }
  }
  return found;
}

const prefix = '/f/';

/** The addresses of files in a text: where each starts, its name starts, and it ends. */
function* addressesIn(text: string): Generator<{ readonly start: number; readonly nameAt: number; readonly end: number }> {
  for (let start = text.indexOf(prefix); start !== -1; start = text.indexOf(prefix, start + 1)) {
    const slash = text.indexOf('/', start + prefix.length);
    if (slash === -1) return;
    yield { start, nameAt: slash + 1, end: endOf(text, start) };
  }
}

/** Where an address ends: at the quotation mark that begins it, or else at a space or the end of a tag. */
function endOf(text: string, at: number): number {
  let before = at - 1;
  while (before >= 0 && !/["'<>=\s]/.test(text.charAt(before))) before--;
  const first = text.charAt(before);
  const isEnd =
    first === '"' || first === "'" ? (character: string) => character === first : (character: string) => /[<>\s]/.test(character);
  let end = at;
  while (end < text.length && !isEnd(text.charAt(end))) end++;
  return end;
}

/** A text with the address of another file. */
export function replacedIn(text: string, from: string, to: string): string {
  const wanted = stem(from);
  if (text.startsWith(wanted) && endOf(text, 0) === text.length) return to;
  // The only character of an address that could end an attribute.
  const inHtml = to.replaceAll("'", '%27');
  let result = '';
  let at = 0;
  for (const { start, nameAt, end } of addressesIn(text)) {
    if (text.slice(start, nameAt) !== wanted) continue;
    result += text.slice(at, start) + inHtml;
    at = end;
  }
  return result + text.slice(at);
}

/** The operations that change members to other texts: for each resource one. */
export function patchesOf(uses: readonly FileUse[], changed: (text: string) => string): EditOperation[] {
  const patches = new Map<string, { from: Record<string, string>; to: Record<string, string> }>();
  for (const { ref, member, text } of uses) {
    const patch = patches.get(ref.id) ?? { from: {}, to: {} };
    patch.from[member] = text;
    patch.to[member] = changed(text);
    patches.set(ref.id, patch);
  }
  return [...patches].map(([id, { from, to }]) => ({ op: 'patch', id, from, to }));
}
