// tier: normal
/** Selections from packed members: the same as from values, for any cache and for long similar texts. */

import t from 'tap';
import { popups } from '../../src/model/resources.ts';
import { Collection } from '../../src/store/collection.ts';
import { CapturedMembers, Selected } from '../../src/store/list/captured-members.ts';
import { batchMax, type Criteria, type Range, type SelectionSource, select } from '../../src/store/list/selection.ts';
import { liveLeaves } from '../../src/store/live-leaf.ts';
import fc from '../support/fast-check.ts';
import { keptLeaves } from '../support/kept-leaves.ts';
import { test } from '../support/test.ts';
import { sized } from '../support/tier.ts';

const nothingStays = liveLeaves({ keep: () => false, onOverBudget: (leaf) => leaf.pack() });

const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** A collection whose leaves are bytes. */
function packed(bodies: readonly object[], leafKind = keptLeaves): Collection {
  const collection = new Collection(popups, leafKind);
  for (const [i, body] of bodies.entries()) collection.put(popups.create(idOf(i), {}, body as Record<string, unknown>), i + 1);
  for (const leaf of collection.leaves) leaf.pack();
  return collection;
}

const whole: Range = { from: 0, after: undefined, limit: Number.POSITIVE_INFINITY };

/** Counts the pauses on the way. */
function run(source: SelectionSource, criteria: Criteria, range: Partial<Range> = {}) {
  const search = select(source, criteria, { ...whole, ...range });
  for (let pauses = 0; ; pauses++) {
    const step = search.next();
    if (step.done === true) return { selection: step.value, pauses };
  }
}

function namesOf(collection: Collection, criteria: Criteria, range?: Partial<Range>): string[] {
  const source = new CapturedMembers(collection.capture());
  const { selection } = run(source, criteria, range);
  return Array.from(new Selected(source, selection?.places ?? new Uint32Array()), ({ value }) => String(value['name']));
}

const byName: Criteria = { filters: [], sort: [{ name: 'name', descending: false }] };
const byNameDown: Criteria = { filters: [], sort: [{ name: 'name', descending: true }] };

const alike = fc.tuple(
  fc.constantFrom('', 'a', '🗾', 'é'.repeat(200), 'x'.repeat(200_000)),
  fc.constantFrom('', 'a', 'b', '🗾', '\uffee'),
);

test.all('members with long common prefixes are sorted correctly', async () => {
  fc.assert(
    fc.property(
      fc.array(alike, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 14 }),
      (parts, stays, limit) => {
        const names = parts.map((part) => part.join(''));
        const collection = packed(
          names.map((name) => ({ name })),
          stays ? undefined : nothingStays,
        );
        const ascending = [...names].sort();
        const same = (found: string[], wanted: string[]) =>
          found.length === wanted.length && found.every((name, i) => name === wanted[i]);
        return (
          same(namesOf(collection, byName), ascending) &&
          same(namesOf(collection, byNameDown), ascending.reverse()) &&
          same(namesOf(collection, byNameDown, { limit }), ascending.slice(0, limit))
        );
      },
    ),
    { numRuns: sized({ sample: 15, all: 60 }) },
  );
});

t.test('many leaves that are not cached are sorted and paged correctly', async (t) => {
  const count = 40 * batchMax + 7;
  const bodies = Array.from({ length: count }, (_, i) => ({
    name: `${'n'.repeat(i % 3 === 0 ? 4000 : 3)}${(i * 7919) % count}`,
    maxWidth: i % 5,
  }));
  const collection = packed(bodies, nothingStays);
  const names = bodies.map(({ name }) => name).sort();
  t.strictSame(namesOf(collection, byName), names, 'texts with the same beginning are distinguished');
  for (const limit of [1, 10, 1000])
    t.strictSame(namesOf(collection, byName, { limit }), names.slice(0, limit), `${limit} of them`);
  t.notOk(collection.leaves.some((leaf) => leaf.decoded));
  const wide: Criteria = { filters: [{ name: 'maxWidth', value: 4 }], sort: [] };
  const passing = bodies.filter(({ maxWidth }) => maxWidth === 4).map(({ name }) => name);
  t.strictSame(namesOf(collection, wide), passing);
  t.strictSame(
    namesOf(collection, wide, { from: batchMax + 10, limit: 3 }),
    bodies
      .slice(batchMax + 10)
      .filter(({ maxWidth }) => maxWidth === 4)
      .slice(0, 3)
      .map(({ name }) => name),
  );
  const source = new CapturedMembers(collection.capture());
  t.ok(run(source, wide).pauses >= 40, 'it pauses after each leaf');
  t.ok(run(source, byName).pauses >= 40 + count / batchMax, 'and while it merges');
});

t.test('a page after a truncated sort value finds its place, or reports that it cannot', async (t) => {
  const long = 'x'.repeat(100);
  const after = (begin: string, id = 2) => ({ id: idOf(id), values: [{ begin }] });
  const found = (names: string[], begin: string, criteria = byName) =>
    run(new CapturedMembers(packed(names.map((name) => ({ name }))).capture()), criteria, { after: after(begin) }).selection;
  const places = (...args: Parameters<typeof found>) => found(...args) && [...(found(...args)?.places ?? [])];
  t.strictSame(places(['a', 'y', long, 'xx'], long), [1], 'what is the beginning, or less, stands before what goes on');
  t.strictSame(places(['a', 'y', long, 'xx'], long, byNameDown), [2, 3, 0]);
  t.equal(found(['a', `${long}1`], long), undefined, 'what goes on as well may stand anywhere');
  t.equal(found([`${long}1`, 'a'], long, byNameDown), undefined);
});

t.test('a member is found by its place, and is the same object if its leaf stays decoded', async (t) => {
  const bodies = Array.from({ length: 300 }, (_, i) => ({ name: `${i}` }));
  for (const keeper of [undefined, nothingStays]) {
    const source = new CapturedMembers(packed(bodies, keeper).capture());
    const [once, again] = [source.at(17), source.at(17)];
    t.equal(once === again, keeper === undefined);
    const places = [0, 255, 256, 299, 17, 17, ...Array.from({ length: 100 }, (_, i) => i)];
    for (const place of places) t.equal(source.at(place).value['name'], `${place}`);
  }
});
