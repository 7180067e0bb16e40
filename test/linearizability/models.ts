/**
 * What a member and a collection do, one operation at a time: the contract's sentences (see docs/api.md), as small as they can be said.
 *
 * Members are distinguished by their names, which are never used twice and never changed, so that nothing has to be known of identifiers.
 * `a` and `b` stand for two texts of a member.
 */
import type { Model } from './wing-gong.ts';

/** What of a member is compared. */
export type Shown = readonly [name: string, a: string, b: string];

export interface Fields {
  readonly a?: string;
  readonly b?: string;
}

/** An element of a collection that is sent whole; `fresh` ones have no identifier yet. */
export interface Element extends Fields {
  readonly name: string;
  readonly fresh: boolean;
}

/** What is asked of one member. */
export type MemberInput =
  | { readonly op: 'get' | 'delete' | 'bad-patch'; readonly name: string }
  | { readonly op: 'patch'; readonly name: string; readonly set: Fields };

export type Input =
  | MemberInput
  /** The list itself; what holds it, and the list of those, which show it. */
  | { readonly op: 'list' | 'holder' | 'holders' }
  /** `after` is the number of the page before. */
  | { readonly op: 'page'; readonly limit: number; readonly after: number | undefined; readonly number: number }
  | { readonly op: 'post'; readonly name: string; readonly set: Fields }
  | { readonly op: 'bad-post' }
  /** The collection sent whole, as a part of what holds it. */
  | { readonly op: 'replace'; readonly elements: readonly Element[] }
  /** Deletes what holds the collection. */
  | { readonly op: 'drop' };

export interface Output {
  readonly status: number;
  readonly shown?: readonly Shown[];
  /** Of a page: whether there is a next one. */
  readonly more?: boolean;
}

export const isRead = ({ op }: Input): boolean =>
  ['get', 'list', 'holder', 'holders', 'page', 'bad-patch', 'bad-post'].includes(op);

const missing: Output = { status: 404 };
const refused: Output = { status: 400 };

function fits(output: Output | undefined, expected: Output): boolean {
  if (output === undefined) return true;
  if (output.status !== expected.status || (output.more ?? false) !== (expected.more ?? false)) return false;
  return expected.shown === undefined || JSON.stringify(output.shown) === JSON.stringify(expected.shown);
}

/** A register of two texts, until it is deleted for ever. */
type MemberState = Shown | 'gone';

export function memberModel(initial: Shown): Model<MemberState, MemberInput, Output> {
  return {
    initial,
    key: (state) => JSON.stringify(state),
    step(state, input, output) {
      const [after, expected] = stepMember(state, input);
      return fits(output, expected) ? after : undefined;
    },
  };
}

function stepMember(state: MemberState, input: MemberInput): [MemberState, Output] {
  if (state === 'gone') return [state, missing];
  switch (input.op) {
    case 'get':
      return [state, { status: 200, shown: [state] }];
    case 'bad-patch':
      return [state, refused];
    case 'delete':
      return ['gone', { status: 204 }];
    case 'patch': {
      const after = merged(state, input.set);
      return [after, { status: 200, shown: [after] }];
    }
  }
}

function merged([name, a, b]: Shown, set: Fields): Shown {
  return [name, set.a ?? a, set.b ?? b];
}

/** Where a page ended. Exact as long as nobody gives the collection another order; then only what decisions of order leave open. */
interface Place {
  readonly rank: number;
  readonly orders: number;
}

interface Member {
  readonly shown: Shown;
  /** Ascending through the collection; never given twice. */
  readonly rank: number;
}

export interface CollectionState {
  /** `undefined` once what holds it is deleted. */
  readonly members: readonly Member[] | undefined;
  readonly nextRank: number;
  /** How often a write gave it another order. */
  readonly orders: number;
  /** Ends of the pages that had a next one, by their numbers. */
  readonly places: Readonly<Record<number, Place>>;
}

