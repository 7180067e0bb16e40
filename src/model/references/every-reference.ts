/**
 * Both kinds of references of a value in one form: identifiers (references.ts), and addresses of files in texts (file-references.ts). The
 * target of an address is the slug in it, of the collection `files`.
 */
import { JsonText } from '../json-text.ts';
import type { FileTexts } from '../members.ts';
import type { Body } from '../value.ts';
import { filesNamedIn } from './file-references.ts';
import { type Naming, namedIn, type Reference, referencesIn } from './references.ts';

/** Anything with references. */
interface Referring {
  readonly references: readonly Reference[];
  readonly fileMembers: readonly { readonly member: string; readonly texts: FileTexts }[];
}

/** The references of a value or a body: identifiers in member order, then addresses of files, each file once for a member. */
export function* everyReferenceIn(resource: Referring, value: Body, publicUrl?: string): Generator<Naming, void> {
  yield* referencesIn(resource, value);
  if (resource.fileMembers.length === 0) return;
  const seen = new Set<string>();
  for (const { member, slug } of filesNamedIn(resource, value, publicUrl)) {
    if (seen.has(member + slug)) continue;
    seen.add(member + slug);
    yield { member, pointer: `/${member}`, collection: 'files', id: slug };
  }
}

/** Returns a function that says whether `value` had the same target in the same member (at any position of a list or of HTML). */
export function everyNamedIn(resource: Referring, value: Body, publicUrl?: string): (naming: Naming) => boolean {
  const namedBefore = namedIn(value);
  let files: ReadonlySet<string> | undefined;
  return (naming) => {
    if (naming.collection !== 'files') return namedBefore(naming);
    files ??= new Set(Array.from(filesNamedIn(resource, value, publicUrl), ({ member, slug }) => member + slug));
    return files.has(naming.member + naming.id);
  };
}

/** Length of the texts of a value that may have addresses of files, in characters. */
export function fileTextLength({ fileMembers }: Referring, value: Body): number {
  let length = 0;
  for (const { member } of fileMembers) {
    const text = value[member];
    if (typeof text === 'string') length += text.length;
    else if (text instanceof JsonText) length += text.text.length;
  }
  return length;
}
