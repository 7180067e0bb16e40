/** What a reader must know of the machine, and no more of it. */
import os from 'node:os';
import { installed } from '../lib/child.ts';
import { coreCount, pins } from '../lib/pin.ts';

export function machine(): string {
  const gigabytes = Math.round(os.totalmem() / 2 ** 30);
  const what = `${coreCount} cores, ${gigabytes} GiB, ${os.type()} ${os.release().replace(/-.*/, '')}, ${os.arch()}, Node ${process.version}`;
  const where = pins ? 'servers on one core, load on another' : 'servers and load on the same cores';
  return `${what}; ${where}; load by ${installed('wrk') ? 'wrk' : 'autocannon'}`;
}
