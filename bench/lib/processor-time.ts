/** Processor time of another process, from Linux's `/proc`. */
import fs from 'node:fs';
import { msInStat } from '../../src/lib/threads/processor-time.ts';

/** Microseconds that all threads of a process have computed, its ended ones included; `undefined` on systems without `/proc`. */
export function processorUs(pid: number): number | undefined {
  try {
    return msInStat(fs.readFileSync(`/proc/${pid}/stat`, 'latin1')) * 1000;
  } catch {
    return undefined;
  }
}
