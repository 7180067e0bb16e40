/** How many answers a server gives per second to clients that ask again as soon as they are answered: by wrk, or else by autocannon. */

import type { Request, Target } from '../lib/ask.ts';
import { installed } from '../lib/child.ts';
import { volley } from '../scale/volley.ts';
import { autocannonLoad } from './autocannon.ts';
import { wrkLoad } from './wrk.ts';

export interface Load {
  readonly target: Target;
  /** Sent one after the other, from the first again after the last, by whichever connection is free. */
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly seconds: number;
}

/** What came of a load. */
export interface Loaded {
  /** Answers that were read whole. As many requests as there are connections may have been carried out besides. */
  readonly answers: number;
  readonly perSecond: number;
}

/** The shortest run of the load generators. */
const generatorSecondsMin = 1;

const generate = installed('wrk') ? wrkLoad : autocannonLoad;

/** Rejects when an answer was no success, or a connection failed. */
export const sendLoad = (load: Load): Promise<Loaded> => (load.seconds < generatorSecondsMin ? shortLoad(load) : generate(load));

/** Answers per second. Rejects as {@link sendLoad} does. */
export const throughput = async (load: Load): Promise<number> => (await sendLoad(load)).perSecond;

/** All of the requests, once or more often. */
async function shortLoad({ target, requests, connections, seconds }: Load): Promise<Loaded> {
  let answers = 0;
  let taken = 0;
  while (taken === 0 || taken < seconds) {
    taken += await volley(target, requests, connections);
    answers += requests.length;
  }
  return { answers, perSecond: answers / taken };
}
