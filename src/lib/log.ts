/** How the engine tells what happened: the part of pino's interface that it uses. */
export type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

export interface Log {
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
}
