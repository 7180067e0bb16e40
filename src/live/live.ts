/** The parts of a server that execute data sources, variables and actions. */
import type { LiveMaps } from './live-maps.ts';
import type { EvaluationRuns } from './runs/evaluation-runs.ts';
import type { LiveSources } from './sources/live-sources.ts';

export interface Live {
  readonly sources: LiveSources;
  readonly runs: EvaluationRuns;
  readonly maps: LiveMaps;
  /** Maximum size of one response, in bytes. */
  readonly responseBytesMax: number;
  /** How long an evaluation waits for data sources, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
