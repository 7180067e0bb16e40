/** Parses `text/event-stream` (WHATWG HTML, 9.2) from pieces of text. */

/** The fields between two empty lines. */
export interface Block {
  /** '' for a block that is no event: a heartbeat, or only a new position. */
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
  /** Delay before a reconnect, in milliseconds. */
  readonly retryMs: number | undefined;
}

type MutableBlock = { -readonly [Name in keyof Block]: Block[Name] };

/** Maximum length of a block, in characters. An event holds one resource, which is no larger than a request body. */
const lengthMax = 64 * 2 ** 20;

export class EventLines {
  /** The incomplete last line. It may be megabytes long, so it is not searched again when more text arrives. */
  #line = '';
  #block: MutableBlock = emptyBlock();

  /** Whether the current block exceeds the maximum length. */
  get isTooLong(): boolean {
    return this.#line.length + this.#block.data.length > lengthMax;
  }

  /** Adds text, and returns the blocks that it completes. */
  *take(text: string): Generator<Block, void> {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      const line = (this.#line + text.slice(start, end)).replace(/\r$/, '');
      this.#line = '';
      start = end + 1;
      if (line !== '') this.#take(line);
      else {
        yield this.#block;
        this.#block = emptyBlock();
      }
    }
    this.#line += text.slice(start);
  }

  #take(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    const block = this.#block;
    if (name === 'event') block.event = value;
    else if (name === 'data') block.data += block.data === '' ? value : `\n${value}`;
    else if (name === 'id') block.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) block.retryMs = Number(value);
  }
}

const emptyBlock = (): MutableBlock => ({ event: '', data: '', id: undefined, retryMs: undefined });
