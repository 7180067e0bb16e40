/** JSON as the rows of a tree. */
import type { TreePlace } from '../ui/lists/virtual-list.tsx';

export type JsonKind = 'value' | 'array' | 'object';

export interface JsonRow extends TreePlace {
  /** Keys from the root; digits for an index. */
  readonly keys: readonly string[];
  readonly kind: JsonKind;
  readonly value: unknown;
}

export const kindOfJson = (value: unknown): JsonKind =>
  Array.isArray(value) ? 'array' : typeof value === 'object' && value !== null ? 'object' : 'value';

/** Names a place in a tree. */
export const placeKey = (keys: readonly string[]): string => JSON.stringify(keys);

/** Containers of at most this number of rows are open at first. */
const openRowsMax = 40;

/** The places that are open at first: from the root, level by level, as long as there is room, and the way to `towards`. */
export function openAtFirst(root: unknown, towards: readonly string[] = []): Set<string> {
  const open = new Set(towards.map((_, at) => placeKey(towards.slice(0, at))));
  let rows = 1;
  const waiting: { readonly keys: readonly string[]; readonly value: unknown }[] = [{ keys: [], value: root }];
  for (const { keys, value } of waiting) {
    if (kindOfJson(value) === 'value') continue;
    const entries = Object.entries(value as object);
    if (rows + entries.length > openRowsMax && keys.length > 0) continue;
    rows += entries.length;
    open.add(placeKey(keys));
    if (entries.length <= openRowsMax) waiting.push(...entries.map(([key, inside]) => ({ keys: [...keys, key], value: inside })));
  }
  return open;
}

/** The rows that are shown while some places are open. */
export function rowsOf(root: unknown, open: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (value: unknown, keys: readonly string[], position: number, size: number): void => {
    const kind = kindOfJson(value);
    const entries = kind === 'value' ? [] : Object.entries(value as object);
    const isExpanded = entries.length === 0 ? undefined : open.has(placeKey(keys));
    rows.push({ keys, kind, value, level: keys.length + 1, isExpanded, position, size });
    if (isExpanded !== true) return;
    for (const [at, [key, inside]] of entries.entries()) add(inside, [...keys, key], at + 1, entries.length);
  };
  add(root, [], 1, 1);
  return rows;
}
