/** A number from a seed: the same for the same seed and name, on every machine. */

/** FNV-1a over the UTF-16 code units of a text, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A number from 0 to 1, without 1: the first of mulberry32, begun with the hash of `<seed>:<name>`. */
export function randomShare(seed: number | string, name: string): number {
  let state = (hashOf(`${seed}:${name}`) + 0x6d2b79f5) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}
