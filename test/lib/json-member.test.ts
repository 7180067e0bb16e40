// tier: normal
/** Large JSON as bytes: members are found without parsing, and pieces are joined, in slices. */
import t from 'tap';
import { runToEnd } from '../../src/lib/async/run-to-end.ts';
import { BytePieces } from '../../src/lib/json/byte-pieces.ts';
import { findingMember } from '../../src/lib/json/json-member.ts';
import fc from '../support/fast-check.ts';

const found = (json: string, name: string): string | undefined => {
  const bytes = Buffer.from(json);
  const place = runToEnd(findingMember(bytes, name));
  return place && bytes.toString('utf8', place.start, place.end);
};

t.test('a member is found with its value, wherever it is, and none that is inside another value', async () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ maxLength: 3 }).map((text) => ({ 'a"\\': [text, { 'a"\\': 1 }] })),
  );
  await fc.assert(
    fc.property(fc.dictionary(fc.string(), value), fc.option(value, { nil: undefined }), (others, own) => {
      const { 'a"\\': _, ...rest } = others;
      const object = own === undefined ? rest : { ...rest, 'a"\\': own, last: 'a"\\' };
      const expected = own === undefined ? undefined : JSON.stringify(own);
      if (found(JSON.stringify(object), 'a"\\') !== expected) throw new Error(JSON.stringify(object));
    }),
  );
});

t.test('a member larger than a slice is found, and the work pauses in between', async (t) => {
  const large = { a: 'x'.repeat(1_000_000), b: Array.from({ length: 100_000 }, (_, i) => ({ c: i })), c: [5] };
  const json = JSON.stringify(large);
  t.equal(found(json, 'c'), '[5]');
  t.equal(found(json, 'b'), JSON.stringify(large.b));
  t.equal(found(json, 'd'), undefined);
  t.ok([...findingMember(Buffer.from(json), 'c')].length > 3);
});

t.test('pieces have the bytes of their text, each short, and are counted until they are taken', async (t) => {
  const text = ['é', 'x'.repeat(1_000_000), '', Buffer.from('end')];
  const expected = Buffer.concat(text.map((part) => Buffer.from(part)));
  const pieces = runToEnd(BytePieces.of(text));
  t.equal(pieces.bytes, expected.length);
  const taken = [...pieces];
  t.ok(taken.every(({ length }) => length <= 256 * 1024));
  t.ok(Buffer.concat(taken).equals(expected));
  t.equal(pieces.bytes, 0);
  t.ok(runToEnd(runToEnd(BytePieces.of(text)).joining()).equals(expected));
});
