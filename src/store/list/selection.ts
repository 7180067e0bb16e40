/**
 * Selections: filters and sorts a list's members. A selection is a generator that pauses every few hundred members. It works on members
 * captured in its first turn.
 *
 *     batch ─▶ filter ─▶ skip up to the previous page's end ─▶ sort ─▶ a run ─▶ merge with runs of similar size ─▶ places
 *
 * The result is a list of places, 4 bytes each. Meanwhile, a sorted selection holds the compared values: the values themselves if they
 * stay in memory anyway, otherwise excerpts, with long texts cut. If two cut texts are equal, the full texts are compared. No run is
 * longer than the requested page.
 */
import type { Value } from '../../model/value.ts';
import { flat } from '../indexes/id-index.ts';
import { leafMembersMax } from '../leaf.ts';
import { type Member, uncacheable } from '../member.ts';
import { type Filter, passes, type Scalar, type ScalarMember, scalarOf } from './filters.ts';

/** Texts are ordered by UTF-16 code units, numbers by size, false before true. */
export interface SortMember extends ScalarMember {
  readonly descending: boolean;
}

export interface Criteria {
  /** All must hold. */
  readonly filters: readonly Filter[];
  /** Compared in this order; ties are resolved by age, oldest first. Empty: the order of the list. */
  readonly sort: readonly SortMember[];
}

/** The beginning of a text whose rest is unknown. */
export interface CutText {
  readonly begin: string;
}

/** The last item of the previous page of a sorted list. */
export interface Keyset {
  readonly id: string;
  /** One for each sort member. */
  readonly values: readonly (Scalar | CutText)[];
}

type Item = { readonly value: Value } & Partial<Pick<Member, 'json'>>;

/** The items to select from, in batches of at most {@link batchMax}. A place is batch index × batchMax + index in the batch. */
export interface SelectionSource {
  readonly batches: number;
  batch(index: number): readonly Item[];
  /** The item at a place. */
  at(place: number): Item;
}

export const batchMax = leafMembersMax;

/** The requested part of a selection. */
export interface Range {
  /** Unsorted: the first place to read. */
  readonly from: number;
  /** Sorted: only items after this one are selected. */
  readonly after: Keyset | undefined;
  readonly limit: number;
}

interface Selection {
  readonly places: Uint32Array;
  /** Whether more items follow. */
  readonly more: boolean;
}

/** Merge steps between two pauses. */
const stepsPerPause = 256;
/** Limit for all excerpts of a selection together, in UTF-16 code units. */
const excerptsLengthMax = 32 * 1024 * 1024;
/** An excerpt of a text may always have this length. */
const excerptLengthMin = 128;

/** Yields at every pause. Returns `undefined` if the keyset has a cut text that cannot be compared with some item's text. */
export function* select(source: SelectionSource, criteria: Criteria, range: Range): Generator<void, Selection | undefined> {
  return criteria.sort.length === 0
    ? yield* selectInPlace(source, criteria, range)
    : yield* selectOrdered(source, criteria, range);
}

/** Number of items that pass. Yields at every pause. */
export function* countPassing(source: SelectionSource, filters: readonly Filter[]): Generator<void, number> {
  let count = 0;
  for (let index = 0; index < source.batches; index++) {
    for (const { value } of source.batch(index)) if (passes(value, filters)) count++;
    yield;
  }
  return count;
}

function* selectInPlace(source: SelectionSource, { filters }: Criteria, { from, limit }: Range): Generator<void, Selection> {
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

/** An item to sort: its value, or an excerpt with the compared members. */
interface Entry {
  value: Value;
  readonly place: number;
  isExcerpt: boolean;
}

/** Everything that a comparison needs. */
interface Comparison {
  readonly sort: readonly SortMember[];
  readonly source: SelectionSource;
  /** Length limit of a text in an excerpt, in UTF-16 code units. */
  readonly excerptLength: number;
}

function* selectOrdered(
  source: SelectionSource,
  { filters, sort }: Criteria,
  { after, limit }: Range,
): Generator<void, Selection | undefined> {
  const share = Math.floor(excerptsLengthMax / (source.batches * batchMax * sort.length));
  const order: Comparison = { sort, source, excerptLength: Math.max(share, excerptLengthMin) };
  // One more than requested shows whether more follow.
  const lengthMax = limit + 1;
  // Each run is at least twice as long as the next: so there are few runs, and each entry is merged a few times.
  const runs: Entry[][] = [];
  for (let index = 0; index < source.batches; index++) {
    const items = source.batch(index);
    let run: Entry[] = [];
    for (let i = 0; i < items.length; i++) {
      const { value } = items[i] as Item;
      if (!passes(value, filters)) continue;
      const isAfter = after === undefined || standsAfter(value, after, sort);
      if (isAfter === undefined) return undefined;
      if (isAfter) run.push({ value, place: index * batchMax + i, isExcerpt: false });
    }
    run.sort((a, b) => compare(a, b, order));
    if (run.length > lengthMax) run.length = lengthMax;
    for (const entry of run) if ((items[entry.place % batchMax] as Item).json === uncacheable) makeExcerpt(entry, order);
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

function* merge(a: readonly Entry[], b: readonly Entry[], order: Comparison, lengthMax: number): Generator<void, Entry[]> {
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

function compare(a: Entry, b: Entry, { sort, source, excerptLength }: Comparison): number {
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

/** Whether a value comes after the keyset; `undefined` if only the unknown rest of a cut text could decide. */
function standsAfter(value: Value, mark: Keyset, sort: readonly SortMember[]): boolean | undefined {
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

/** Replaces the value by an excerpt: the value would keep all decoded texts of its leaf in memory. */
function makeExcerpt(entry: Entry, { sort, excerptLength }: Comparison): void {
  const excerpt: Record<string, Scalar> & { id: string } = { id: flat(entry.value.id) };
  for (const member of sort) {
    const own = scalarOf(entry.value, member);
    if (typeof own !== 'string') excerpt[member.name] = own;
    else excerpt[member.name] = own.length <= excerptLength ? flat(own) : flat(own.slice(0, excerptLength), 'utf16le');
  }
  entry.value = excerpt;
  entry.isExcerpt = true;
}

/** Whether both are texts of at least this length with the same beginning. */
function beginAlike(a: Scalar, b: Scalar, length: number): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || a.length < length || b.length < length) return false;
  return a.slice(0, length) === b.slice(0, length);
}
