/**
 * Links within a map: `#ID` leads to an artboard or an object, in a member that is nothing but an address, and in the attributes `href` of tags
 * in HTML. A copy of a project has them to its own places.
 */
import { addressesIn, withAddresses } from '../../lib/html/html-addresses.ts';
import type { Body } from '../value.ts';
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
    const id = address.trim().startsWith('#') ? renamed(address.trim().slice(1)) : undefined;
    return id === undefined ? undefined : `#${id}`;
  };
  const changed: Record<string, string> = {};
  for (const member of linkMembers) {
    const text = value[member];
    const other = typeof text === 'string' ? linked(text) : undefined;
    if (other !== undefined) changed[member] = other;
  }
  for (const { member, texts } of fileMembers) {
    const text = value[member];
    // Most texts have none, and need no tokenizer.
    if (texts !== 'html' || typeof text !== 'string' || !/#|&num/.test(text)) continue;
    const found = addressesIn(text).flatMap((at) => {
      const other = linked(at.value);
      return other === undefined ? [] : [{ ...at, value: other }];
    });
    if (found.length > 0) changed[member] = withAddresses(text, found);
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}
