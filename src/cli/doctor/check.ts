/** The interface of a check by `mapwright doctor`, and its possible results. */
import fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ServeArguments } from '../commands/serve/serve-options.ts';

/** `fail`: a server would not start, or would lose or refuse something. `warn`: it would run, but with a risk. */
export type CheckVerdict = 'ok' | 'warn' | 'fail';

export interface CheckFinding {
  readonly verdict: CheckVerdict;
  /** The finding, in a few words. */
  readonly found: string;
  /** What to do; `undefined` if there is nothing to do. */
  readonly advice?: string;
}

export interface Check {
  readonly name: string;
  run(asked: CheckContext): CheckFinding | Promise<CheckFinding>;
}

/** The options of the server to check, and the start time of the checks. */
export interface CheckContext extends ServeArguments {
  readonly startedAt: { readonly wallMs: number; readonly monotonicMs: number };
  /** A systemd unit. */
  readonly unit: string | undefined;
}

export const ok = (found: string): CheckFinding => ({ verdict: 'ok', found });
export const warn = (found: string, advice: string): CheckFinding => ({ verdict: 'warn', found, advice });
export const fail = (found: string, advice: string): CheckFinding => ({ verdict: 'fail', found, advice });

/** The folder itself, or its nearest existing parent. */
export function nearestFolder(folder: string): string {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (fs.statSync(path, { throwIfNoEntry: false }) !== undefined || path === dirname(path)) return path;
  }
}

/** Whether this user may read and write at a path; for a folder, add `X_OK`. */
export function isAccessible(path: string, bits = fs.constants.R_OK | fs.constants.W_OK): boolean {
  try {
    fs.accessSync(path, bits);
    return true;
  } catch {
    return false;
  }
}

/** Formats a duration in its largest fitting unit. */
export function span(ms: number): string {
  const units = [
    [86_400_000, 'days'],
    [3_600_000, 'hours'],
    [60_000, 'minutes'],
  ] as const;
  const [unit, name] = units.find(([each]) => ms >= 2 * each) ?? [1000, 'seconds'];
  return `${Math.round(ms / unit)} ${name}`;
}
