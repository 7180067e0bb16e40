/** Every fault there is, in the order in which they are done. */
import { errors } from './cases/errors.ts';
import { fullDisks } from './cases/full-disks.ts';
import { kills } from './cases/kills.ts';
import { powerCuts } from './cases/power-cuts.ts';
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [...kills, ...powerCuts, ...errors, ...fullDisks];
