/** A collection compared with a plain array, sorted and after a new order, with much and with little memory. */

import t from 'tap';
import { popups } from '../../src/model/resources.ts';
import type { Value } from '../../src/model/value.ts';
import { Collection } from '../../src/store/collection.ts';
import { type LeafKind, leafMembersMax } from '../../src/store/leaf.ts';
import { liveLeaves } from '../../src/store/live-leaf.ts';
import type { Member } from '../../src/store/member.ts';
import { packMembers, unpackMembers } from '../../src/store/rows/member-rows.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import fc from '../support/fast-check.ts';
import { FullMemory, keptLeaves } from '../support/kept-leaves.ts';
import { seed, sized } from '../support/tier.ts';

const idOf = (n: number): string => `id-${String(n).padStart(6, '0')}`;
const popupOf = (n: number, name: string): Value => popups.create(idOf(n), {}, { name });

/** What a collection must be: its members in order, each with the version that last changed it. */
interface Entry {
  readonly value: Value;
  readonly version: number;
}

type Step =
  | { readonly kind: 'add'; readonly count: number }
  | { readonly kind: 'change' | 'delete'; readonly at: number }
  /** Deletes a run of neighbours, leaves and all. */
  | { readonly kind: 'clear'; readonly at: number; readonly count: number }
  /** Adds a member whose identifier comes before those of others. */
  | { readonly kind: 'foreign' }
  /** Places a member before another one, or last; several times before the same one. */
  | { readonly kind: 'place'; readonly at: number; readonly to: number; readonly count: number }
  | { readonly kind: 'reorder'; readonly moves: readonly (readonly [number, number])[] }
  /** Memory is full or not, and leaves that changes decoded while it was full are packed: only where there is a budget. */
  | { readonly kind: 'capture' | 'pack' | 'pressure' | 'settle' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ kind: fc.constantFrom('change' as const, 'delete' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('clear' as const), at: fc.nat(), count: fc.nat(400) }),
  fc.record({ kind: fc.constant('foreign' as const) }),
  fc.record({ kind: fc.constant('place' as const), at: fc.nat(), to: fc.nat(), count: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constant('reorder' as const), moves: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }) }),
  fc.record({ kind: fc.constantFrom('capture' as const, 'pack' as const) }),
  fc.record({ kind: fc.constantFrom('pressure' as const, 'settle' as const, 'settle' as const) }),
);

class Pair {
  readonly #leafKind: LeafKind;
  collection: Collection;
  naive: Entry[] = [];
  version = 0;
  #made = 0;
  readonly #captured: { seen: Iterable<Member>; as: Entry[] }[] = [];
  readonly #memory = new FullMemory();

