// tier: normal
/** Diffs of a state: applied, taken back, joined, and carried over what others have done. */
import t from 'tap';
import {
  apply,
  arranged,
  type Diff,
  emptyDiff,
  invert,
  type Members,
  type MutableState,
  placedIn,
  type Side,
  squash,
} from '../../src/lib/change/diff.ts';
import { DiffBuilder } from '../../src/lib/change/diff-builder.ts';
import { type Kinds, rebase } from '../../src/lib/change/rebase.ts';
import { sameJson } from '../../src/lib/change/same-json.ts';
import { isPlain, mergedParts } from '../../src/lib/change/value-parts.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/tier.ts';

/** Boxes in `boxes`, with things in them; `note` has parts. */
const kinds: Kinds = {
  inside: (id, collection) => (collection === 'boxes' ? `in:${id}` : undefined),
  ownerOf: (collection) => (collection.startsWith('in:') ? collection.slice('in:'.length) : undefined),
  hasParts: (_, member) => member === 'note',
};

class MapState implements MutableState {
  readonly #sides = new Map<string, Side>();
  readonly #orders = new Map<string, readonly string[]>();

  get(id: string): Side | undefined {
    return this.#sides.get(id);
  }

  ids(collection: string): readonly string[] {
    return this.#orders.get(collection) ?? [];
  }

  put(id: string, side: Side): void {
    const before = this.#sides.get(id);
    this.#sides.set(id, side);
    if (before?.in === side.in) return;
    if (before !== undefined) this.#leave(id, before);
    this.#orders.set(side.in, [...this.ids(side.in), id]);
  }

  remove(id: string): void {
    const before = this.#sides.get(id);
    if (before === undefined) return;
    this.#sides.delete(id);
    this.#leave(id, before);
  }

