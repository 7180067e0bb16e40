/** Thread priorities. */
import os from 'node:os';

const lowest = 19;

/** Argument of a thread that must run at normal priority. */
export const urgently = '--urgent';

/**
 * Gives the calling thread the lowest priority, permanently: a thread cannot raise it again. On Linux only; elsewhere it would change
 * the whole process.
 */
export function takeLowestPriority(): void {
  if (process.platform === 'linux') os.setPriority(0, lowest);
}
