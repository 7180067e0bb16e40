/** Reads `text/event-stream` (WHATWG HTML, 9.2), in whatever pieces it comes. */

/** What stands between two empty lines. */
export interface Block {
  /** '' where it is no event, but moves the place to go on from, or is a sign of life. */
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
  /** Milliseconds after which to come again. */
  readonly retryMs: number | undefined;
}

type Building = { -readonly [Name in keyof Block]: Block[Name] };

/** Characters that a block may have: an event has what it is about, which is no larger than a body may be. */
const lengthMax = 64 * 2 ** 20;

export class EventLines {
  /** The line that is not whole yet. Its beginning is not looked at again when more of it comes: it may be megabytes. */
  #line = '';
  #block: Building = emptyBlock();

  /** More has come without an end than there can be of one block. */
  get isTooLong(): boolean {
    return this.#line.length + this.#block.data.length > lengthMax;
  }

  /** The blocks that are whole with this piece of text. */
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

const emptyBlock = (): Building => ({ event: '', data: '', id: undefined, retryMs: undefined });
