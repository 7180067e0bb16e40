/** Settings of a project are written as a JSON Merge Patch (RFC 7396): what other editors have changed in them meanwhile stays. */
import { isPlain, type Members, sameValue } from './resource-kinds.ts';

/** The patch that turns `before` into `after`; `undefined` if no patch can, because `after` has a `null`, which would remove. */
export function patchBetween(before: Members, after: Members): Members | undefined {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const former = before[name];
    if (Object.hasOwn(before, name) && sameValue(former, value)) continue;
    const inside = isPlain(value) ? patchBetween(isPlain(former) ? former : {}, value) : value;
    if (inside === undefined || inside === null) return undefined;
    patch[name] = inside;
  }
  return patch;
}

/** The settings with the changes of both; `undefined` if both have changed the same one to different values. */
export function mergedSettings(base: unknown, mine: unknown, theirs: unknown): Members | undefined {
  if (!isPlain(base) || !isPlain(mine) || !isPlain(theirs)) return undefined;
  const merged: Record<string, unknown> = { ...theirs };
  for (const name of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    if (sameValue(base[name], mine[name])) continue;
    if (!sameValue(base[name], theirs[name]) && !sameValue(mine[name], theirs[name])) return undefined;
    if (Object.hasOwn(mine, name)) merged[name] = mine[name];
    else delete merged[name];
  }
  return merged;
}
