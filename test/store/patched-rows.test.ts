/** Patched rows equal the rows that are built from the members, byte for byte. */

import t from 'tap';
import { popups } from '../../src/model/resources.ts';
import type { Member } from '../../src/store/member.ts';
import { packMembers, repack } from '../../src/store/rows/member-rows.ts';
import { PatchedRows } from '../../src/store/rows/patched-rows.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/tier.ts';

const memberOf = (number: number, rank: number, version: number, content: string): Member => ({
  value: popups.create(`id-${String(number).padStart(6, '0')}`, {}, { content }),
  version,
  rank,
  json: undefined,
});

const text = fc.oneof(fc.string(), fc.constantFrom('', 'ü', '東京', 'x'.repeat(40), 'x'.repeat(300), 'x'.repeat(70_000)));
const changes = fc.array(fc.record({ at: fc.nat(), add: fc.boolean(), content: text }), { maxLength: 40 });

/** Ranks ascend with identifiers, or they do not. */
for (const sorted of [true, false]) {
  t.test(
    `rows patched by replacing and adding equal newly built ones, ${sorted ? 'sorted by identifier' : 'in another order'}`,
    async (t) => {
      let changed = 0;
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 40 }), changes, (count, todo) => {
          const numberAt = (i: number) => (sorted ? i : 999 - i);
          const expected = Array.from({ length: count }, (_, i) => memberOf(numberAt(i), i * 1.5, 1, `${i}`));
          const amended = new PatchedRows(popups, repack(popups, expected, expected.at(-1) as Member));
          todo.forEach(({ at, add, content }, i) => {
            const version = i + 2;
            if (add) {
              const made = memberOf(numberAt(expected.length), expected.length * 1.5, version, content);
              expected.push(made);
              amended.add(made);
              return;
            }
            const before = expected[at % expected.length] as Member;
            const { id } = before.value;
            const place = amended.place(id, sorted ? undefined : before.rank);
            if (place?.at !== at % expected.length || place.rank !== before.rank)
              throw new Error(`${id} is not found in its place`);
            const made = { ...before, version, value: popups.create(id, {}, { content }) };
            expected[place.at] = made;
            amended.replace(place.at, made);
            changed++;
          });
          const rows = packMembers(popups, expected);
          if (!amended.pack().equals(rows)) throw new Error('other bytes');
          if (JSON.stringify(amended.members()) !== JSON.stringify(expected)) throw new Error('other members');
          // The head of a list takes one byte or three.
          if (Math.abs(amended.bytes - rows.byteLength) > 2) throw new Error(`${amended.bytes} bytes, not ${rows.byteLength}`);
          if (amended.count !== expected.length || amended.lastRank !== expected.at(-1)?.rank) throw new Error('another end');
          if (amended.place('id', sorted ? undefined : 0.5) !== undefined) throw new Error('found what is not there');
        }),
        { numRuns: sized({ sample: 50, all: 200 }) },
      );
      t.ok(changed > 100);
    },
  );
}
