/** An index of a collection. That of a fork has only what the fork changed, and looks up the rest where the fork was made. */
export class LayeredMap<Value> {
  /** `undefined` for what is in the map below, and not there any more. */
  readonly #own = new Map<string, Value | undefined>();
  readonly #below: (() => LayeredMap<Value>) | undefined;

  /** @param below the index of the collection that was forked, which must not change while this one is used */
  constructor(below?: () => LayeredMap<Value>) {
    this.#below = below;
  }

  /** True if the answer for a key is not in the map below. */
  decides(key: string): boolean {
    return this.#below === undefined || this.#own.has(key);
  }

  get(key: string): Value | undefined {
    return this.#below === undefined || this.#own.has(key) ? this.#own.get(key) : this.#below().get(key);
  }

  set(key: string, value: Value): void {
    this.#own.set(key, value);
  }

  delete(key: string): void {
    if (this.#below === undefined) this.#own.delete(key);
    else this.#own.set(key, undefined);
  }
}
