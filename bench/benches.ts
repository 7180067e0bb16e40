/** Every bench, in the order of the table. */
import { getOne } from './http/read.ts';
import type { Bench } from './row.ts';
import { benchesOfScale } from './scale/benches.ts';

export const benches: readonly Bench[] = [getOne, ...benchesOfScale];
