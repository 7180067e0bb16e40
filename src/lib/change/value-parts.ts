/** JSON Merge Patches (RFC 7396), and values of which several users change parts. */
import type { Members } from './diff.ts';
import { sameJson } from './same-json.ts';

/** True if a value is a JSON object, and no array. */
export const isPlain = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The patch that turns `before` into `after`; `undefined` if no patch can, because `after` has a `null`, which would remove. */
export function patchBetween(before: Members, after: Members): Members | undefined {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const former = before[name];
    if (Object.hasOwn(before, name) && sameJson(former, value)) continue;
    const inside = isPlain(value) ? patchBetween(isPlain(former) ? former : {}, value) : value;
    if (inside === undefined || inside === null) return undefined;
    patch[name] = inside;
  }
  return patch;
}

/** A value with the changes of both. @param isMine which one counts where both have changed the same part to different values */
export function mergedParts(base: Members, mine: Members, theirs: Members, isMine: boolean): Members {
  const merged: Record<string, unknown> = { ...theirs };
  for (const name of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    if (sameJson(base[name], mine[name])) continue;
    if (!isMine && !sameJson(base[name], theirs[name])) continue;
    if (Object.hasOwn(mine, name)) merged[name] = mine[name];
    else delete merged[name];
  }
  return merged;
}
