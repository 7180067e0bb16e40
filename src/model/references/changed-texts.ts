/** Changes of texts in the members of a value. */
import type { Body } from '../value.ts';

/**
 * The value with other texts in some members; the same object if nothing changes. Members without a text stay.
 *
 * @param changes each member with what makes its new text
 */
export function withChangedTexts<T extends Body>(
  value: T,
  changes: Iterable<readonly [member: string, change: (text: string) => string]>,
): T {
  const changed: Record<string, string> = {};
  for (const [member, change] of changes) {
    const text = value[member];
    if (typeof text !== 'string' || text === '') continue;
    const other = change(text);
    if (other !== text) changed[member] = other;
  }
  return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
}