  constructor(leavesOf: (memory: FullMemory) => LeafKind = () => keptLeaves) {
    this.#leafKind = leavesOf(this.#memory);
    this.collection = new Collection(popups, this.#leafKind);
  }

  perform(item: Step): void {
    this.version++;
    const { naive, collection, version } = this;
    if (item.kind === 'add') {
      for (let i = 0; i < item.count; i++) {
        const value = popupOf(++this.#made, `made in ${version}`);
        collection.put(value, version);
        naive.push({ value, version });
      }
    } else if (item.kind === 'change' && naive.length > 0) {
      const at = item.at % naive.length;
      const value = { ...(naive[at] as Entry).value, name: `changed in ${version}` };
      collection.put(value, version);
      naive[at] = { value, version };
    } else if (item.kind === 'delete' || item.kind === 'clear') {
      const at = item.at % Math.max(naive.length, 1);
      for (const { value } of naive.splice(at, item.kind === 'clear' ? item.count : 1)) collection.delete(value.id, version);
    } else if (item.kind === 'foreign') {
      const value = popupOf(++this.#made, `made in ${version}`);
      const foreign = { ...value, id: `id-${String(this.#made).padStart(6, '0').slice(1)}x` };
      collection.put(foreign, version);
      naive.push({ value: foreign, version });
    } else if (item.kind === 'place') {
      for (let i = 0; i < item.count; i++) this.#place(item.at + i, item.to);
    } else if (item.kind === 'reorder') {
      for (const [from, to] of item.moves) {
        const [moved] = naive.splice(from % Math.max(naive.length, 1), 1);
        if (moved !== undefined) naive.splice(to % (naive.length + 1), 0, moved);
      }
      collection.reorder(
        naive.map(({ value }) => value.id),
        version,
      );
    } else if (item.kind === 'capture') {
      this.#captured.push({ seen: collection.capture(), as: naive.slice() });
    } else if (item.kind === 'pack') {
      this.collection = packed(collection, this.#leafKind);
    } else if (item.kind === 'pressure') {
      this.#memory.isFull = !this.#memory.isFull;
    } else if (item.kind === 'settle') this.#memory.settle();
  }

  #place(at: number, to: number): void {
    const { naive, collection, version } = this;
    const entry = naive[at % Math.max(naive.length, 1)];
    const target = naive[to % (naive.length + 1)];
    if (entry === undefined) return;
    collection.place(entry.value.id, target?.value.id ?? null, version);
    if (target === entry) return;
    naive.splice(naive.indexOf(entry), 1);
    naive.splice(target === undefined ? naive.length : naive.indexOf(target), 0, entry);
  }

  /** Throws where the two differ. Captures nothing: a change of a leaf that was captured makes another one. */
  compare(): void {
    const { collection, naive } = this;
    if (collection.size !== naive.length) throw new Error(`size ${collection.size}, not ${naive.length}`);
    for (const { seen, as } of this.#captured) same(seen, as, 'a capture');
    for (let i = 0; i < naive.length; i += 1 + Math.floor(naive.length / 50)) {
      const { value } = naive[i] as Entry;
      if (collection.get(value.id)?.value.id !== value.id) throw new Error(`${value.id} is not found`);
    }
    if (collection.get('id-0') !== undefined || collection.get('zzz') !== undefined) throw new Error('found what is not there');
    for (const limit of [1, 7, 100]) same(pages(collection, limit, naive.length), naive, `pages of ${limit}`);
    const { rowBytes } = collection;
    const counted = collection.leaves.reduce((sum, leaf) => sum + leaf.rowBytes, 0);
    if (rowBytes !== counted) throw new Error(`${rowBytes} bytes of rows, not ${counted}`);
    const ranks = collection.leaves.flatMap(({ members }) => members.map(({ rank }) => rank));
    if (ranks.some((rank, i) => i > 0 && rank <= (ranks[i - 1] as number))) throw new Error('ranks do not ascend');
    if (ranks.some((rank) => rank >= collection.nextRank)) throw new Error('the next rank is taken');
    for (const leaf of collection.leaves) {
      if (leaf.count < 1 || leaf.count > leafMembersMax) throw new Error(`a leaf of ${leaf.count}`);
    }
  }
}

function same(members: Iterable<Member>, entries: readonly Entry[], what: string): void {
  const found = Array.from(members, ({ value, version }) => ({ value, version }));
  if (JSON.stringify(found) !== JSON.stringify(entries)) throw new Error(`${what} differ`);
}

/** The whole collection, page by page; at most a few pages of the short ones. */
function pages(collection: Collection, limit: number, size: number): Member[] {
  const found: Member[] = [];
  let after = Number.NEGATIVE_INFINITY;
  // A page of one member each costs its leaf: long collections take their last members from one page.
  for (;;) {
    const wanted = found.length >= 20 * limit ? size + 1 : limit;
    const { members, more } = collection.page(after, wanted);
    if (members.length > wanted || (more && members.length < wanted)) throw new Error('a page of a wrong size');
    found.push(...members);
    if (!more) return found;
    after = (members.at(-1) as Member).rank;
  }
}

/** The collection as a snapshot would give it back. */
function packed(collection: Collection, leafKind: LeafKind): Collection {
  const leaves = collection.leaves.map((leaf) => {
    const bytes = packMembers(popups, leaf.members);
    const { count, lastId, lastRank } = leaf;
    const damage = (found: string) => new Error(found);
    return leafKind.make(popups, { count, lastId, lastRank, version: collection.version, bytes: () => bytes, damage });
  });
  return new Collection(popups, leafKind, collection, leaves);
}

/** After a restart each leaf is bytes, and the last one has one member. */
const restart: Step[] = [{ kind: 'add', count: leafMembersMax + 1 }, { kind: 'pack' }];
/** What chance may leave out: a change that decodes a leaf, and leaves nothing of it. */
const lastOfLeaf: Step[] = [{ kind: 'delete', at: leafMembersMax }, { kind: 'settle' }];

t.test(`a collection equals an array after every step (seed ${seed})`, async (t) => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { maxLength: 25 }), (isRestored, steps) => {
      const pairs = [() => keptLeaves, liveLeaves, () => runLeaves].map((leavesOf) => new Pair(leavesOf));
      for (const item of isRestored ? [...restart, ...steps] : steps) {
        for (const pair of pairs) {
          pair.perform(item);
          pair.compare();
        }
      }
      // A snapshot run and a server, however little memory it has, number members alike.
      const ranks = pairs.map(({ collection }) =>
        [collection.nextRank, ...Array.from(collection.capture(), ({ rank }) => rank)].join(),
      );
      if (new Set(ranks).size > 1) throw new Error('the ranks differ');
    }),
    { seed, numRuns: sized({ sample: 20, all: 80 }), examples: [[true, lastOfLeaf]] },
  );
  t.pass('after every step');
});

