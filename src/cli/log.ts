/** The log of a command: JSON lines when a program reads them, plain lines when a person does. On stderr, so stdout stays clean. */
import { pino } from 'pino';
import type { Log } from '../lib/log.ts';

export function makeLog(stream: NodeJS.WriteStream = process.stderr): Log {
  return stream.isTTY ? plainLog(stream) : (pino({ base: null }, pino.destination({ fd: 2, sync: true })) as Log);
}

/** A log that says nothing but warnings and errors: for commands that open a folder for a moment. */
export function quietLog(): Log {
  const { warn, error } = plainLog(process.stderr);
  return { info: () => undefined, warn, error };
}

function plainLog(stream: NodeJS.WriteStream): Log {
  const line = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    const words = Object.entries(fields).map(
      ([name, value]) => `${name}=${value instanceof Error ? value.message : String(value)}`,
    );
    stream.write(`${[level, message, ...words].join(' ').trim()}\n`);
  };
  return { info: line(''), warn: line('warning:'), error: line('error:') };
}
