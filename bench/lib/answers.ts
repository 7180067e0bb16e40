/** Reads answers off a connection: HTTP/1.1, one after the other, bodies of a known length or in chunks. */

export interface Answered {
  readonly status: number;
  readonly body: Buffer;
}

interface Head {
  readonly status: number;
  /** Where the body begins. */
  readonly bodyAt: number;
  /** Bytes of the body; `undefined` when it comes in chunks. */
  readonly bodyBytes: number | undefined;
}

const bufferBytesMin = 65_536;
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

export class AnswerReader {
  #buffer: Buffer = Buffer.allocUnsafe(bufferBytesMin);
  #length = 0;
  /** Of the answer at the beginning of the buffer, once it is whole. */
  #head: Head | undefined;
  /** Where the next chunk of its body begins, and what was found of the body before. */
  #chunkAt = 0;
  #chunks: [from: number, to: number][] = [];

  push(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  /** The next answer, once all of it is there. Its body is a copy. */
  take(): Answered | undefined {
    this.#head ??= this.#readHead();
    if (this.#head === undefined) return undefined;
    const { status, bodyAt, bodyBytes } = this.#head;
    if (bodyBytes === undefined) return this.#takeChunked(status);
    const end = bodyAt + bodyBytes;
    if (this.#length < end) return undefined;
    const body = Buffer.from(this.#buffer.subarray(bodyAt, end));
    this.#drop(end);
    return { status, body };
  }

  #readHead(): Head | undefined {
    const end = this.#buffer.subarray(0, this.#length).indexOf(headEnd);
    if (end === -1) return undefined;
    const text = this.#buffer.toString('latin1', 0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
    const bodyAt = end + headEnd.length;
    if (/\r\ntransfer-encoding: chunked/i.test(text)) {
      this.#chunkAt = bodyAt;
      return { status, bodyAt, bodyBytes: undefined };
    }
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    if (Number.isNaN(status) || (length === undefined && status !== 204))
      throw new Error(`an answer of unknown length:\n${text}`);
    return { status, bodyAt, bodyBytes: Number(length ?? 0) };
  }

  #takeChunked(status: number): Answered | undefined {
    const there = this.#buffer.subarray(0, this.#length);
    for (;;) {
      const sizeEnd = there.indexOf(lineEnd, this.#chunkAt);
      if (sizeEnd === -1) return undefined;
      const size = Number.parseInt(there.toString('latin1', this.#chunkAt, sizeEnd), 16);
      const from = sizeEnd + lineEnd.length;
      const next = from + size + lineEnd.length;
      if (this.#length < next) return undefined;
      this.#chunkAt = next;
      if (size > 0) {
        this.#chunks.push([from, from + size]);
        continue;
      }
      const body = Buffer.concat(this.#chunks.map(([start, end]) => there.subarray(start, end)));
      this.#drop(next);
      return { status, body };
    }
  }

  #drop(end: number): void {
    this.#buffer.copyWithin(0, end, this.#length);
    this.#length -= end;
    this.#head = undefined;
    this.#chunks = [];
  }
}