t.test('pages continue after their cursor and contain every member that was not moved or deleted', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), fc.integer({ min: 1, max: 60 }), (steps, limit) => {
      const pair = new Pair();
      pair.perform({ kind: 'add', count: 120 });
      const stayed = new Set(pair.naive.map(({ value }) => value.id));
      const seen: string[] = [];
      const { epoch } = pair.collection;
      let after = Number.NEGATIVE_INFINITY;
      for (let i = 0; ; i++) {
        const { members, more } = pair.collection.page(after, limit);
        seen.push(...members.map(({ value }) => value.id));
        if (!more) break;
        after = (members.at(-1) as Member).rank;
        const next = steps[i];
        if (next === undefined || next.kind === 'reorder' || next.kind === 'place') continue; // who moves may be met twice, or not at all
        pair.perform(next);
        for (const id of stayed) if (pair.collection.get(id) === undefined) stayed.delete(id);
      }
      if (pair.collection.epoch !== epoch) return;
      if (new Set(seen).size !== seen.length) throw new Error('a member came twice');
      for (const id of stayed) if (!seen.includes(id)) throw new Error(`${id} was skipped`);
    }),
    { seed, numRuns: sized({ sample: 50, all: 200 }) },
  );
  t.pass('none skipped, none repeated');
});

t.test('many members placed before one give few others another rank', async (t) => {
  const collection = new Collection(popups, keptLeaves);
  const size = 20_000;
  for (let i = 0; i < size; i++) collection.put(popupOf(i, ''), i + 1);
  const to = size / 2;
  const ranks = new Map<string, number>();
  let changed = 0;
  for (let i = 0; i < 1000; i++) {
    const { epoch } = collection;
    collection.place(idOf(i), idOf(to), size + i + 1);
    if (i > 0 && collection.epoch === epoch) continue;
    for (const { value, rank } of collection.capture()) {
      if (i > 0 && ranks.get(value.id) !== rank) changed++;
      ranks.set(value.id, rank);
    }
  }
  const placed = Array.from({ length: 1000 }, (_, i) => idOf(i));
  const ids = Array.from(collection.capture(), ({ value }) => value.id);
  t.strictSame(ids.slice(to - 1000, to + 1), [...placed, idOf(to)], 'in the order in which they were placed');
  t.ok(collection.epoch > 0, 'there was no rank between two of them');
  t.ok(changed < 100_000, `${changed} ranks changed`);
});

t.test('a captured collection does not change during an iteration', async (t) => {
  const pair = new Pair();
  pair.perform({ kind: 'add', count: 600 });
  const before = pair.naive.slice();
  const captured = pair.collection.capture()[Symbol.iterator]();
  const found: Member[] = [];
  for (let next = captured.next(); next.done !== true; next = captured.next()) {
    found.push(next.value);
    if (found.length % 50 === 0) {
      pair.perform({ kind: 'change', at: found.length + 10 });
      pair.perform({ kind: 'delete', at: found.length + 20 });
      pair.perform({ kind: 'reorder', moves: [[0, 400]] });
      pair.perform({ kind: 'add', count: 3 });
    }
  }
  same(found, before, 'the capture');
  pair.compare();
  t.equal(found.length, 600);
});

t.test('deleting an unknown member changes nothing, and a new order must name every member once', async (t) => {
  const pair = new Pair();
  pair.perform({ kind: 'add', count: 3 });
  const { version } = pair.collection;
  pair.collection.delete('id-9', 99);
  t.equal(pair.collection.version, version);
  const ids = pair.naive.map(({ value }) => value.id);
  for (const bad of [ids.slice(1), [...ids, ids[0] as string], [...ids.slice(1), 'id-9'], [ids[0], ids[0], ids[1]] as string[]]) {
    t.throws(() => pair.collection.reorder(bad, 100), /name every member exactly once/);
  }
  pair.compare();
  t.equal(pair.collection.version, version);
});

t.test('a rank is never reused, not after a deletion or a second put', async (t) => {
  const pair = new Pair();
  pair.perform({ kind: 'add', count: 5 });
  const last = Array.from(pair.collection.capture()).at(-1)?.rank as number;
  pair.perform({ kind: 'clear', at: 0, count: 5 });
  pair.perform({ kind: 'add', count: 1 });
  t.ok(([...pair.collection.capture()][0]?.rank as number) > last);
});

t.test('members are equal after packing and unpacking', async (t) => {
  const members: Member[] = [
    { value: popupOf(1, 'a'), version: 2 ** 40, rank: -0.125, json: undefined },
    { value: popupOf(2, 'b'), version: 1, rank: 1 / 3, json: undefined },
  ];
  t.strictSame(unpackMembers(popups, packMembers(popups, members)), members);
});

t.test('reads leave leaves packed while memory is full, and decoded otherwise', async (t) => {
  const memory = new FullMemory();
  const source = new Collection(popups, keptLeaves);
  for (let i = 0; i < 1000; i++) source.put(popupOf(i, ''), 1);
  const collection = packed(source, liveLeaves(memory));
  const packedLeaves = () => collection.leaves.filter((leaf) => !leaf.decoded).length;
  for (let round = 0; round < 2; round++) {
    t.equal([...collection.capture()].length, 1000);
    t.equal(collection.get(idOf(600))?.value.id, idOf(600));
    t.equal(collection.page(500, 10).members.length, 10);
    t.equal(packedLeaves(), 4);
  }
  memory.isFull = false;
  t.equal([...collection.capture()].length, 1000);
  t.equal(packedLeaves(), 0);
  const { asked } = memory;
  t.equal([...collection.capture()].length, 1000);
  t.equal(memory.asked, asked, 'and is not decoded again');
});
