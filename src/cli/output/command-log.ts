/**
 * The log of a command: JSON lines for programs, formatted lines for people. It goes to stderr, so that stdout has only results, or to a file.
 */
import type { Log } from '../../lib/observability/logger.ts';
import { jsonLog, type LogLevel } from '../../server/telemetry/json-log.ts';
import { LogFile } from './log-file.ts';

interface LogOptions {
  /** By default `info`; on a terminal without request logs `warn`, because the command prints its results anyway. */
  readonly level?: LogLevel | undefined;
  /** Whether to format it for people; by default on a terminal. */
  readonly pretty?: boolean | undefined;
  readonly requests: boolean;
  /** Path of the file that gets the log instead of stderr. */
  readonly file?: string | undefined;
}

/** The log of a server. With a file, SIGHUP opens it again. Rejects if the file cannot be opened. */
export async function makeLog({ level, pretty, requests, file }: LogOptions): Promise<Log> {
  if (file !== undefined) {
    const logFile = new LogFile(file);
    process.on('SIGHUP', () => logFile.reopen());
    return jsonLog(level, pretty === true ? await prettyStream(logFile) : logFile);
  }
  const { isTTY = false } = process.stderr;
  const from = level ?? (isTTY && !requests ? 'warn' : 'info');
  return (pretty ?? isTTY) ? jsonLog(from, await prettyStream()) : jsonLog(from);
}

interface Lines {
  write(line: string): void;
}

/** Loads pino-pretty only when it is needed, because that takes a while. */
async function prettyStream(file?: Lines): Promise<Lines> {
  const { default: pretty } = await import('pino-pretty');
  const form = { singleLine: true, translateTime: 'SYS:HH:MM:ss.l' };
  if (file !== undefined) {
    const format = pretty.prettyFactory({ ...form, colorize: false });
    return { write: (line) => file.write(format(forPeople(line))) };
  }
  const stream = pretty({ ...form, destination: 2, sync: true });
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
