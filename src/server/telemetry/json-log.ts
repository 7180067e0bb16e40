/**
 * The default log: pino's JSON lines, on stderr unless configured otherwise, written synchronously. Every line is redacted, so that no key
 * gets into the log.
 */
import { type DestinationStream, type Level, pino } from 'pino';
import type { Log } from '../../lib/observability/logger.ts';
import { redactKeys } from '../../lib/text/redact.ts';

/** From most to least verbose. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = Level | 'silent';

const stderrFd = 2;

export function jsonLog(
  level: LogLevel = 'info',
  stream: DestinationStream = pino.destination({ fd: stderrFd, sync: true }),
): Log {
  return pino({ base: null, level, hooks: { streamWrite: redactKeys } }, stream) as Log;
}
