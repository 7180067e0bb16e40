/** Leaves are bounded in bytes and in members, so that each change decodes a bounded amount. */

import t from 'tap';
import { popups } from '../../src/model/resources.ts';
import { Collection } from '../../src/store/collection.ts';
import { liveLeaves } from '../../src/store/live-leaf.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import fc from '../support/fast-check.ts';
import { FullMemory, keptLeaves } from '../support/kept-leaves.ts';
import { sized } from '../support/tier.ts';

const mebibyte = 1024 * 1024;
const idOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const contents = ['', 'x'.repeat(100_000), 'x'.repeat(400_000), 'x'.repeat(3 * mebibyte)] as const;
const popupOf = (number: number, size: number) => popups.create(idOf(number), {}, { content: contents[size] as string });

const size = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(contents.length - 1));
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), size }),
    fc.record({ kind: fc.constant('change' as const), at: fc.nat(), size }),
    fc.record({ kind: fc.constantFrom('delete' as const, 'move' as const), at: fc.nat() }),
    fc.record({ kind: fc.constantFrom('capture' as const, 'pack' as const) }),
  ),
  { minLength: 10, maxLength: 60, size: 'max' },
);

/** What chance may leave out in all runs: a leaf with more than one large member. */
const twoLarge = Array.from({ length: 2 }, () => ({ kind: 'add' as const, size: 2 }));

for (const [situation, leavesOf] of [
  ['with free memory', () => keptLeaves],
  ['with little memory', liveLeaves],
  ['in a snapshot run', () => runLeaves],
] as const) {
  t.test(`leaves of large members stay small and correct, ${situation}`, async (t) => {
    let largest = 0;
    const holds = () =>
      fc.assert(
        fc.property(steps, (todo) => {
          const memory = new FullMemory();
          const collection = new Collection(popups, leavesOf(memory));
          /** Number and size, in the order in which they are to stand. */
          const expected: [number, number][] = [];
          let made = 0;
          todo.forEach((step, i) => {
            const at = 'at' in step && expected.length > 0 ? step.at % expected.length : -1;
            if (step.kind === 'add') {
              collection.put(popupOf(++made, step.size), i + 1);
              expected.push([made, step.size]);
            } else if (step.kind === 'change' && at >= 0) {
              const [number] = expected[at] as [number, number];
              collection.put(popupOf(number, step.size), i + 1);
              expected[at] = [number, step.size];
            } else if (step.kind === 'delete' && at >= 0) {
              for (const [number] of expected.splice(at, 1)) collection.delete(idOf(number), i + 1);
            } else if (step.kind === 'move' && at >= 0) {
              expected.push(...expected.splice(at, 1));
              collection.reorder(
                expected.map(([number]) => idOf(number)),
                i + 1,
              );
            } else if (step.kind === 'capture') collection.capture();
            else if (step.kind === 'pack') for (const leaf of collection.leaves) leaf.pack();
            memory.settle();
          });
          for (const leaf of collection.leaves) {
            const length = leaf.members.reduce((sum, { value }) => sum + (value['content'] as string).length, 0);
            if (leaf.count > 1) largest = Math.max(largest, length);
          }
          const found = Array.from(collection.capture(), ({ value }) => [value.id, (value['content'] as string).length]);
          const wanted = expected.map(([number, size]) => [idOf(number), (contents[size] as string).length]);
          if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error('the members differ');
          for (const [number, size] of expected) {
            if (collection.get(idOf(number))?.value['content'] !== contents[size]) throw new Error(`${number} is not found`);
          }
        }),
        { numRuns: sized({ sample: 15, all: 60 }), examples: [[twoLarge]] },
      );
    t.doesNotThrow(holds);
    // A leaf is cut at twice what it gets no further member at, and the last one it got may weigh as much as any.
    t.ok(
      largest > mebibyte / 2 && largest < 5 * mebibyte,
      `the largest leaf with more than one member has ${largest} characters`,
    );
  });
}
