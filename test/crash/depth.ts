/** How much of what a crash may leave is tried. */
import type { Depth } from './explore.ts';

export type DepthName = 'normal' | 'long' | 'brief' | 'sample';

/** Enough to find each planted bug within seconds. */
const brief: Depth = {
  writesMax: 4,
  changesMax: 4,
  tornBytesMax: 256,
  tornStepBytes: 1,
  statesMax: 200,
  restarts: 1,
  perShape: 1,
  workloadMax: 8_000,
  restartsMin: 1_000,
  within: { writesMax: 3, changesMax: 4, tornBytesMax: 256, tornStepBytes: 5, statesMax: 30 },
};

export const depths: Readonly<Record<DepthName, Depth>> = {
  /** In the normal test run: every moment of every workload, and restarts until each workload has its share of a million states. */
  normal: {
    writesMax: 6,
    changesMax: 6,
    tornBytesMax: 4096,
    tornStepBytes: 1,
    statesMax: 300,
    restarts: 1,
    perShape: 4,
    workloadMax: 25_500,
    restartsMin: 6_000,
    within: { writesMax: 4, changesMax: 5, tornBytesMax: 1024, tornStepBytes: 3, statesMax: 16 },
  },
  /** `--long`: deeper subsets, more restarts, and crashes in the restart after a crash in a restart; about an hour. */
  long: {
    writesMax: 10,
    changesMax: 8,
    tornBytesMax: Number.POSITIVE_INFINITY,
    tornStepBytes: 1,
    statesMax: 20_000,
    restarts: 2,
    perShape: 12,
    workloadMax: 400_000,
    restartsMin: 100_000,
    within: { writesMax: 6, changesMax: 6, tornBytesMax: 4096, tornStepBytes: 1, statesMax: 300 },
  },
  brief,
  /** In `npm test`: every moment of some workloads, with few restarts. */
  sample: { ...brief, workloadMax: 4_000, restartsMin: 500 },
};
