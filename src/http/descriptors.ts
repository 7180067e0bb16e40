/** The number of connections that fit into the file descriptor limit of the process; files need descriptors too. */
import { readFileSync } from 'node:fs';

/** Descriptors that connections leave for the journal, snapshots and whatever else is opened. */
const reserved = 200;

/** At most `wanted`, and fewer if the file descriptor limit of the process is lower. */
export function affordableConnections(wanted: number, limits = ownLimits()): number {
  const limit = descriptorLimit(limits);
  return limit === undefined ? wanted : Math.min(wanted, Math.max(1, limit - reserved));
}

/** How many descriptors this process may have; `undefined` where the system does not say. */
export function descriptorLimit(limits = ownLimits()): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? undefined : Number(soft);
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Only Linux has it.
    return '';
  }
}
