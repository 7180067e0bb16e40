/** What this layer asks of a logger: the part of pino that it uses. */

/** Writes one entry: what is to be searched for in `fields`, a sentence in `message`. Must not throw. */
export type LogEntry = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Log {
  info: LogEntry;
  warn: LogEntry;
  error: LogEntry;
}
