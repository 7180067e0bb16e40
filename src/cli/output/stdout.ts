/** Standard output: JSON for programs, and pipes whose reader ends early (`| head`). */

import { exitCodes } from './exit-codes.ts';

/** Ends the command after a broken pipe. */
let end = (): void => process.exit();

/** Makes the command exit quietly, with its current exit code, when the reader of its output has ended. */
export function exitOnBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return end();
    process.stderr.write(`Cannot write to standard output (${error.code ?? error.message}). The output is incomplete.\n`);
    process.exit(exitCodes.failed);
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Sets the work to finish before the exit on a broken pipe. */
export function beforeBrokenPipeExit(finish: () => Promise<void>): void {
  end = () => {
    end = () => undefined;
    finish().then(
      () => process.exit(),
      () => process.exit(1),
    );
  };
}

/** Prints one JSON document. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints one JSON document on one line. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
