/** How many connections a process can afford: a connection is a descriptor, and files need some as well. */
import { readFileSync } from 'node:fs';

/** Descriptors that connections leave for the journal, snapshots and whatever else is opened. */
const reserved = 200;

/** At most `wanted`, and no more than the process may have descriptors for, where the system says how many that are. */
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
