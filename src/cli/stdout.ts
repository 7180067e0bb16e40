/** Standard output: JSON for programs, and a reader who may go away (`| head`). */

import { exitCodes } from './exit-codes.ts';

/** What happens then: the command ends, quietly. */
let end = (): void => process.exit();

/** Has the command end, with the exit code that it has so far, when nobody reads its output any more. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return end();
    process.stderr.write(`Standard output takes nothing more (${error.code ?? error.message}): what was printed is not all.\n`);
    process.exit(exitCodes.failed);
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** What has to be done before the end when the reader goes away. */
export function beforeThat(finish: () => Promise<void>): void {
  end = () => {
    end = () => undefined;
    finish().then(
      () => process.exit(),
      () => process.exit(1),
    );
  };
}

/** One JSON document, as long as it is. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** One of many, on a line of its own. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
