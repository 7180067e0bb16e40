/**
 * A change of a state that can be taken back and joined with the next one. A state has resources in ordered collections. A diff has what each
 * resource was and what it becomes, and the orders of the collections in which it adds, removes or places something.
 *
 *     put      a resource is created, or members of it change     no `from`, or both sides
 *     remove   it is there no longer                              no `to`
 *     place    it gets another place in its collection            `isPlaced`
 *     move     it gets into another collection                    the sides have different collections
 */
import { sameJson } from './same-json.ts';

export type Members = Readonly<Record<string, unknown>>;

/** A resource before or after a change. */
export interface Side {
  /** The name of its collection. */
  readonly in: string;
  /** Without its identifier: all if there is no other side, otherwise those that change; `undefined` for one that is not there. */
  readonly members: Members;
}

export interface ResourceChange {
  readonly id: string;
  readonly from: Side | undefined;
  readonly to: Side | undefined;
  /** It gets another place, although it stays in its collection. */
  readonly isPlaced?: boolean;
}

/** Identifiers of a collection before and after a diff. */
export interface Order {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

export interface Diff {
  readonly changes: ReadonlyMap<string, ResourceChange>;
  /** By collection. */
  readonly orders: ReadonlyMap<string, Order>;
}

export const emptyDiff: Diff = { changes: new Map(), orders: new Map() };

export interface State {
  /** `undefined`: there is none. */
  get(id: string): Side | undefined;
  ids(collection: string): readonly string[];
}

export interface MutableState extends State {
  /** Creates a resource, or gives it these members and this collection. A new one is the last. */
  put(id: string, side: Side): void;
  remove(id: string): void;
  /** Takes an order of the same identifiers. */
  order(collection: string, ids: readonly string[]): void;
}

/** True if a change gives a resource a place in a collection. */
export const isPlacing = ({ from, to, isPlaced }: ResourceChange): boolean =>
  to !== undefined && (isPlaced === true || from?.in !== to.in);

/** Carries a diff out. What is not in its orders any more, or not yet, keeps its place among its neighbours. */
export function apply(state: MutableState, { changes, orders }: Diff): void {
  for (const { id, to } of changes.values())
    if (to === undefined) state.remove(id);
    else state.put(id, { in: to.in, members: withMembers(state.get(id)?.members ?? {}, to.members) });
  for (const [collection, { to }] of orders)
    state.order(collection, arranged(state.ids(collection), to, placedIn(changes, collection)));
}

/** Members with others; `undefined` removes one. */
export function withMembers(before: Members, changed: Members): Members {
  const members = { ...before, ...changed };
  for (const [name, value] of Object.entries(changed)) if (value === undefined) delete members[name];
  return members;
}

/** Identifiers that get a place in a collection. */
export function placedIn(changes: Diff['changes'], collection: string): ReadonlySet<string> {
  const placed = new Set<string>();
  for (const change of changes.values()) if (change.to?.in === collection && isPlacing(change)) placed.add(change.id);
  return placed;
}

/** Gives some identifiers of a collection the places that they have in an order: each after the nearest one before it that is there. */
export function arranged(ids: readonly string[], order: readonly string[], placed: ReadonlySet<string>): readonly string[] {
  const others = ids.filter((id) => !placed.has(id));
  const present = new Set(ids);
  const staying = new Set(others);
  const following = new Map<string, string[]>();
  let leading: string[] = [];
  let last: string[] = leading;
  let first: string | undefined;
  for (const id of order) {
    if (staying.has(id)) {
      first ??= id;
      last = [];
      following.set(id, last);
    } else if (placed.has(id) && present.has(id)) last.push(id);
  }
  const result: string[] = [];
  for (const id of others) {
    if (id === first) {
      result.push(...leading);
      leading = [];
    }
    result.push(id);
    for (const each of following.get(id) ?? []) result.push(each);
  }
  return [...result, ...leading];
}

/** Makes the diff that takes one back. */
export function invert({ changes, orders }: Diff): Diff {
  const inverse = [...changes.values()].reverse().map((change) => ({ ...change, from: change.to, to: change.from }));
  return {
    changes: new Map(inverse.map((change) => [change.id, change])),
    orders: new Map([...orders].map(([collection, { from, to }]) => [collection, { from: to, to: from }])),
  };
}

/** Makes one diff of two that follow each other. */
export function squash(first: Diff, next: Diff): Diff {
  const joined = { changes: new Map(first.changes), orders: new Map(first.orders) };
  squashInto(joined, next);
  return joined;
}

/** {@link squash}, without copying the first one. */
export function squashInto(first: { changes: Map<string, ResourceChange>; orders: Map<string, Order> }, next: Diff): void {
  for (const change of next.changes.values()) add(first.changes, change);
  for (const [collection, { from, to }] of next.orders)
    first.orders.set(collection, { from: first.orders.get(collection)?.from ?? from, to });
}

/** Adds a change to those that were made before it. */
export function add(changes: Map<string, ResourceChange>, change: ResourceChange): void {
  const { id } = change;
  const before = changes.get(id);
  changes.delete(id);
  const joined = before === undefined ? change : joinedChange(before, change);
  if (joined !== undefined) changes.set(id, joined);
}

/** Makes one change of two of a resource; `undefined` if nothing is left of them. */
function joinedChange(first: ResourceChange, next: ResourceChange): ResourceChange | undefined {
  const { id } = first;
  const { from: began, to: middle } = first;
  const { from: middleBefore, to: ended } = next;
  const from = began && {
    in: began.in,
    members: middle ? withMembers(middleBefore?.members ?? {}, began.members) : began.members,
  };
  const to = ended && { in: ended.in, members: middleBefore ? withMembers(middle?.members ?? {}, ended.members) : ended.members };
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined) return { id, from, to };
  const names = [...new Set([...Object.keys(from.members), ...Object.keys(to.members)])];
  const changed = names.filter((name) => !sameJson(from.members[name], to.members[name]));
  const isPlaced = isPlacing(first) || isPlacing(next) || undefined;
  if (changed.length === 0 && isPlaced === undefined) return undefined;
  const sides = {
    from: { in: from.in, members: membersOf(from.members, changed) },
    to: { in: to.in, members: membersOf(to.members, changed) },
  };
  return { id, ...sides, ...(isPlaced && { isPlaced }) };
}

/** Some members; those that are not there are `undefined`. */
export const membersOf = (members: Members, names: readonly string[]): Members =>
  Object.fromEntries(names.map((name) => [name, members[name]]));