export function collectionModel(initial: readonly Shown[]): Model<CollectionState, Input, Output> {
  const members = initial.map((shown, rank) => ({ shown, rank }));
  return {
    initial: { members, nextRank: members.length, orders: 0, places: {} },
    key: (state) => JSON.stringify(state),
    step(state, input, output) {
      if (state.members === undefined) return fits(output, missing) ? state : undefined;
      if (input.op === 'page') return stepPage(state, state.members, input, output);
      const [after, expected] = stepCollection(state, state.members, input);
      return fits(output, expected) ? after : undefined;
    },
  };
}

function stepCollection(
  state: CollectionState,
  members: readonly Member[],
  input: Exclude<Input, { op: 'page' }>,
): [CollectionState, Output] {
  switch (input.op) {
    case 'list':
    case 'holder':
    case 'holders':
      return [state, { status: 200, shown: members.map(({ shown }) => shown) }];
    case 'bad-post':
      return [state, refused];
    case 'post': {
      const shown = merged([input.name, '', ''], input.set);
      const after = { ...state, members: [...members, { shown, rank: state.nextRank }], nextRank: state.nextRank + 1 };
      return [after, { status: 200, shown: [shown] }];
    }
    case 'replace':
      return replace(state, members, input.elements);
    case 'drop':
      return [{ ...state, members: undefined }, { status: 204 }];
    default: {
      const at = members.findIndex(({ shown }) => shown[0] === input.name);
      const [after, expected] = stepMember(members[at]?.shown ?? 'gone', input);
      if (at < 0) return [state, expected];
      const { rank } = members[at] as Member;
      return [{ ...state, members: members.toSpliced(at, 1, ...(after === 'gone' ? [] : [{ shown: after, rank }])) }, expected];
    }
  }
}

/** The array that was sent becomes the collection: who is named stays, who is not goes, who is new comes, in its order. */
function replace(state: CollectionState, members: readonly Member[], elements: readonly Element[]): [CollectionState, Output] {
  const present = new Map(members.map((member) => [member.shown[0], member]));
  if (elements.some(({ name, fresh }) => !fresh && !present.has(name))) return [state, refused];
  let { nextRank } = state;
  const after = elements.map(({ name, fresh, ...set }): Member => {
    if (fresh) return { shown: merged([name, '', ''], set), rank: nextRank++ };
    const { shown, rank } = present.get(name) as Member;
    return { shown: merged(shown, set), rank };
  });
  const inOrder = after.every(({ rank }, i) => i === 0 || rank > (after[i - 1] as Member).rank);
  const ranked = inOrder ? after : after.map(({ shown }) => ({ shown, rank: nextRank++ }));
  return [
    { ...state, members: ranked, nextRank, orders: state.orders + (inOrder ? 0 : 1) },
    { status: 200, shown: after.map(({ shown }) => shown) },
  ];
}

function stepPage(
  state: CollectionState,
  members: readonly Member[],
  { limit, after, number }: Extract<Input, { op: 'page' }>,
  output: Output | undefined,
): CollectionState | undefined {
  if (output === undefined) return state;
  const place = after === undefined ? { rank: -1, orders: state.orders } : state.places[after];
  if (place === undefined || place.orders !== state.orders) return fitsAnyOrder(members, limit, output) ? state : undefined;
  const rest = members.filter(({ rank }) => rank > place.rank);
  const page = rest.slice(0, limit);
  const more = rest.length > limit;
  if (!fits(output, { status: 200, shown: page.map(({ shown }) => shown), more })) return undefined;
  const last = page.at(-1);
  if (!more || last === undefined) return state;
  return { ...state, places: { ...state.places, [number]: { rank: last.rank, orders: state.orders } } };
}

/** A page that goes on after the order has changed: it may be refused, or hold members as they are, in the order they have, each once. */
function fitsAnyOrder(members: readonly Member[], limit: number, { status, shown = [] }: Output): boolean {
  if (status === 400) return true;
  if (status !== 200 || shown.length > limit) return false;
  let at = 0;
  for (const one of shown) {
    const text = JSON.stringify(one);
    while (at < members.length && JSON.stringify((members[at] as Member).shown) !== text) at++;
    if (at++ >= members.length) return false;
  }
  return true;
}
