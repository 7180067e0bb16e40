/** Contents of files, each kept once and numbered: the same number means the same bytes. */
import { hash } from 'node:crypto';

export interface Content {
  readonly number: number;
  readonly bytes: Buffer;
}

export class Library {
  readonly #known = new Map<string, Content>();
  /** Bytes never change, so a buffer met before needs no second look. */
  readonly #buffers = new WeakMap<Buffer, Content>();

  content(bytes: Buffer): Content {
    const met = this.#buffers.get(bytes);
    if (met !== undefined) return met;
    const digest = hash('sha1', bytes, 'base64');
    let content = this.#known.get(digest);
    if (content === undefined) {
      content = { number: this.#known.size, bytes };
      this.#known.set(digest, content);
    }
    this.#buffers.set(bytes, content);
    return content;
  }
}
