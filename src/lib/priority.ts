/** Threads that let others go first. */
import os from 'node:os';

const lowest = 19;

/** Argument of a thread that is to work like everybody else, not behind them. */
export const urgently = '--urgent';

/**
 * Gives the calling thread the lowest priority, for good: it cannot be raised again. On Linux only; elsewhere it would be the whole
 * process's.
 */
export function takeLowestPriority(): void {
  if (process.platform === 'linux') os.setPriority(0, lowest);
}
