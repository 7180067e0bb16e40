/** How many answers a server gives per second to clients that ask again as soon as they are answered: by wrk, or else by autocannon. */

import type { Request, Target } from '../lib/ask.ts';
import { installed } from '../lib/child.ts';
import { processorUs } from '../lib/processor-time.ts';
import { volley } from '../scale/volley.ts';
import { autocannonLoad } from './autocannon.ts';
import { wrkLoad } from './wrk.ts';

export interface Load {
  /** Its processor time is measured if it has a process of its own. */
  readonly target: Target & { readonly pid?: number };
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

/** The same, with the server's processor time of one answer in microseconds, if it is known. */
export interface Measured extends Loaded {
  readonly usPerAnswer: number | undefined;
}

/** The shortest run of the load generators. */
const generatorSecondsMin = 1;

const generate = installed('wrk') ? wrkLoad : autocannonLoad;

/** Rejects when an answer was no success, or a connection failed. */
export async function sendLoad(load: Load): Promise<Measured> {
  const { pid } = load.target;
  const before = pid === undefined ? undefined : processorUs(pid);
  const loaded = await (load.seconds < generatorSecondsMin ? shortLoad(load) : generate(load));
  const after = pid === undefined ? undefined : processorUs(pid);
  const usPerAnswer = before === undefined || after === undefined ? undefined : (after - before) / loaded.answers;
  return { ...loaded, usPerAnswer };
}

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
