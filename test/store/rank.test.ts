/** Ranks for a new order: always ascending, with as few changes as possible. */

import t from 'tap';
import { popups } from '../../src/model/resources.ts';
import { rankInOrder } from '../../src/store/list/rank.ts';
import { spreadBefore } from '../../src/store/list/spread.ts';
import fc from '../support/fast-check.ts';
import { keptLeaves } from '../support/kept-leaves.ts';
import { seed, sized } from '../support/tier.ts';

const ranks = fc.uniqueArray(fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double({ min: -9, max: 9, noNaN: true })), {
  maxLength: 40,
});
const nextOf = (given: readonly number[]): number => Math.max(0, ...given.map((rank) => Math.floor(rank) + 1));

/** Length of a longest ascending run, by trying all that came before. */
function longest(values: readonly number[]): number {
  const lengths: number[] = [];
  values.forEach((value, i) => {
    lengths.push(1 + Math.max(0, ...lengths.filter((_, j) => j < i && (values[j] as number) < value)));
  });
  return Math.max(0, ...lengths);
}

t.test(`ranks ascend, and as few as possible change (seed ${seed})`, async (t) => {
  fc.assert(
    fc.property(ranks, (given) => {
      const next = nextOf(given);
      const { ranks: made, renumbered } = rankInOrder(given, next);
      if (made.length !== given.length) throw new Error('another number of ranks');
      if (made.some((rank, i) => i > 0 && !(rank > (made[i - 1] as number)))) throw new Error('they do not ascend');
      if (!made.every(Number.isFinite)) throw new Error('a rank is no number');
      const kept = made.filter((rank, i) => rank === given[i]).length;
      if (!renumbered && kept < longest(given)) throw new Error(`${kept} stayed, ${longest(given)} could have`);
    }),
    { seed, numRuns: sized({ sample: 125, all: 500 }) },
  );
  t.pass('in every order');
});

t.test('members that stay in order keep their ranks', async (t) => {
  const given = [0, 1, 2.5, 7];
  t.strictSame(rankInOrder(given, 8), { ranks: given, renumbered: false });
  t.strictSame(rankInOrder([], 3), { ranks: [], renumbered: false });
});

t.test('a moved member gets a rank between its new neighbours, or beyond them at an end', async (t) => {
  t.strictSame(rankInOrder([0, 3, 1, 2], 4).ranks, [0, 0.5, 1, 2]);
  t.strictSame(rankInOrder([3, 0, 1, 2], 4).ranks, [-1, 0, 1, 2]);
  t.strictSame(rankInOrder([1, 2, 3, 0], 4).ranks, [1, 2, 3, 4], 'at the end: one that was never used');
});

t.test('all ranks are renumbered, and reported, if two neighbours have no rank between them', async (t) => {
  let given = [0, 1, 2];
  let moves = 0;
  let renumbered = false;
  for (; !renumbered && moves < 5000; moves++) {
    // The last goes between the first two, again and again: the gap there halves each time.
    ({ ranks: given, renumbered } = rankInOrder([given[0] as number, given[2] as number, given[1] as number], 3));
  }
  t.ok(renumbered, 'a float has only so many places');
  t.ok(moves > 40, 'but some');
  t.strictSame(given, [0, 1, 2]);
});

t.test('members around a place get ascending ranks below that of the member that follows', async (t) => {
  const rank = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(
      fc.uniqueArray(rank, { minLength: 2, maxLength: 40 }),
      fc.nat(),
      fc.integer({ min: 1, max: 6 }),
      (given, n, size) => {
        const sorted = given.toSorted((a, b) => a - b);
        const members = sorted.map((each, i) => ({
          value: popups.create(`id-${i}`, {}, {}),
          version: 1,
          rank: each,
          json: undefined,
        }));
        const leaves = Array.from({ length: Math.ceil(members.length / size) }, (_, i) =>
          keptLeaves.make(popups, members.slice(i * size, (i + 1) * size)),
        );
        const leaf = n % leaves.length;
        const at = n % (leaves[leaf]?.count ?? 1);
        const { from, next, free } = spreadBefore(leaves, { leaf, at });
        const made = leaves.toSpliced(from, next.length, ...next).flatMap((each) => each.members.map((member) => member.rank));
        const place = leaf * size + at;
        const all = made.toSpliced(place, 0, free);
        if (all.some((each, i) => i > 0 && each <= (all[i - 1] as number))) throw new Error(`ranks do not ascend: ${all.join()}`);
        const end = Math.min((from + next.length) * size, members.length) - 1;
        if (made[end] !== sorted[end]) throw new Error('the last one has another rank');
      },
    ),
    { seed },
  );
  t.pass('always');
});
