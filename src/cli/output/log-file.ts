/**
 * The log of a server in a file that can be renamed while the server runs: SIGHUP opens the path again, as logrotate expects. A file that cannot
 * be written stops no server: lines wait in memory, up to a limit, and the lost ones are counted.
 */
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { pino } from 'pino';
import { systemCode, systemMessage } from '../../lib/files/system-errors.ts';

/** Group may read it, for tools that collect logs. */
const mode = 0o640;

/** Lines that wait for a file that cannot be written, in bytes. */
const waitingBytesMax = 1024 * 1024;

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Create its folder first',
  EACCES: 'Make its folder writable for the user of the server',
  EROFS: 'Its file system is read-only; in a systemd unit, add its folder to ReadWritePaths=, or use LogsDirectory=',
  EISDIR: 'It is a folder: name a file in it',
};

/** The stream of pino (SonicBoom). */
type Stream = ReturnType<typeof pino.destination>;

export class LogFile {
  readonly #path: string;
  readonly #stream: Stream;
  readonly #say: (text: string) => void;
  /** Lines that were lost since the file could be written the last time. */
  #lost = 0;
  #isFailing = false;

  /**
   * Opens the file, or creates it. Throws an error that says what to do.
   *
   * @param say writes a line for people, once per failure: to standard error
   */
  constructor(path: string, say = (text: string): void => void process.stderr.write(`${text}\n`)) {
    this.#path = resolve(path);
    this.#say = say;
    try {
      this.#stream = pino.destination({ dest: this.#path, sync: true, mode, maxLength: waitingBytesMax });
    } catch (error) {
      throw new Error(
        `The log file ${this.#path} cannot be opened: ${systemMessage(error)}. ${remedies[systemCode(error) ?? ''] ?? 'Correct this'}, or name another file with --log-file.`,
      );
    }
    this.#stream.on('error', (error: unknown) => this.#failed(error));
    this.#stream.on('drop', () => {
      this.#lost++;
    });
    this.#stream.on('drain', () => this.#wrote());
  }

  write(line: string): void {
    this.#stream.write(line);
  }

  /** Opens the path again. If that fails, the file that is open gets the lines. */
  reopen(): void {
    try {
      // The stream reports a path that cannot be opened as a line that cannot be written.
      closeSync(openSync(this.#path, 'a', mode));
      this.#stream.reopen();
    } catch (error) {
      // It would close the file that is open, at the next reopening and once too often.
      this.#stream.removeAllListeners('ready');
      this.#say(
        `Cannot open the log file ${this.#path} again: ${systemMessage(error)}. The log goes on in the file that is open.`,
      );
    }
  }

  #failed(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#say(
      `Cannot write the log file ${this.#path}: ${systemMessage(error)}. The server goes on; up to 1 MiB of lines wait in memory, and later ones are lost.`,
    );
  }

  #wrote(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#say(`The log file ${this.#path} can be written again. Lines lost: ${this.#lost}.`);
    this.#lost = 0;
  }
}
