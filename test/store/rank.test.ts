/** Ranks for a new order: always ascending, with as few changes as possible. */

import t from 'tap';
import { rankInOrder } from '../../src/store/list/rank.ts';
import fc from '../support/fast-check.ts';
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
