/** Thread priorities. */
import os from 'node:os';

/** Niceness: a busy thread at 10 gets a tenth of what one at 0 gets on the same core, a thread at 19 a seventieth. */
const niceness = { low: 10, lowest: 19 };

/** Argument of a thread that must run at normal priority. */
export const urgently = '--urgent';

/**
 * Gives the calling thread a lower priority, permanently: a thread cannot raise it again. On Linux only; elsewhere it would change
 * the whole process.
 */
export function takePriority(priority: keyof typeof niceness): void {
  if (process.platform === 'linux') os.setPriority(0, niceness[priority]);
}
