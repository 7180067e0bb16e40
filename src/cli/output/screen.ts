/**
 * A full-screen terminal view, redrawn repeatedly on the alternate screen. The previous contents and the cursor come back however the
 * command ends.
 */
const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const home = '\u001b[H';
const clearLine = '\u001b[K';
const clearRest = '\u001b[J';
const interrupt = '\u0003';

export class Screen {
  readonly #stream: NodeJS.WriteStream;
  readonly #onEnd: () => void;
  #open = true;

  /** @param onEnd called when the user quits: `q`, Ctrl-C, or a signal */
  constructor(stream: NodeJS.WriteStream, onEnd: () => void) {
    this.#stream = stream;
    this.#onEnd = onEnd;
    stream.write(enter);
    process.once('exit', this.#restore);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onEnd);
    if (process.stdin.isTTY) process.stdin.setRawMode(true).on('data', this.#onKey).resume();
  }

  get columns(): number {
    return this.#stream.columns > 0 ? this.#stream.columns : 80;
  }

  get rows(): number {
    return this.#stream.rows > 0 ? this.#stream.rows : 24;
  }

  /** Replaces the lines on the screen. No line may exceed the width of the terminal. */
  draw(lines: readonly string[]): void {
    if (this.#open) this.#stream.write(`${home}${lines.map((line) => line + clearLine).join('\n')}${clearRest}`);
  }

  close(): void {
    this.#restore();
    process.off('exit', this.#restore);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, this.#onEnd);
  }

  readonly #onKey = (keys: Buffer): void => {
    if (/[qQ]/.test(keys.toString()) || keys.includes(interrupt)) this.#onEnd();
  };

  readonly #restore = (): void => {
    if (!this.#open) return;
    this.#open = false;
    if (process.stdin.isTTY) process.stdin.off('data', this.#onKey).setRawMode(false).pause();
    this.#stream.write(leave);
  };
}
