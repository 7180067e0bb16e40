/**
 * Selections: which of many resources pass a list's filters, and in which order they stand. A selection is made by a generator that pauses
 * every few hundred of them, from what was captured in its first turn.
 *
 *     batch ─▶ pass the filters ─▶ stand after the page before ─▶ sort ─▶ a run ─▶ merged with runs of its size ─▶ places
 *
 * What comes of it are places, four bytes each. Meanwhile an ordered one holds the values that are compared: the very ones in memory where
 * these stay there, otherwise excerpts of them, in which long texts are cut. Where only the rest of two texts could tell, they are looked at
 * again. No run is longer than the page that is wanted.
 */
import { memberIn, type Value } from '../model/value.ts';
import { leafMembersMax } from './leaf.ts';
import { type Member, passing } from './member.ts';
import { flat } from './tails.ts';

export type Scalar = string | number | boolean;

/** A member that is one string, number or boolean. */
export interface ScalarMember {
  readonly name: string;
  /** Its default, if it has one: what it is where a value does not say. */
  readonly fallback?: Scalar | undefined;
}

/** Passes what has exactly this value. */
export interface Filter extends ScalarMember {
  readonly value: Scalar;
}

/** Texts are ordered by their UTF-16 code units, numbers by size, false before true. */
export interface SortMember extends ScalarMember {
  readonly descending: boolean;
}

export interface Criteria {
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** The first that tells two apart decides; where none does, the older comes first. Without any, the order is that of the list. */
  readonly sort: readonly SortMember[];
}

/** A text that goes on after this in a way that is not known. */
export interface CutText {
  readonly begin: string;
}

/** The last of the page before, in an ordered list. */
export interface Mark {
  readonly id: string;
  /** One for each member that is sorted by. */
  readonly values: readonly (Scalar | CutText)[];
}

type Item = { readonly value: Value } & Partial<Pick<Member, 'json'>>;

/** What is selected from, in batches of at most {@link batchMax}; a place is the number of a batch times that, and the number in it. */
export interface Source {
  readonly batches: number;
  batch(index: number): readonly Item[];
  /** The one at a place. */
  at(place: number): Item;
}

export const batchMax = leafMembersMax;

/** Which part of a selection is wanted. */
export interface Range {
  /** In the order of the list: the first place that is looked at. */
  readonly from: number;
  /** In another order: only what stands after this is wanted. */
  readonly after: Mark | undefined;
  readonly limit: number;
}

export interface Selection {
  readonly places: Uint32Array;
  /** Whether more would follow. */
  readonly more: boolean;
}

/** Steps of a merge between two pauses. */
const stepsPerPause = 256;
/** UTF-16 code units that all excerpts of a selection have together, at most; but each may have so many of a text. */
const excerptsLengthMax = 32 * 1024 * 1024;
const excerptLengthMin = 128;

/** Yields at every pause. `undefined`: of something it cannot be told whether it stands after the mark, which has a text that is cut. */
export function* select(source: Source, criteria: Criteria, range: Range): Generator<void, Selection | undefined> {
  return criteria.sort.length === 0
    ? yield* selectInPlace(source, criteria, range)
    : yield* selectOrdered(source, criteria, range);
}

function* selectInPlace(source: Source, { filters }: Criteria, { from, limit }: Range): Generator<void, Selection> {
  const places: number[] = [];
  const first = Math.floor(from / batchMax);
  for (let index = first; index < source.batches; index++) {
    const items = source.batch(index);
    for (let i = index === first ? from % batchMax : 0; i < items.length; i++) {
      if (!passes((items[i] as Item).value, filters)) continue;
      if (places.length === limit) return { places: new Uint32Array(places), more: true };
      places.push(index * batchMax + i);
    }
    yield;
  }
  return { places: new Uint32Array(places), more: false };
}

/** What is sorted: a value, or as much of it as is compared. */
interface Entry {
  value: Value;
  readonly place: number;
  isExcerpt: boolean;
}

/** How entries are compared. */
interface Order {
  readonly sort: readonly SortMember[];
  readonly source: Source;
  /** UTF-16 code units that an excerpt has of a text, at most. */
  readonly excerptLength: number;
}

