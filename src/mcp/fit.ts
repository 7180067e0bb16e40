/** Keeps results small: an agent pays for each character that it reads. */

/** Size of a result that nobody asked to be larger, in bytes of JSON, and the largest that one can ask for. */
export const resultBytes = { usual: 20_000, most: 200_000 } as const;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** How many of the first items fit. At least one, cut if it must be. */
export function fitting<T>(items: readonly T[], bytesMax: number): readonly T[] {
  let bytes = 0;
  const found: T[] = [];
  for (const item of items) {
    bytes += bytesOf(item) + 1;
    if (bytes > bytesMax) break;
    found.push(item);
  }
  const [first] = items;
  return found.length > 0 || first === undefined ? found : [cut(first, bytesMax) as T];
}

/**
 * A value whose long texts and lists are cut, so that it fits: texts end with `…`, lists and objects have their first entries. `cut` of the
 * result has the lengths of what was cut, by JSON Pointer.
 */
export function cut(value: unknown, bytesMax: number): unknown {
  if (bytesOf(value) <= bytesMax) return value;
  for (let most = 4096; most >= 1; most = Math.floor(most / 4)) {
    const lengths: Record<string, number> = {};
    const short = shortened(value, most, '', lengths);
    const found =
      typeof short === 'object' && short !== null && !Array.isArray(short) ? { ...short, cut: firstOf(lengths) } : short;
    if (bytesOf(found) <= bytesMax) return found;
  }
  return { cut: { '': bytesOf(value) } };
}

/** Pointers that a result lists. */
const pointersMax = 20;
const firstOf = (lengths: Readonly<Record<string, number>>) => Object.fromEntries(Object.entries(lengths).slice(0, pointersMax));

function shortened(value: unknown, most: number, at: string, lengths: Record<string, number>): unknown {
  if (typeof value === 'string') {
    const characters = most * 4;
    if (value.length <= characters) return value;
    lengths[at] = value.length;
    return `${value.slice(0, characters)}…`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > most) lengths[at] = entries.length;
  const kept = entries
    .slice(0, most)
    .map(
      ([name, each]) =>
        [name, shortened(each, most, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, lengths)] as const,
    );
  return Array.isArray(value) ? kept.map(([, each]) => each) : Object.fromEntries(kept);
}
