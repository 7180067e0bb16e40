/** The logging interface: the part of pino's that is used. */

/** Writes one entry: searchable values in `fields`, a sentence in `message`. Must not throw. */
type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Log {
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
  /** An error that ends the process; logged as an error if the method is missing. */
  readonly fatal?: LogLine;
}

export function logFatal(log: Log, fields: Readonly<Record<string, unknown>>, message: string): void {
  if (log.fatal === undefined) log.error(fields, message);
  else log.fatal(fields, message);
}

/** Wraps a host's log, on which nothing must depend: the first exception becomes a process warning, later ones are ignored. */
export function safeLogger(log: Log): Log {
  let warned = false;
  const line =
    (name: 'info' | 'warn' | 'error' | 'fatal'): LogLine =>
    (fields, message) => {
      try {
        log[name]?.(fields, message);
      } catch (error) {
        if (!warned) process.emitWarning(`the log given to createServer threw an error: ${error}`, { type: 'MapwrightWarning' });
        warned = true;
      }
    };
  return {
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    ...(log.fatal === undefined ? {} : { fatal: line('fatal') }),
  };
}