  #leave(id: string, { in: collection }: Side): void {
    this.order(
      collection,
      this.ids(collection).filter((each) => each !== id),
    );
  }

  order(collection: string, ids: readonly string[]): void {
    if (ids.length === 0) this.#orders.delete(collection);
    else this.#orders.set(collection, ids);
  }

  /** Everything in it, to compare. */
  get all(): unknown {
    const sorted = (entries: Iterable<[string, unknown]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      sorted(this.#orders),
      sorted([...this.#sides].map(([id, { in: collection, members }]) => [id, [collection, sorted(Object.entries(members))]])),
    ];
  }

  copy(): MapState {
    const copy = new MapState();
    for (const [, ids] of this.#orders) for (const id of ids) copy.put(id, this.#sides.get(id) as Side);
    return copy;
  }
}

const boxes = ['b1', 'b2', 'b3'] as const;
const things = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'] as const;

function example(): MapState {
  const state = new MapState();
  for (const id of boxes) state.put(id, { in: 'boxes', members: { name: id } });
  for (const [at, id] of things.entries())
    state.put(id, { in: `in:${boxes[at % 2]}`, members: { name: id, size: at, note: { a: 1, b: at } } });
  return state;
}

type Act = (edit: DiffBuilder, state: MapState) => void;

const members = fc.dictionary(
  fc.constantFrom('name', 'size', 'note'),
  fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(undefined), fc.constant({ a: 1 }), fc.constant({ a: 2, c: 1 })),
  { noNullPrototype: true },
);
const anyId = fc.constantFrom(...boxes, ...things);
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(anyId, members).map(
    ([id, changed]): Act =>
      (edit) =>
        void edit.put(id, changed),
  ),
  anyId.map(
    (id): Act =>
      (edit, state) =>
        void (state.get(id) !== undefined && edit.remove(id)),
  ),
  fc.tuple(fc.constantFrom(...boxes), fc.constantFrom(...things), members, fc.nat(6)).map(
    ([box, id, value, place]): Act =>
      (edit, state) => {
        const size = state.ids(`in:${box}`).length;
        if (state.get(id) === undefined && state.get(box) !== undefined)
          edit.create(`in:${box}`, defined(value), { id, place: Math.min(place, size) });
      },
  ),
  fc.constantFrom(...boxes).map(
    (id): Act =>
      (edit, state) =>
        void (state.get(id) === undefined && edit.create('boxes', { name: 'again' }, { id, place: 0 })),
  ),
  fc.tuple(fc.constantFrom(...things), fc.constantFrom(...boxes)).map(
    ([id, box]): Act =>
      (edit, state) =>
        void (state.get(box) !== undefined && state.get(id)?.in.startsWith('in:') && edit.move(id, `in:${box}`)),
  ),
  fc.tuple(anyId, fc.nat(6), fc.nat(6)).map(
    ([id, place, other]): Act =>
      (edit, state) => {
        const collection = state.get(id)?.in;
        if (collection === undefined) return;
        const ids = state.ids(collection);
        const second = ids[other % ids.length] as string;
        const rest = ids.filter((each) => each !== id && each !== second);
        edit.place(
          collection,
          rest.toSpliced(place % (rest.length + 1), 0, id, ...(second === id ? [] : [second])),
          new Set([id, second]),
        );
      },
  ),
);
const acts = fc.array(act, { maxLength: 6 });

const defined = (value: Members): Members => Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

/** The diff of several changes, each made over the one before. It does what they do one by one. */
function diffOf(state: MapState, list: readonly Act[]): Diff {
  const scratch = state.copy();
  let whole = emptyDiff;
  for (const each of list) {
    const edit = new DiffBuilder(scratch, kinds, () => 'new');
    each(edit, scratch);
    const { diff } = edit;
    apply(scratch, diff);
    whole = squash(whole, diff);
  }
  t.strictSame(after(state, whole).all, scratch.all);
  return whole;
}

/** A state after a diff. */
function after(state: MapState, diff: Diff): MapState {
  const next = state.copy();
  apply(next, diff);
  return next;
}

const edit = (state: MapState): DiffBuilder => new DiffBuilder(state, kinds, () => 'new');

const runs = { numRuns: sized({ sample: 500, all: 20_000 }) };

t.test('what a diff has done is taken back by its inverse', async (t) => {
  fc.assert(
    fc.property(acts, (list) => {
      const state = example();
      const diff = diffOf(state, list);
      t.strictSame(after(after(state, diff), invert(diff)).all, state.all);
    }),
    runs,
  );
});

t.test('two diffs that follow each other do the same as one', async (t) => {
  fc.assert(
    fc.property(acts, acts, (one, two) => {
      const state = example();
      const first = diffOf(state, one);
      const middle = after(state, first);
      const second = diffOf(middle, two);
      const joined = squash(first, second);
      const ended = after(middle, second);
      t.strictSame(after(state, joined).all, ended.all);
      t.strictSame(after(ended, invert(joined)).all, state.all);
    }),
    runs,
  );
});

t.test('over nothing that others have done, a diff is left as it is', async (t) => {
  fc.assert(
    fc.property(acts, (list) => {
      const state = example();
      const diff = diffOf(state, list);
      const { left, conflicts } = rebase(diff, state, kinds);
      t.strictSame(conflicts, []);
      t.strictSame(after(state, left).all, after(state, diff).all);
      t.strictSame(after(after(state, left), invert(left)).all, state.all);
    }),
    runs,
  );
});

t.test('over what others have done, nothing of theirs is overwritten, and all of mine is there or a conflict', async (t) => {
  fc.assert(
    fc.property(acts, acts, (mine, theirs) => {
      const state = example();
      const diff = diffOf(state, mine);
      const now = after(state, diffOf(state, theirs));
      const { left, conflicts } = rebase(diff, now, kinds);
      const ended = after(now, left);
      t.strictSame(after(ended, invert(left)).all, now.all, 'its inverse leads back');
      for (const { id, from, to } of diff.changes.values()) {
        const [before, present, made] = [state.get(id), now.get(id), ended.get(id)];
        const found = conflicts.find((conflict) => conflict.id === id);
        if (to === undefined) t.equal(made, undefined);
        else if (present === undefined && from !== undefined)
          t.ok(Object.keys(to.members).length === 0 || found?.is === 'deleted');
        else if (from === undefined) t.ok(made !== undefined || found?.is === 'deleted');
        else
          for (const [name, value] of Object.entries(to.members)) {
            const isConflict = found?.is === 'changed' && found.members.some(({ member }) => member === name);
            const [was, is, becomes] = [before, present, made].map((side) => JSON.stringify(side?.members[name]));
            if (isConflict) t.equal(becomes, is, 'a conflict leaves the value of the other');
            else if (is !== was && is !== JSON.stringify(value)) t.equal(name, 'note', 'only parts are joined');
            else if (is === was || name !== 'note') t.equal(becomes, JSON.stringify(value));
          }
      }
      for (const id of [...boxes, ...things])
        if (!diff.changes.has(id) && !left.changes.has(id)) t.strictSame(ended.get(id), now.get(id), 'others are left alone');
    }),
    runs,
  );
});

t.test('a resource with others in it takes them along, also those of others', async (t) => {
  const state = example();
  const diff = new DiffBuilder(state, kinds, () => '').remove('b1').diff;
  state.put('theirs', { in: 'in:b1', members: {} });
  const { left } = rebase(diff, state, kinds);
  const before = state.copy();
  apply(state, left);
  t.strictSame([state.get('theirs'), state.ids('in:b1')], [undefined, []]);
  apply(state, invert(left));
  t.strictSame(state.all, before.all);
});

t.test('what is to be created where nothing can be is a conflict, and a move there is left out', async (t) => {
  const state = example();
  const edit = new DiffBuilder(state, kinds, () => 'new');
  edit.create('in:b3', { name: 'n' });
  edit.move('x1', 'in:b3').put('x1', { size: 9 });
  state.remove('b3');
  const { left, conflicts } = rebase(edit.diff, state, kinds);
  t.strictSame(conflicts, [{ is: 'deleted', id: 'new', in: 'in:b3', mine: { name: 'n' } }]);
  apply(state, left);
  t.match(state.get('x1'), { in: 'in:b1', members: { size: 9 } });
});

t.test('parts of a member are joined, unless both have changed the same one', async (t) => {
  const over = (theirs: object) => {
    const state = example();
    const { diff } = new DiffBuilder(state, kinds, () => '').put('x1', { note: { a: 5, b: 0 } });
    apply(state, new DiffBuilder(state, kinds, () => '').put('x1', { note: theirs }).diff);
    return rebase(diff, state, kinds);
  };
  t.match(over({ a: 1, b: 7 }).left.changes.get('x1')?.to?.members, { note: { a: 5, b: 7 } });
  t.match(over({ a: 6, b: 0 }).conflicts, [{ is: 'changed', members: [{ member: 'note', theirs: { a: 6, b: 0 } }] }]);
});

t.test('a builder leaves out what changes nothing', async (t) => {
  const state = example();
  const built = edit(state);
  built.put('x1', { name: 'x1', size: 0 }).put('none', { size: 1 }).remove('none');
  built
    .move('none', 'in:b2')
    .move('x1', 'in:b1')
    .place('boxes', boxes, new Set(['b1']));
  t.equal(built.isEmpty, true);
  built.put('x1', { name: 'x1', size: 7 });
  t.equal(built.isEmpty, false);
  t.strictSame(
    [...built.diff.changes.values()],
    [{ id: 'x1', from: { in: 'in:b1', members: { size: 0 } }, to: { in: 'in:b1', members: { size: 7 } } }],
  );
});

t.test('orders of a diff have what is added, and not what is removed', async (t) => {
  const built = edit(example());
  built.remove('x1').remove('x5');
  built.create('in:b1', {});
  built.create('in:b1', {}, { id: 'other' });
  built.create('in:b1', {}, { id: 'first', place: 0 });
  t.strictSame(built.diff.orders.get('in:b1'), { from: ['x1', 'x3', 'x5'], to: ['first', 'x3', 'new', 'other'] });
  const placed = edit(example()).place('boxes', ['b1', 'b3', 'b2'], new Set(['b3'])).diff;
  t.strictSame(placed.orders.get('boxes'), { from: boxes, to: ['b1', 'b3', 'b2'] });
  t.strictSame([placedIn(placed.changes, 'boxes'), placedIn(placed.changes, 'in:b1')], [new Set(['b3']), new Set()]);
  t.strictSame(placedIn(edit(example()).put('x1', { size: 7 }).diff.changes, 'in:b1'), new Set());
});

t.test('what is placed follows the neighbour before it that is there, or leads the one after it', async (t) => {
  t.strictSame(arranged(['o', 'a', 'p'], ['p', 'a'], new Set(['p'])), ['o', 'p', 'a']);
  t.strictSame(arranged(['a', 'b'], ['a', 'z', 'b'], new Set(['z'])), ['a', 'b'], 'not what is not there');
  t.strictSame(arranged(['o', 'p'], ['p'], new Set(['p'])), ['o', 'p'], 'without neighbours it is the last');
});

t.test('diffs that follow each other leave only what is different in the end', async (t) => {
  const state = example();
  const first = edit(state).put('x1', { name: 'other', size: 7 }).diff;
  const back = edit(after(state, first)).put('x1', { name: 'x1' }).diff;
  t.strictSame(
    [...squash(first, back).changes.values()],
    [{ id: 'x1', from: { in: 'in:b1', members: { size: 0 } }, to: { in: 'in:b1', members: { size: 7 } } }],
  );
  t.equal(squash(first, invert(first)).changes.size, 0);
  const created = edit(state);
  created.create('boxes', { name: 'n' });
  t.equal(squash(created.diff, edit(after(state, created.diff)).remove('new').diff).changes.size, 0);
  const two = edit(state).put('x1', { size: 7 }).put('x2', { size: 8 }).diff;
  t.strictSame([...invert(two).changes.keys()], ['x2', 'x1'], 'an inverse begins with the last change');
});

t.test('what others have done as well is not left, and in no conflict', async (t) => {
  const state = example();
  const mine = edit(state).put('x1', { size: 7 }).remove('x2').diff;
  t.strictSame(rebase(mine, after(state, mine), kinds), { left: emptyDiff, conflicts: [] });
  const created = edit(state);
  created.create('in:b1', { size: 7 });
  t.equal(rebase(created.diff, after(state, created.diff), kinds).left.changes.size, 0);
  const moved = edit(state).move('x1', 'in:b2').diff;
  t.strictSame(rebase(moved, after(state, edit(state).remove('x1').diff), kinds), { left: emptyDiff, conflicts: [] });
});

t.test('what is created in something that the same diff creates is no conflict, and what is created has its place', async (t) => {
  const state = example();
  const built = edit(state);
  built.create('boxes', { name: 'n' }, { id: 'b4' });
  built.create('in:b4', { name: 'in it' });
  const { left, conflicts } = rebase(built.diff, state, kinds);
  t.strictSame(conflicts, []);
  t.strictSame(after(state, left).ids('in:b4'), ['new']);
  const first = edit(state).remove('x3');
  first.create('in:b1', {}, { place: 0 });
  const order = { from: ['x1', 'x3', 'x5'], to: ['new', 'x1', 'x5'] };
  t.strictSame(rebase(first.diff, state, kinds).left.orders, new Map([['in:b1', order]]));
  const alone = edit(state);
  alone.create('in:b1', {}, { place: 0 });
  t.strictSame(after(state, rebase(alone.diff, state, kinds).left).ids('in:b1'), ['new', 'x1', 'x3', 'x5']);
});

t.test('parts that only one has changed are joined without a conflict; a part of both stays theirs', async (t) => {
  const state = example();
  const mine = edit(state).put('x1', { note: { a: 5 } }).diff;
  const over = (note: Members) => rebase(mine, after(state, edit(state).put('x1', { note }).diff), kinds);
  t.strictSame(over({ a: 1, b: 0, c: 2 }).conflicts, []);
  t.strictSame(over({ a: 1, b: 0, c: 2 }).left.changes.get('x1')?.to?.members, { note: { a: 5, c: 2 } });
  const both = over({ a: 6 });
  t.equal(both.left.changes.size, 0);
  t.strictSame(both.conflicts, [
    { is: 'changed', id: 'x1', members: [{ member: 'note', base: { a: 1, b: 0 }, mine: { a: 5 }, theirs: { a: 6 } }] },
  ]);
  t.strictSame(mergedParts({ a: 1, b: 2 }, { a: 1 }, { a: 3, b: 2 }, true), { a: 3 });
  t.strictSame([{}, [], null, 'text', 1].map(isPlain), [true, false, false, false, false]);
});

t.test('a step back removes nothing that others have changed; rounding is no change', async (t) => {
  const state = example();
  const place = { x: 1000, y: 0, size: 'a', deep: { list: [1, null] } };
  const created = edit(state);
  created.create('boxes', { name: 'n', ...place }, { id: 'b4' });
  created.create('in:b4', { name: 'in it' }, { id: 'x9' });
  const now = after(state, created.diff);
  const back = invert(created.diff);
  const foreign = (theirs: (built: DiffBuilder) => void) => {
    const built = edit(now);
    theirs(built);
    const { left, conflicts } = rebase(back, after(now, built.diff), kinds, back.changes);
    t.strictSame(new Set(conflicts.map(({ is }) => is)), new Set(conflicts.length === 0 ? [] : ['foreign']));
    return [conflicts.map(({ id }) => id), [...left.changes.keys()]];
  };
  t.strictSame(
    foreign(() => undefined),
    [[], ['x9', 'b4']],
  );
  for (const [member, value] of Object.entries({ x: 1000.001, y: -1e-6, name: 'n', deep: { list: [1 + 1e-7, null] } }))
    t.strictSame(
      foreign((built) => built.put('b4', { [member]: value })),
      [[], ['x9', 'b4']],
      `${member} as it was`,
    );
  for (const [member, value] of [
    ['x', 1000.002],
    ['y', 2e-6],
    ['y', null],
    ['name', 'm'],
    ['name', ['n']],
    ['size', 1],
  ] as const)
    t.strictSame(
      foreign((built) => built.put('b4', { [member]: value })),
      [['b4'], ['x9']],
      `another ${member}`,
    );
  for (const deep of [
    null,
    'text',
    {},
    { list: [1] },
    { list: [1, 0] },
    { list: [1, {}] },
    { list: [2, null] },
    { other: [1, null] },
    { list: [1, null], more: 1 },
  ])
    t.strictSame(
      foreign((built) => built.put('b4', { deep })),
      [['b4'], ['x9']],
      JSON.stringify(deep),
    );
  t.strictSame(
    foreign((built) => built.put('x9', { name: 'theirs' })),
    [['x9', 'b4'], []],
    'something in it',
  );
  t.strictSame(
    foreign((built) => built.move('x9', 'in:b1')),
    [['x9'], ['b4']],
    'it is in another collection',
  );
  t.strictSame(
    foreign((built) => void built.create('in:b4', {}, { id: 'theirs' })),
    [['b4'], ['x9']],
    'something else in it',
  );
  t.strictSame(
    foreign((built) => built.remove('x9')),
    [[], ['b4']],
    'it is gone',
  );
  const kept = edit(now).put('b4', { name: 'mine' }).diff;
  t.strictSame(rebase(kept, now, kinds, kept.changes).conflicts, [], 'only of what is removed');
});

t.test('JSON values are equal with the same members in the same order', async (t) => {
  const values = [0, 1, '', '0', null, true, [], {}, [0], [0, 1], [1, 0], [[]], [{}], { 0: 0 }, { a: 0 }, { a: 1 }, { b: 0 }];
  const more = [
    { a: 0, b: 1 },
    { b: 1, a: 0 },
    { a: 0, b: 2 },
    { a: { b: [1, null] } },
    { a: { b: [1, 0] } },
    { length: 0 },
    { length: 1, 0: 0 },
  ];
  const all: readonly unknown[] = [...values, ...more, undefined];
  for (const [at, left] of all.entries())
    for (const [other, right] of all.entries())
      t.equal(sameJson(left, structuredClone(right)), at === other, `${JSON.stringify(left)}, ${JSON.stringify(right)}`);
  t.equal(sameJson(-0, 0), true);
});
