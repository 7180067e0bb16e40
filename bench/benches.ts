/** Every bench, in the order of the table. */
import { benchesOfChanging } from './http/change.ts';
import { benchesOfClusters } from './http/cluster.ts';
import { besideEvaluations } from './http/evaluate.ts';
import { pictures } from './http/files.ts';
import { hostile } from './http/hostile.ts';
import { inProcess } from './http/in-process.ts';
import { pacedGet, pacedPost } from './http/latency.ts';
import { liveMap } from './http/live-map.ts';
import { publishedMaps } from './http/published.ts';
import { benchesOfReading } from './http/read.ts';
import { equalStarts } from './http/starts.ts';
import { whileVersions } from './http/versions.ts';
import { visits } from './http/visits.ts';
import { benchesOfCreating } from './http/write.ts';
import { viewerPages } from './pages/viewer.ts';
import type { Bench } from './row.ts';
import { benchesOfScale } from './scale/benches.ts';

export const benches: readonly Bench[] = [
  ...benchesOfReading,
  ...publishedMaps,
  inProcess,
  equalStarts,
  ...benchesOfCreating,
  ...benchesOfChanging,
  ...benchesOfClusters,
  pacedGet,
  pacedPost,
  liveMap,
  visits,
  besideEvaluations,
  whileVersions,
  pictures,
  ...hostile,
  ...benchesOfScale,
  viewerPages,
];
