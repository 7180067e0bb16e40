/** The log of a command: JSON lines for programs, formatted lines for people. It goes to stderr, so that stdout has only results. */
import type { Log } from '../../lib/observability/logger.ts';
import { jsonLog, type LogLevel } from '../../server/telemetry/json-log.ts';

interface LogOptions {
  /** By default `info`; on a terminal without request logs `warn`, because the command prints its results anyway. */
  readonly level?: LogLevel | undefined;
  /** Whether to format it for people; by default on a terminal. */
  readonly pretty?: boolean | undefined;
  readonly requests: boolean;
}

/** The log of a server. */
export async function makeLog({ level, pretty, requests }: LogOptions): Promise<Log> {
  const { isTTY = false } = process.stderr;
  const from = level ?? (isTTY && !requests ? 'warn' : 'info');
  return (pretty ?? isTTY) ? jsonLog(from, await prettyStream()) : jsonLog(from);
}

/** Loads pino-pretty only when it is needed, because that takes a while. */
async function prettyStream(): Promise<{ write(line: string): void }> {
  const { default: pretty } = await import('pino-pretty');
  const stream = pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => void stream.write(forPeople(line)) };
}

/** Shortens the entry of a request to one readable line. */
function forPeople(line: string): string {
  if (!line.includes('"msg":"request"')) return line;
  const { method, path, route, status, complete, durationMs, account, key, msg, ...rest } = JSON.parse(line) as Readonly<
    Record<string, unknown>
  >;
  const who = account === '' ? {} : { account, key };
  const end = complete === true ? '' : ', response incomplete';
  return `${JSON.stringify({ ...rest, ...who, msg: `${method} ${path} ${status} ${durationMs} ms${end}` })}\n`;
}

/** A log of only warnings and errors in plain lines, for commands that open a folder briefly. */
export function quietLog(): Log {
  const line = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    const words = Object.entries(fields).map(
      ([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`,
    );
    process.stderr.write(`${[level, message, ...words].join(' ').trim()}\n`);
  };
  return { info: () => undefined, warn: line('warning:'), error: line('error:') };
}
