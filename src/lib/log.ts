/** How a part tells what happened: the part of pino's interface that is used. */

/** Writes one entry: what is to be searched for in `fields`, a sentence in `message`. Must not throw. */
export type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Log {
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
  /** What the process does not survive; told as an error where there is none. */
  readonly fatal?: LogLine;
}

export function tellFatal(log: Log, fields: Readonly<Record<string, unknown>>, message: string): void {
  if (log.fatal === undefined) log.error(fields, message);
  else log.fatal(fields, message);
}

/** A host's log, of which nothing here depends: what it throws is a warning of the process, once. */
export function guarded(log: Log): Log {
  let warned = false;
  const line =
    (name: 'info' | 'warn' | 'error' | 'fatal'): LogLine =>
    (fields, message) => {
      try {
        log[name]?.(fields, message);
      } catch (error) {
        if (!warned) process.emitWarning(`the log that createServer was given throws: ${error}`, { type: 'MapwrightWarning' });
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
