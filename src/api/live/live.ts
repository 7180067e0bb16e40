/** What the endpoints of data sources' responses and of evaluations need, and what they refuse where an operator has turned it off. */
import { Problem } from '../../http/problem.ts';
import type { LiveMaps } from '../../live/live-maps.ts';
import type { EvaluationRuns } from '../../live/runs/evaluation-runs.ts';
import type { LiveSources } from '../../live/sources/live-sources.ts';
import type { Api, Request } from '../declaration.ts';

/** The parts of a server that execute data sources, variables and actions. */
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

/** Throws a problem where an operator has disabled live maps. */
export function liveOf({ live }: Pick<Api, 'live'>, { method }: Pick<Request, 'method'>): Live {
  if (live !== undefined) return live;
  const code = method === 'GET' || method === 'HEAD' ? 'not_found' : 'forbidden';
  throw new Problem(code, 'Live maps are disabled on this server: its operator has set --no-live.');
}
