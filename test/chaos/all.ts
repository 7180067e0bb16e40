/** Every fault there is, in the order in which they are done. */
import { clocks } from './cases/clocks.ts';
import { errors } from './cases/errors.ts';
import { files } from './cases/files.ts';
import { fullDisks } from './cases/full-disks.ts';
import { kills } from './cases/kills.ts';
import { limits } from './cases/limits.ts';
import { neighbours } from './cases/neighbours.ts';
import { powerCuts } from './cases/power-cuts.ts';
import { threads } from './cases/threads.ts';
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [
  ...kills,
  ...powerCuts,
  ...files,
  ...errors,
  ...fullDisks,
  ...limits,
  ...threads,
  ...clocks,
  ...neighbours,
];
