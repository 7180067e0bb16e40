/**
 * Who runs where: every server, with its threads and with the database behind it, on one core; what loads them on another. So a side is
 * measured by what it does with one core, and the load takes nothing from it.
 */
import { spawnSync } from 'node:child_process';
import os from 'node:os';

/** Cores that this process may run on, or none if `taskset` cannot say. Linux only. */
function allowedCores(): number[] {
  const { status, stdout } = spawnSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' });
  if (status !== 0) return [];
  const list = stdout.slice(stdout.lastIndexOf(':') + 1).trim();
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

const cores = allowedCores();
const [serverCore, loadCore] = cores;

/** How many cores there were for servers and load together, before this process was moved to one of them. */
export const coreCount = cores.length > 0 ? cores.length : os.availableParallelism();

/** Whether servers and load are kept apart. */
export const pins = loadCore !== undefined;

/** The command, to be run on the core of the servers. */
export const onServerCore = (command: readonly string[]): string[] =>
  pins ? ['taskset', '-c', String(serverCore), ...command] : [...command];

/** The command, to be run on all cores: for a program that measures itself. */
export const onAllCores = (command: readonly string[]): string[] =>
  pins ? ['taskset', '-c', cores.join(','), ...command] : [...command];

/** Moves this process, and whatever it starts from now on that is not put elsewhere, to the core of the load. */
export function moveToLoadCore(): void {
  if (pins) spawnSync('taskset', ['-acp', String(loadCore), String(process.pid)]);
}
