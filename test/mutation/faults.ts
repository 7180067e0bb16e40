/** Faults at interfaces, by what they do. A seed that has one leaves the sources of `src` alone, and survives any change behind the interface. */
import { accessFaults } from './faults/access.ts';
import { blobFaults } from './faults/blobs.ts';
import { clusterFaults } from './faults/cluster.ts';
import { diskFaults } from './faults/disk.ts';
import { engineFaults } from './faults/engine.ts';
import { httpFaults } from './faults/http.ts';
import { liveFaults } from './faults/live.ts';
import { logFaults } from './faults/log.ts';
import { pageFaults } from './faults/pages.ts';
import { snapshotFaults } from './faults/snapshots.ts';

export const faults = {
  ...diskFaults,
  ...logFaults,
  ...snapshotFaults,
  ...blobFaults,
  ...engineFaults,
  ...clusterFaults,
  ...liveFaults,
  ...httpFaults,
  ...accessFaults,
  ...pageFaults,
} as const;

export type FaultName = keyof typeof faults;
