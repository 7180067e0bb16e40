/**
 * Finds the member of a collection that has a key. An index of a collection is built on its first use and maintained from then on.
 */
import type { Value } from '../../model/value.ts';
import { flat } from './id-index.ts';
import { LayeredMap } from './layered-map.ts';

/** The member that holds keys; see the schema of objects. */
const keyMember = 'key';

const keyOf = (value: Value | undefined): string => (value?.[keyMember] as string | undefined) ?? '';

export class KeyIndex {
  /** Identifiers by key. */
  readonly #ids: LayeredMap<string>;

  /** @param below the index of the collection that was forked, which must not change while this one is used */
  constructor(below?: () => KeyIndex) {
    this.#ids = new LayeredMap(below && (() => below().#ids));
  }

  /** The identifier of the member with a key; `undefined` if there is none. */
  idOf(key: string): string | undefined {
    return this.#ids.get(key);
  }

  /** Records that a member was put or deleted. */
  replace(before: Value | undefined, after: Value | undefined): void {
    const [old, key] = [keyOf(before), keyOf(after)];
    if (old === key) return;
    if (old !== '' && this.#has(old, before)) this.#ids.delete(old);
    if (key !== '') this.#ids.set(flat(key), flat(after?.id as string));
  }

  /**
   * Whether a key is that of a member. Another one may have taken it already: the writes of one change have no order. A key that a fork has
   * not recorded is below, of the same member, so that a deletion builds no index there.
   */
  #has(key: string, member: Value | undefined): boolean {
    if (!this.#ids.decides(key)) return true;
    return this.#ids.get(key) === member?.id;
  }
}
