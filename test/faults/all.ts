/** Every fault there is, in the order in which they are done. */
import { kills } from './cases/kills.ts';
import { powerCuts } from './cases/power-cuts.ts';
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [...kills, ...powerCuts];
