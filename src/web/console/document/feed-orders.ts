/**
 * The orders of collections that requests of this page have changed before the feed has brought what others did earlier. Where that is among
 * the own changes, only the feed can say: it has all of them in their order.
 */
export class FeedOrders {
  /** Identifiers as the feed has them, and the number of the newest own record. */
  readonly #early = new Map<string, { ids: readonly string[]; until: number }>();

  /** A request of this page changes a collection. @param ids before that, if the feed has brought all of it */
  begin(collection: string, ids: readonly string[], number: number): void {
    this.#early.set(collection, { ids: this.#early.get(collection)?.ids ?? [...ids], until: number });
  }

  /** The feed changes a collection. */
  change(collection: string, changed: (ids: readonly string[]) => readonly string[]): void {
    const early = this.#early.get(collection);
    if (early !== undefined) early.ids = changed(early.ids);
  }

  /** The feed has brought everything up to a number. The collections whose order it has now. */
  reached(number: number): readonly (readonly [collection: string, ids: readonly string[]])[] {
    const known = [...this.#early].filter(([, { until }]) => until <= number);
    for (const [collection] of known) this.#early.delete(collection);
    return known.map(([collection, { ids }]) => [collection, ids]);
  }

  clear(): void {
    this.#early.clear();
  }
}

/** Identifiers with one in another place, or a new one. @param before `null` for the last place */
export function withPlace(ids: readonly string[], id: string, before: string | null): readonly string[] {
  const others = ids.filter((each) => each !== id);
  const at = before === null ? -1 : others.indexOf(before);
  return at === -1 ? [...others, id] : others.toSpliced(at, 0, id);
}
