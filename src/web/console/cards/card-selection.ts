/** Which cards are selected. */
import { signal } from '@preact/signals';

/** The identifiers from one to another, in their order; only the second one if the first is not among them. */
export function rangeOf(ids: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)];
  return a < 0 || b < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

export class CardSelection {
  readonly ids = signal<ReadonlySet<string>>(new Set());
  /** Where a range begins. */
  #anchor = '';

  /** Selects a card in addition, or not any more. */
  toggle(id: string): void {
    const ids = new Set(this.ids.value);
    if (!ids.delete(id)) ids.add(id);
    this.#anchor = id;
    this.ids.value = ids;
  }

  /** Selects in addition the cards from the one that was chosen last. @param shown all cards in their order */
  extend(shown: readonly string[], id: string): void {
    this.set([...this.ids.value, ...rangeOf(shown, this.#anchor, id)]);
  }

  set(ids: Iterable<string>): void {
    this.ids.value = new Set(ids);
  }

  clear(): void {
    if (this.ids.value.size > 0) this.set([]);
  }
}
