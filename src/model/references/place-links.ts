/**
 * Links within a map: `#ID` leads to an artboard or an object, in a member that is nothing but an address, and in the addresses of tags in
 * HTML. A copy of a project has them to its own places.
 */
import { placeInLink } from '../../lib/draw/link-rules.ts';
import { replaceAddresses } from '../../lib/html/html-addresses.ts';
import type { Body } from '../value.ts';
import { withChangedTexts } from './changed-texts.ts';
import type { FileMember } from './file-references.ts';

/** Anything whose members may have links. */
interface Linking {
  readonly fileMembers: readonly FileMember[];
  readonly linkMembers: readonly string[];
}

/**
 * The value with other identifiers in its links; the same object if nothing changes.
 *
 * @param renamed returns the new identifier of an artboard or an object; `undefined` for a place that keeps its own
 */
export function withPlaceLinks<T extends Body>(
  { fileMembers, linkMembers }: Linking,
  value: T,
  renamed: (id: string) => string | undefined,
): T {
  const linked = (address: string): string | undefined => {
    const place = placeInLink(address);
    const id = place && renamed(place);
    return id && `#${id}`;
  };
  // Most texts have none, and need no tokenizer.
  const inHtml = (html: string): string => (/#|&num/.test(html) ? replaceAddresses(html, linked) : html);
  const members = fileMembers.flatMap(({ member, texts }) => (texts === 'html' ? [member] : []));
  return withChangedTexts(value, [
    ...linkMembers.map((member) => [member, (text: string) => linked(text) ?? text] as const),
    ...members.map((member) => [member, inHtml] as const),
  ]);
}
