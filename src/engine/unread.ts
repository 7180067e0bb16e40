/**
 * Texts that not all who follow have taken yet. Each is held once, however many wait for it; what it costs is counted, so that a follower
 * who does not take what comes cannot make the others' texts pile up without bound.
 */

/** What a text costs beside its bytes, and what each who waits for it costs, in bytes. */
const textBytes = 200;
const waiterBytes = 16;

export class Text {
  readonly lsn: number;
  readonly bytes: Buffer;
  /** Nothing comes after it for who follows its project alone. */
  readonly isLast: boolean;
  waiters = 0;

  constructor(lsn: number, bytes: Buffer, isLast: boolean) {
    this.lsn = lsn;
    this.bytes = bytes;
    this.isLast = isLast;
  }
}

export class Unread {
  bytes = 0;
  /** In the order in which they were first waited for. */
  readonly #texts = new Set<Text>();

  /** The text that has waited longest; `undefined` when there is at most one. */
  get oldest(): Text | undefined {
    return this.#texts.size > 1 ? this.#texts.values().next().value : undefined;
  }

  hold(text: Text): void {
    if (text.waiters++ === 0) {
      this.#texts.add(text);
      this.bytes += text.bytes.length + textBytes;
    }
    this.bytes += waiterBytes;
  }

  release(text: Text): void {
    this.bytes -= waiterBytes;
    if (--text.waiters > 0) return;
    this.#texts.delete(text);
    this.bytes -= text.bytes.length + textBytes;
  }
}
