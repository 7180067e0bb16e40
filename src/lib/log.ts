/** How a part tells what happened: the part of pino's interface that is used. */

/** Writes one entry: what is to be searched for in `fields`, a sentence in `message`. Must not throw. */
export type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Log {
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}
