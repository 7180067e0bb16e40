// tier: normal
/** Diffs of a state: applied, taken back, joined, and carried over what others have done. */
import t from 'tap';
import {
  apply,
  type Diff,
  emptyDiff,
  invert,
  type Members,
  type MutableState,
  type Side,
  squash,
} from '../../src/lib/change/diff.ts';
import { DiffBuilder } from '../../src/lib/change/diff-builder.ts';
import { type Kinds, rebase } from '../../src/lib/change/rebase.ts';
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

/** The diff of several changes, each made over the one before. */
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
  return whole;
}

/** A state after a diff. */
function after(state: MapState, diff: Diff): MapState {
  const next = state.copy();
  apply(next, diff);
  return next;
}

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
