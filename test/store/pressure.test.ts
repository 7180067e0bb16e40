/** Collections under memory pressure: reads and writes leave leaves packed, with the same results. */

import t from 'tap';
import { resourceOf } from '../../src/model/resources.ts';
import type { Value } from '../../src/model/value.ts';
import { Collection } from '../../src/store/collection.ts';
import { type Leaf, type LeafKind, leafMembersMax } from '../../src/store/leaf.ts';
import { liveLeaves, type MemoryPolicy } from '../../src/store/live-leaf.ts';
import type { Member } from '../../src/store/member.ts';
import { packMembers } from '../../src/store/rows/member-rows.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/tier.ts';

const popups = resourceOf.popups;
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const popup = (number: number, title = ''): Value => popups.create(idOf(number), {}, { title });

/** A keeper whose answer the test chooses. */
class Chosen implements MemoryPolicy {
  short = true;
  asked = 0;
  readonly #pressed = new Set<Leaf>();

  keep(): boolean {
    this.asked++;
    return !this.short;
  }

  onOverBudget(leaf: Leaf): void {
    this.#pressed.add(leaf);
  }

  settle(): void {
    for (const leaf of this.#pressed) leaf.pack();
    this.#pressed.clear();
  }
}

/** A collection as a restart makes it: every leaf is bytes. */
function restored(count: number, leafKind: LeafKind): Collection {
  const leaves: Leaf[] = [];
  for (let at = 0; at < count; at += leafMembersMax) {
    const members = Array.from({ length: Math.min(leafMembersMax, count - at) }, (_, i): Member => {
      return { value: popup(at + i), version: 1, rank: at + i, json: undefined };
    });
    const bytes = packMembers(popups, members);
    const last = members.at(-1) as Member;
    const damage = (found: string) => new Error(found);
    const packed = { count: members.length, lastId: last.value.id, lastRank: last.rank, version: 1, bytes: () => bytes, damage };
    leaves.push(leafKind.make(popups, packed));
  }
  return new Collection(popups, leafKind, { version: 1, epoch: 0, nextRank: count, sorted: true }, leaves);
}

const packedLeaves = (collection: Collection) => collection.leaves.filter((leaf) => !leaf.decoded).length;
const shown = (collection: Collection) => ({
  members: Array.from(collection.capture(), ({ rank, version, value }) => [rank, version, value]),
  size: collection.size,
  next: collection.nextRank,
});

t.test('reads leave leaves packed under memory pressure, and decoded otherwise', async (t) => {
  const keeper = new Chosen();
  const collection = restored(1000, liveLeaves(keeper));
  for (let round = 0; round < 2; round++) {
    t.equal([...collection.capture()].length, 1000);
    t.equal(collection.get(idOf(600))?.value.id, idOf(600));
    t.equal(collection.page(500, 10).members.length, 10);
    t.equal(packedLeaves(collection), 4);
  }
  keeper.short = false;
  t.equal([...collection.capture()].length, 1000);
  t.equal(packedLeaves(collection), 0);
  const { asked } = keeper;
  t.equal([...collection.capture()].length, 1000);
  t.equal(keeper.asked, asked, 'and is not decoded again');
});

t.test('a changed leaf is packed after the change, which an older capture does not show', async (t) => {
  const keeper = new Chosen();
  const collection = restored(1000, liveLeaves(keeper));
  const before = collection.capture();
  collection.put(popup(600, 'new'), 2);
  collection.delete(idOf(10), 2);
  keeper.settle();
  t.equal(packedLeaves(collection), 4);
  t.equal(collection.get(idOf(600))?.value['title'], 'new');
  t.equal(collection.get(idOf(600))?.version, 2);
  t.equal(collection.get(idOf(10)), undefined);
  t.equal(collection.size, 999);
  const old = [...before];
  t.equal(old.length, 1000);
  t.equal(old[600]?.value['title'], '');
});

t.test('deleting the last member of a leaf leaves no leaf to pack', async (t) => {
  const keeper = new Chosen();
  const collection = restored(257, liveLeaves(keeper));
  collection.delete(idOf(256), 2);
  keeper.settle();
  t.equal(collection.size, 256);
  t.strictSame(shown(collection).members.length, 256);
});

const operation = fc.oneof(
  fc.record({ op: fc.constant('put' as const), number: fc.nat(400), title: fc.string() }),
  fc.record({ op: fc.constant('delete' as const), number: fc.nat(400), title: fc.constant('') }),
  fc.record({ op: fc.constant('reorder' as const), number: fc.nat(400), title: fc.constant('') }),
  fc.record({ op: fc.constant('look' as const), number: fc.nat(400), title: fc.constant('') }),
  fc.record({ op: fc.constant('hold' as const), number: fc.nat(400), title: fc.constant('') }),
  fc.record({ op: fc.constant('settle' as const), number: fc.constant(0), title: fc.constant('') }),
  fc.record({ op: fc.constant('turn' as const), number: fc.constant(0), title: fc.constant('') }),
);

t.test('leaves of a server and of a snapshot run hold the same under any memory pressure', async (t) => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const keeper = new Chosen();
      const one = restored(300, liveLeaves(keeper));
      const other = restored(300, runLeaves);
      const held: [Iterable<Member>, unknown][] = [];
      let version = 1;
      for (const { op, number, title } of operations) {
        version++;
        const ids = Array.from(other.capture(), ({ value }) => value.id);
        const turned = [...ids.slice(number % ids.length), ...ids.slice(0, number % ids.length)];
        for (const collection of [one, other]) {
          if (op === 'put') collection.put(popup(number, title), version);
          if (op === 'delete') collection.delete(idOf(number), version);
          if (op === 'reorder') collection.reorder(turned, version);
          if (op === 'look') collection.get(idOf(number));
        }
        if (op === 'hold') held.push([one.capture(), shown(other).members]);
        if (op === 'settle') keeper.settle();
        if (op === 'turn') keeper.short = !keeper.short;
      }
      for (const [captured, expected] of held) {
        const members = Array.from(captured, ({ rank, version: at, value }) => [rank, at, value]);
        if (JSON.stringify(members) !== JSON.stringify(expected)) return false;
      }
      return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
    }),
    { numRuns: sized({ sample: 40, all: 150 }) },
  );
  t.pass('150 histories');
});
