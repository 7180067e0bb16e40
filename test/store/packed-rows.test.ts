/** Rows that are read without decoding the others: the same as after decoding all, for valid and invalid bytes. */

import t from 'tap';
import { resourceOf } from '../../src/model/resources.ts';
import { RecordFormatError, unpack } from '../../src/model/stored.ts';
import { IdIndex } from '../../src/store/indexes/id-index.ts';
import type { Member } from '../../src/store/member.ts';
import { packMembers, unpackMembers } from '../../src/store/rows/member-rows.ts';
import { PackedRows } from '../../src/store/rows/packed-rows.ts';
import { bodyOf } from '../support/arbitrary.ts';
import fc from '../support/fast-check.ts';
import { sized } from '../support/tier.ts';

const { objects, popups } = resourceOf;
const ranks = fc.oneof(
  fc.nat(300),
  fc.integer(),
  fc.nat(2 ** 40),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.nat(70_000),
);

const membersOf = (resource: typeof objects) =>
  fc.array(
    fc.record({
      rank: ranks,
      version: fc.oneof(fc.nat(200), fc.nat(2 ** 33)),
      value: fc
        .tuple(fc.oneof(fc.uuid(), fc.string()), bodyOf(resource))
        .map(([id, body]) => resource.create(id, {}, JSON.parse(JSON.stringify(body)))),
      json: fc.constant(undefined),
    }),
    { maxLength: 40 },
  );

/** What a way of reading gives, or that it refuses. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecordFormatError) return 'refused';
    throw error;
  }
}

const all = (bytes: Uint8Array) => {
  const rows = new PackedRows(bytes);
  return Array.from({ length: rows.count }, (_, i) => [rows.rank(i), rows.version(i), rows.id(i), rows.row(i)]);
};

for (const resource of [objects, popups]) {
  t.test(`${resource.noun}: a row read alone equals the same row after decoding all`, async (t) => {
    fc.assert(
      fc.property(membersOf(resource), (members: Member[]) => {
        const bytes = packMembers(resource, members);
        const decoded = unpackMembers(resource, bytes);
        const raw = unpack(bytes);
        const found = all(bytes);
        return (
          found.length === members.length &&
          decoded.every(({ rank, version, value }, i) => {
            const [r, v, id, row] = found[i] as [number, number, string, unknown];
            return Object.is(r, rank) && v === version && id === value.id && JSON.stringify(row) === JSON.stringify(raw[i]);
          })
        );
      }),
      { numRuns: sized({ sample: 50, all: 200 }) },
    );
    t.pass('200 leaves');
  });
}

t.test('changed bytes are refused, or read as the decoder reads them', async (t) => {
  const sound = packMembers(
    popups,
    Array.from({ length: 20 }, (_, i) => ({
      rank: i / 2,
      version: i,
      value: popups.create(`id ${i}`, {}, { title: `${i}` }),
      json: undefined,
    })),
  );
  fc.assert(
    fc.property(fc.nat(sound.length - 1), fc.nat(255), fc.nat(sound.length), (at, byte, length) => {
      const bytes = Buffer.from(sound.subarray(0, length < 20 ? length : undefined));
      bytes[at % Math.max(1, bytes.length)] = byte;
      const found = outcome(() => all(bytes)) as string | unknown[][];
      if (found === 'refused') return true;
      // What was found of a row must be what stands in it; a decoder that refuses the whole may do so for what is not looked at here.
      return (found as unknown[][]).every(([rank, version, id, row]) => {
        const [r, v, i] = row as unknown[];
        return Object.is(r, rank) && Object.is(v, version) && i === id;
      });
    }),
    { numRuns: sized({ sample: 500, all: 3000 }) },
  );
  for (const bytes of [
    [],
    [0x92],
    [0xc1],
    [0x91, 0xdd, 255, 255, 255, 255],
    [0xdd, 255, 255, 255, 255],
    [0x91, 0x93, 1, 1],
    [0x90, 0],
  ])
    t.throws(() => all(Uint8Array.from(bytes)), RecordFormatError, `${bytes}`);
  const deep = Buffer.concat([Buffer.alloc(200_000, 0x91), Buffer.of(0x90)]);
  t.throws(() => all(deep), RecordFormatError, 'nesting without end is walked over, and is no member');
});

t.test('identifiers with the same ending are distinguished', async (t) => {
  const ids = ['a-00000000', 'b-00000000', '', 'x', 'c-00000000', 'a-00000001'];
  const tails = new IdIndex(3, ids.length, (i) => ids[i] as string);
  t.strictSame(
    ids.map((id) => tails.indexOf(id)),
    [0, 1, 2, -1, -1, -1],
  );
  for (const id of ids.slice(3)) tails.add(id);
  t.strictSame(
    ids.map((id) => tails.indexOf(id)),
    [0, 1, 2, 3, 4, 5],
  );
  t.equal(tails.indexOf('d-00000000'), -1);
  for (const at of [0, 4, 2]) {
    const [gone] = ids.splice(at, 1);
    tails.remove(at);
    t.equal(tails.indexOf(gone as string), -1);
    t.strictSame(
      ids.map((id) => tails.indexOf(id)),
      ids.map((_, i) => i),
    );
  }
  tails.add('y');
  ids.push('y');
  t.equal(tails.indexOf('y'), 3);
});
