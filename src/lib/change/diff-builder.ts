/** Makes a diff of what is to be done in a state, one change after the other. */
import { add, type Diff, type Members, type ResourceChange, type Side, type State } from './diff.ts';
import type { Kinds } from './rebase.ts';
import { sameJson } from './same-json.ts';

interface BuiltOrder {
  readonly from: readonly string[];
  to: string[];
}

export class DiffBuilder {
  readonly #state: State;
  readonly #kinds: Kinds;
  readonly #newId: () => string;
  readonly #changes = new Map<string, ResourceChange>();
  readonly #orders = new Map<string, BuiltOrder>();
  readonly #gone = new Map<string, Set<string>>();

  constructor(state: State, kinds: Kinds, newId: () => string) {
    this.#state = state;
    this.#kinds = kinds;
    this.#newId = newId;
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  get diff(): Diff {
    for (const [collection, gone] of this.#gone) {
      const order = this.#orderOf(collection);
      order.to = order.to.filter((id) => !gone.has(id));
    }
    this.#gone.clear();
    return { changes: this.#changes, orders: this.#orders };
  }

  /** Changes members of a resource, as far as they differ. @param from the values that they replace, if not those of the state */
  put(id: string, members: Members, from: Members = {}): this {
    const present = this.#state.get(id);
    if (present === undefined) return this;
    const before: Record<string, unknown> = {};
    const changed: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(members)) {
      const base = Object.hasOwn(from, name) ? from[name] : present.members[name];
      if (sameJson(base, value)) continue;
      before[name] = base;
      changed[name] = value;
    }
    if (Object.keys(changed).length > 0)
      add(this.#changes, { id, from: { in: present.in, members: before }, to: { in: present.in, members: changed } });
    return this;
  }

  /** Creates a resource. @param place its index in the collection; without it the last @returns its identifier */
  create(collection: string, members: Members, { id = this.#newId(), place }: { id?: string; place?: number } = {}): string {
    const { to } = this.#orderOf(collection);
    to.splice(place ?? to.length, 0, id);
    add(this.#changes, { id, from: undefined, to: { in: collection, members } });
    return id;
  }

  /** Removes a resource with everything in it. */
  remove(id: string): this {
    const present = this.#state.get(id);
    if (present === undefined) return this;
    const inside = this.#kinds.inside(id, present.in);
    for (const each of inside === undefined ? [] : this.#state.ids(inside)) this.#leave(each, this.#state.get(each) as Side);
    return this.#leave(id, present);
  }

  #leave(id: string, present: Side): this {
    this.#goneFrom(present.in).add(id);
    add(this.#changes, { id, from: present, to: undefined });
    return this;
  }

  /** Gives some resources of a collection the places that they have in an order. */
  place(collection: string, order: readonly string[], placed: ReadonlySet<string>): this {
    const built = this.#orderOf(collection);
    if (order.every((id, at) => id === built.to[at])) return this;
    built.to = [...order];
    const side: Side = { in: collection, members: {} };
    for (const id of placed) add(this.#changes, { id, from: side, to: side, isPlaced: true });
    return this;
  }

  /** Moves a resource to the end of another collection. */
  move(id: string, collection: string): this {
    const present = this.#state.get(id);
    if (present === undefined || present.in === collection) return this;
    this.#goneFrom(present.in).add(id);
    this.#orderOf(collection).to.push(id);
    add(this.#changes, { id, from: { in: present.in, members: {} }, to: { in: collection, members: {} } });
    return this;
  }

  #orderOf(collection: string): BuiltOrder {
    let order = this.#orders.get(collection);
    if (order === undefined) {
      const from = [...this.#state.ids(collection)];
      order = { from, to: [...from] };
      this.#orders.set(collection, order);
    }
    return order;
  }

  #goneFrom(collection: string): Set<string> {
    let gone = this.#gone.get(collection);
    if (gone === undefined) {
      gone = new Set();
      this.#gone.set(collection, gone);
    }
    return gone;
  }
}
