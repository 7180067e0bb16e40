/** The benches of scale, in the order of the table. */
import type { Bench } from '../row.ts';
import { bulk } from './bulk.ts';
import { commands } from './commands.ts';
import { evaluation } from './evaluation.ts';
import { growthOfAccount, growthOfCollection, growthOfStore } from './growth.ts';
import { imports } from './imports.ts';
import { manyPictures } from './many-pictures.ts';
import { memory } from './memory.ts';
import { pauses } from './pauses.ts';
import { restart } from './restart.ts';
import { snapshot } from './snapshot.ts';
import { soak } from './soak.ts';

export const benchesOfScale: readonly Bench[] = [
  bulk,
  commands,
  restart,
  memory,
  snapshot,
  growthOfStore,
  growthOfCollection,
  growthOfAccount,
  pauses,
  evaluation,
  imports,
  manyPictures,
  soak,
];