function* selectOrdered(
  source: Source,
  { filters, sort }: Criteria,
  { after, limit }: Range,
): Generator<void, Selection | undefined> {
  const share = Math.floor(excerptsLengthMax / (source.batches * batchMax * sort.length));
  const order: Order = { sort, source, excerptLength: Math.max(share, excerptLengthMin) };
  // One more than is wanted tells that there is more.
  const lengthMax = limit + 1;
  // Each at least twice as long as the next: so they are few, and each entry is merged a few times.
  const runs: Entry[][] = [];
  for (let index = 0; index < source.batches; index++) {
    const items = source.batch(index);
    let run: Entry[] = [];
    for (let i = 0; i < items.length; i++) {
      const { value } = items[i] as Item;
      if (!passes(value, filters)) continue;
      const wanted = after === undefined || standsAfter(value, after, sort);
      if (wanted === undefined) return undefined;
      if (wanted) run.push({ value, place: index * batchMax + i, isExcerpt: false });
    }
    run.sort((a, b) => compare(a, b, order));
    if (run.length > lengthMax) run.length = lengthMax;
    for (const entry of run) if ((items[entry.place % batchMax] as Item).json === passing) makeExcerpt(entry, order);
    for (let last = runs.at(-1); last !== undefined && last.length < 2 * run.length; last = runs.at(-1)) {
      runs.pop();
      run = yield* merge(last, run, order, lengthMax);
    }
    if (run.length > 0) runs.push(run);
    yield;
  }
  let entries: Entry[] = [];
  for (let last = runs.pop(); last !== undefined; last = runs.pop()) entries = yield* merge(last, entries, order, lengthMax);
  const count = Math.min(entries.length, limit);
  const places = new Uint32Array(count);
  for (let i = 0; i < count; i++) places[i] = (entries[i] as Entry).place;
  return { places, more: entries.length > limit };
}

function* merge(a: readonly Entry[], b: readonly Entry[], order: Order, lengthMax: number): Generator<void, Entry[]> {
  const merged: Entry[] = [];
  const length = Math.min(a.length + b.length, lengthMax);
  let inA = 0;
  let inB = 0;
  while (merged.length < length) {
    const left = a[inA];
    const right = b[inB];
    if (right === undefined || (left !== undefined && compare(left, right, order) < 0)) {
      merged.push(left as Entry);
      inA++;
    } else {
      merged.push(right);
      inB++;
    }
    if (merged.length % stepsPerPause === 0) yield;
  }
  return merged;
}

/** What a value is compared by: its member, or what an absent one stands for. */
export function scalarOf(value: Value, { name, fallback }: ScalarMember): Scalar {
  return (memberIn(value, name) ?? fallback) as Scalar;
}

function passes(value: Value, filters: readonly Filter[]): boolean {
  for (const filter of filters) if (scalarOf(value, filter) !== filter.value) return false;
  return true;
}

function compare(a: Entry, b: Entry, { sort, source, excerptLength }: Order): number {
  for (const member of sort) {
    let left = scalarOf(a.value, member);
    let right = scalarOf(b.value, member);
    if ((a.isExcerpt || b.isExcerpt) && beginAlike(left, right, excerptLength)) {
      left = scalarOf(source.at(a.place).value, member);
      right = scalarOf(source.at(b.place).value, member);
    }
    if (left !== right) return left < right === member.descending ? 1 : -1;
  }
  return a.value.id < b.value.id ? -1 : 1;
}

/** Whether a value stands after the mark; `undefined` where only the rest of a text that is cut could tell. */
function standsAfter(value: Value, mark: Mark, sort: readonly SortMember[]): boolean | undefined {
  for (const [i, member] of sort.entries()) {
    const { descending } = member;
    const own = scalarOf(value, member);
    const marked = mark.values[i] as Scalar | CutText;
    if (typeof marked === 'object') {
      const text = own as string;
      if (text.length > marked.begin.length && text.startsWith(marked.begin)) return undefined;
      return text <= marked.begin === descending;
    }
    if (own !== marked) return own < marked === descending;
  }
  return value.id > mark.id;
}

/** Lets go of the value: it and, as the decoder makes them, all texts of its leaf would stay in memory for the sake of a few of them. */
function makeExcerpt(entry: Entry, { sort, excerptLength }: Order): void {
  const excerpt: Record<string, Scalar> & { id: string } = { id: flat(entry.value.id) };
  for (const member of sort) {
    const own = scalarOf(entry.value, member);
    if (typeof own !== 'string') excerpt[member.name] = own;
    else excerpt[member.name] = own.length <= excerptLength ? flat(own) : flat(own.slice(0, excerptLength), 'utf16le');
  }
  entry.value = excerpt;
  entry.isExcerpt = true;
}

/** Whether both are texts that are so long, and the same up to there. */
function beginAlike(a: Scalar, b: Scalar, length: number): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || a.length < length || b.length < length) return false;
  return a.slice(0, length) === b.slice(0, length);
}
