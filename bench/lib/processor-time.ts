/** Processor time of another process, from Linux's `/proc`. */
import fs from 'node:fs';

/** Microseconds of one tick of `utime` and `stime`. */
const tickUs = 10_000;

/** Microseconds that all threads of a process have computed, its ended ones included; `undefined` on systems without `/proc`. */
export function processorUs(pid: number): number | undefined {
  let stat: string;
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // utime and stime of proc(5); the name before them, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickUs;
}
