/** Leaves of a server with room for everything. */
import { liveLeaves } from '../../src/store/live-leaf.ts';

export const keptLeaves = liveLeaves({ keep: () => true, onOverBudget: () => undefined });
