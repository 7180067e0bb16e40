/** Leaves of a server with room for everything, and of one whose memory is short. */
import type { Leaf } from '../../src/store/leaf.ts';
import { liveLeaves, type MemoryPolicy } from '../../src/store/live-leaf.ts';

export const keptLeaves = liveLeaves({ keep: () => true, onOverBudget: () => undefined });

/** A budget that is used up, until the test says otherwise: reads leave leaves packed, and what changes decode is packed by `settle`. */
export class FullMemory implements MemoryPolicy {
  isFull = true;
  /** How often a leaf was decoded. */
  asked = 0;
  readonly #changed = new Set<Leaf>();

  keep(): boolean {
    this.asked++;
    return !this.isFull;
  }

  onOverBudget(leaf: Leaf): void {
    this.#changed.add(leaf);
  }

  settle(): void {
    for (const leaf of this.#changed) leaf.pack();
    this.#changed.clear();
  }
}
