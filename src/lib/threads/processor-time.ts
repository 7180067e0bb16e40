/** Processor time of one thread, read by another thread while the first one is busy. Wall time also counts what other programs use. */
import fs from 'node:fs';
import path from 'node:path';

/** Milliseconds of one tick of `utime` and `stime` (Linux shows 100 a second on every processor that Node supports). */
const tickMs = 10;

/** Number that the system gave the calling thread; `undefined` on systems without `/proc`. */
export function threadNumber(): number | undefined {
  try {
    return Number(path.basename(fs.readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/**
 * Processor time that a thread of this process has used, in milliseconds. Without a number it is that of the whole process, since Node 20
 * cannot read that of one thread: more, but nothing of other programs.
 */
export function processorMs(thread: number | undefined): number {
  try {
    if (thread !== undefined) return msInStat(fs.readFileSync(`/proc/self/task/${thread}/stat`, 'latin1'));
  } catch {
    // The thread has ended, or `/proc` is hidden.
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @param stat a line of proc(5), of a thread or a process; its name, in parentheses, may contain spaces */
export function msInStat(stat: string): number {
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tickMs;
}
