/** How many answers a server gives per second to clients that ask again as soon as they are answered: by wrk, or else by autocannon. */

import type { Request, Target } from '../lib/ask.ts';
import { installed } from '../lib/child.ts';
import { autocannonRate } from './autocannon.ts';
import { wrkRate } from './wrk.ts';

export interface Load {
  readonly target: Target;
  /** Sent one after the other, from the first again after the last, by whichever connection is free. */
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly seconds: number;
}

/** Answers per second. Rejects when one of them was no success, or a connection failed. */
export const throughput: (load: Load) => Promise<number> = installed('wrk') ? wrkRate : autocannonRate;
