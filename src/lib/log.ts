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
