/** Chance that can be repeated. */

/** Whole numbers from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** The mulberry32 generator. */
export function randomFrom(start: number): Random {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Chance in the forms that are asked for again and again. */
export class Chance {
  readonly seed: number;
  readonly #random: Random;

  constructor(seed: number) {
    this.seed = seed;
    this.#random = randomFrom(seed);
  }

  /** A number from 0 up to, and without, 1. */
  readonly next = (): number => this.#random(2 ** 32) / 2 ** 32;

  /** A whole number below a bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** Whether something that happens once in `times` happens now. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  /** One of the items, of which there must be some. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** One of the keys, each as often as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let at = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      at -= weight;
      if (at < 0) return key;
    }
    return (entries.at(-1) as [K, number])[0];
  }

  /** The items in another order. */
  shuffled<T>(items: readonly T[]): T[] {
    const mixed = items.slice();
    for (let i = mixed.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
    }
    return mixed;
  }
}
