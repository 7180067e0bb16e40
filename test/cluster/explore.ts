/** Explores the worlds of the protocol: all of them to a depth, and random walks far beyond it. */
import { Chance } from '../support/random.ts';
import { ownedWorld, situate } from './situations.ts';
import { type Action, actionsOf, type Mistakes, newWorld, Violation, type World } from './world.ts';

export interface Exploration {
  /** Different states seen. */
  readonly states: number;
  readonly walks: number;
  /** How often batches were acknowledged and reads answered in walks: an exploration without them proves nothing. */
  readonly acknowledged: number;
  readonly answered: number;
  readonly failure: { readonly rule: Violation['rule']; readonly message: string; readonly steps: readonly string[] } | undefined;
}

export interface Effort {
  readonly seed: number;
  /** Ends after this many different states. */
  readonly states: number;
  /** Of these, states that are reached from the start by all possible steps. */
  readonly exhaustive: number;
  readonly mistakes?: Mistakes;
}

const faultsMax = 8;
const situationFaults = 6;
/** Steps of a walk from the beginning, and from a situation. */
const longWalk = 150;
const shortWalk = 12;

/** 53 bits of a state: enough that no two of some millions collide. */
function hashOf(text: string): number {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}

class Explorer {
  readonly #effort: Effort;
  readonly #seen = new Set<number>();
  readonly #owned = JSON.stringify(ownedWorld(2));
  #walks = 0;
  #acknowledged = 0;
  #answered = 0;
  #failure: Exploration['failure'];

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  run(): Exploration {
    this.#everything();
    const chance = new Chance(this.#effort.seed);
    while (this.#failure === undefined && this.#seen.size < this.#effort.states) this.#walk(chance);
    const counts = { walks: this.#walks, acknowledged: this.#acknowledged, answered: this.#answered };
    return { states: this.#seen.size, ...counts, failure: this.#failure };
  }

  /** Breadth first, from a world with an owner. */
  #everything(): void {
    let level = [this.#owned];
    while (level.length > 0 && this.#failure === undefined) {
      const next: string[] = [];
      for (const text of level) {
        const { length } = actionsOf(JSON.parse(text) as World, this.#effort.mistakes);
        for (let i = 0; i < length; i++) {
          const world = JSON.parse(text) as World;
          const action = actionsOf(world, this.#effort.mistakes)[i] as Action;
          if (!this.#step(action, [action.name])) return;
          const after = JSON.stringify(world);
          if (!this.#isNew(after)) continue;
          if (this.#seen.size >= this.#effort.exhaustive) return;
          next.push(after);
        }
      }
      level = next;
    }
  }

  #walk(chance: Chance): void {
    this.#walks++;
    const steps: string[] = [];
    const step = (action: Action): boolean => {
      steps.push(action.name);
      if (action.name.endsWith('answers')) this.#answered++;
      if (!this.#step(action, steps)) return false;
      this.#isNew(JSON.stringify(world));
      return true;
    };
    const faults = chance.below(faultsMax + 1);
    const isNewWorld = chance.once(4);
    const world = isNewWorld ? newWorld(faults) : { ...(JSON.parse(this.#owned) as World), budget: situationFaults };
    if (!isNewWorld && !situate(world, chance, this.#effort.mistakes, step)) return;
    const length = isNewWorld ? longWalk : shortWalk;
    let paces = drawPaces(chance);
    for (let i = 0; i < length; i++) {
      if (chance.once(pacedSteps)) paces = drawPaces(chance);
      if (!step(pick(actionsOf(world, this.#effort.mistakes), paces, chance.next()))) return;
    }
    if (Object.values(world.acknowledged).some((chain) => chain !== '')) this.#acknowledged++;
  }

  /** Whether the step broke no rule. */
  #step(action: Action, steps: readonly string[]): boolean {
    try {
      action.run();
      return true;
    } catch (error) {
      if (!(error instanceof Violation)) throw new Error(`after ${steps.join('; ')}`, { cause: error });
      this.#failure = { rule: error.rule, message: error.message, steps };
      return false;
    }
  }

  #isNew(state: string): boolean {
    const { size } = this.#seen;
    this.#seen.add(hashOf(state));
    return this.#seen.size > size;
  }
}

/** How fast each part of the world goes for a while: a process may be stopped, a connection slow, the standby away. */
type Paces = Readonly<Record<string, number>>;

const pacedSteps = 25;
const paceOf: Readonly<Record<string, readonly number[]>> = {
  ...{ A: [0, 0.1, 1, 1], B: [0, 0.1, 1, 1], 'A.wire': [0, 1, 1], 'B.wire': [0, 1, 1], wire: [0, 0.1, 1] },
  ...{ standby: [0, 0.05, 1, 1], time: [0, 0.2, 1, 2], faults: [0, 1, 1] },
};

function drawPaces(chance: Chance): Paces {
  return Object.fromEntries(Object.entries(paceOf).map(([part, paces]) => [part, chance.pick(paces)]));
}

function pick(actions: readonly Action[], paces: Paces, at: number): Action {
  const weightOf = ({ part, weight }: Action) => weight * (paces[part] ?? 1) + 1e-6;
  let left = at * actions.reduce((sum, action) => sum + weightOf(action), 0);
  for (const action of actions) {
    left -= weightOf(action);
    if (left < 0) return action;
  }
  return actions.at(-1) as Action;
}

export function explore(effort: Effort): Exploration {
  return new Explorer(effort).run();
}
