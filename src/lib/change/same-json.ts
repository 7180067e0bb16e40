/**
 * True if two JSON values are equal, including the order of members, which clients get back as they sent it. Does not serialize them, which
 * is slow for large values.
 */
export function sameJson(left: unknown, right: unknown): boolean {
  // -0 is 0 in JSON.
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, i) => sameJson(item, right[i]));
  }
  const names = Object.keys(left);
  const others = Object.keys(right);
  return (
    names.length === others.length &&
    names.every(
      (name, i) =>
        name === others[i] && sameJson((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
    )
  );
}
