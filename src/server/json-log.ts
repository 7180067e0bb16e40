/**
 * The log as programs read it: pino's JSON lines, on stderr unless told otherwise, written before the call returns. Whatever a line is
 * made of, no key leaves the process in it.
 */
import { type DestinationStream, type Level, pino } from 'pino';
import type { Log } from '../lib/log.ts';
import { withoutKeys } from '../lib/secrets.ts';

/** From what tells most to nothing at all. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = Level | 'silent';

const stderrFd = 2;

export function jsonLog(
  level: LogLevel = 'info',
  stream: DestinationStream = pino.destination({ fd: stderrFd, sync: true }),
): Log {
  return pino({ base: null, level, hooks: { streamWrite: withoutKeys } }, stream) as Log;
}
