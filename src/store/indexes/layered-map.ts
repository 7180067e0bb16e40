/**
 * Finds the rank of a member of a collection whose identifiers do not ascend with ranks. The index of a fork has only what the fork changed, and
 * looks up the rest where the fork was made.
 */
export class RankIndex {
  /** By identifier; `undefined` for a member of the collection below that is not there any more. */
  readonly #ranks = new Map<string, number | undefined>();
  readonly #below: (() => RankIndex) | undefined;

  /** @param below the index of the collection that was forked, which must not change while this one is used */
  constructor(below?: () => RankIndex) {
    this.#below = below;
  }

  rankOf(id: string): number | undefined {
    return this.#below === undefined || this.#ranks.has(id) ? this.#ranks.get(id) : this.#below().rankOf(id);
  }

  set(id: string, rank: number): void {
    this.#ranks.set(id, rank);
  }

  delete(id: string): void {
    if (this.#below === undefined) this.#ranks.delete(id);
    else this.#ranks.set(id, undefined);
  }
}

/** Memory of one member in an index, in bytes: an entry of a map, and the identifier. */
export const rankBytes = 100;
