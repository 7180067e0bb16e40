/**
 * Chance that says the same every time: what makes a workload, and so each of its crash states, come out the same in every run.
 *
 * Inside {@link determined} the clock stands still until the test moves it, timers go by that clock, and what node:crypto and the Web
 * Crypto API call random comes from a seed. No code of the product knows of it.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Chance } from '../support/random.ts';

/** A number for a text, to seed with. */
export function seedOf(text: string): number {
  let seed = 2_166_136_261;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) as number), 16_777_619);
  return seed >>> 0;
}

const startMs = Date.UTC(2026, 0, 1);

class Timer {
  dueMs = 0;
  readonly #clock: Clock;
  readonly delayMs: number;
  readonly repeats: boolean;
  readonly call: () => void;

  constructor(clock: Clock, call: () => void, delayMs: number, repeats: boolean) {
    this.#clock = clock;
    this.call = call;
    this.delayMs = Math.max(1, delayMs);
    this.repeats = repeats;
    this.refresh();
  }

  refresh(): this {
    this.dueMs = this.#clock.nowMs + this.delayMs;
    this.#clock.timers.add(this);
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** A clock that only the test moves. */
export class Clock {
  nowMs = startMs;
  readonly timers = new Set<Timer>();

  /** Moves on, running the timers that fall due. */
  advance(ms: number): void {
    const endMs = this.nowMs + ms;
    for (;;) {
      const [next] = [...this.timers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined) break;
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      if (next.repeats) next.refresh();
      else this.timers.delete(next);
      next.call();
    }
    this.nowMs = endMs;
  }
}

const crypto = createRequire(import.meta.url)('node:crypto') as Record<string, unknown>;

/** Runs `work` where neither clock nor chance differ from one run to the next. One at a time in a thread. */
export async function determined<T>(seed: number, work: (clock: Clock) => Promise<T>): Promise<T> {
  const chance = new Chance(seed);
  const clock = new Clock();
  const filled = <B extends Uint8Array>(bytes: B): B => {
    for (let i = 0; i < bytes.byteLength; i++) bytes[i] = chance.below(256);
    return bytes;
  };
  const timer =
    (repeats: boolean) =>
    (call: () => void, delayMs = 1) =>
      new Timer(clock, call, delayMs, repeats);
  const clear = (timer: unknown) => void clock.timers.delete(timer as Timer);
  const undo = [
    replace(crypto, {
      randomBytes: (size: number) => filled(Buffer.alloc(size)),
      randomFillSync: filled,
      randomInt: (end: number) => chance.below(end),
    }),
    replace(globalThis.crypto as unknown as Record<string, unknown>, { getRandomValues: filled }),
    replace(globalThis as unknown as Record<string, unknown>, {
      setTimeout: timer(false),
      setInterval: timer(true),
      clearTimeout: clear,
      clearInterval: clear,
    }),
    replace(Date as unknown as Record<string, unknown>, { now: () => clock.nowMs }),
    replace(performance as unknown as Record<string, unknown>, { now: () => clock.nowMs - startMs }),
  ];
  syncBuiltinESMExports();
  try {
    return await work(clock);
  } finally {
    for (const back of undo) back();
    syncBuiltinESMExports();
  }
}

/** Puts other members in the place of an object's own; what it returns puts them back. */
function replace(target: Record<string, unknown>, others: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(others).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  for (const [name, value] of Object.entries(others))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) delete target[name];
      else Object.defineProperty(target, name, descriptor);
    }
  };
}
