// tier: normal
/** Large JSON as bytes: members of lists are replaced as they would be in the parsed value, and pieces are joined, in slices. */

import t from 'tap';
import { runToEnd } from '../../src/lib/async/run-to-end.ts';
import { BytePieces } from '../../src/lib/json/byte-pieces.ts';
import { type ListReplacements, replacingMembers } from '../../src/lib/json/json-member.ts';
import fc from '../support/fast-check.ts';

/** The document with `headers` and `note` of all elements of `sources` and `more` replaced. */
const replacements: ListReplacements = new Map([
  ['sources', new Map([['headers', '[]']])],
  ['more', new Map(Object.entries({ headers: '[]', note: '""' }))],
]);

/** @param pieceBytes of the document, so that pieces begin and end anywhere */
function replaced(json: string, pieceBytes: number): string {
  const bytes = Buffer.from(json);
  const document = new BytePieces();
  for (let at = 0; at < bytes.length; at += pieceBytes) document.add(Buffer.from(bytes.subarray(at, at + pieceBytes)));
  return Buffer.concat([...runToEnd(replacingMembers(document, replacements))]).toString();
}

interface Item {
  readonly headers: readonly unknown[];
  readonly note: string;
}

const items = fc.array(
  fc.record({
    id: fc.string(),
    note: fc.constantFrom('', '"headers":[1]', '\\"}],', 'é\u2028', 'x'.repeat(300)),
    headers: fc.array(fc.oneof(fc.string(), fc.record({ headers: fc.string(), value: fc.constant('y'.repeat(90)) }))),
    body: fc.jsonValue(),
  }),
  { maxLength: 5 },
);

t.test('members of lists are replaced, and everything else keeps its bytes', async (t) => {
  const holds = () =>
    fc.assert(
      fc.property(
        items,
        items,
        fc.jsonValue(),
        fc.jsonValue(),
        fc.constantFrom(1, 2, 7, 100, 1e6),
        (sources, more, headers, last, bytes) => {
          const first = { headers, others: sources };
          const document = { id: 'p', first, sources, between: 0, more, headers, last };
          const expected = {
            ...document,
            sources: sources.map((each: Item) => ({ ...each, headers: [] })),
            more: more.map((each: Item) => ({ ...each, headers: [], note: '' })),
          };
          return replaced(JSON.stringify(document), bytes) === JSON.stringify(expected);
        },
      ),
    );
  t.doesNotThrow(holds);
});

t.test('a document that is not as expected is refused, so that nothing is shown by accident', async (t) => {
  const sound = '{"sources":[{"headers":["h"]}],"more":[]}';
  for (const bytes of [1, 1000]) t.equal(replaced(sound, bytes), '{"sources":[{"headers":[]}],"more":[]}');
  for (const json of [
    sound.replace(',"more":[]', ''),
    sound.replace('[{', '[ {'),
    sound.replace('{"headers"', '{"head\\u0065rs"'),
    sound.replace('"headers":', '"headers" :'),
    sound.replace('[{', '[null,{'),
    sound.replace('"more":[]', '"more":{}'),
    sound.replace('["h"]', '0'),
    sound.slice(0, -1),
    sound.replace('{"headers"', '{ "headers"'),
    sound.replace('"sources":', '"sources": '),
    JSON.stringify(JSON.parse(sound), undefined, 1),
  ])
    t.throws(() => replaced(json, 1000), { message: /^cannot replace members of a document: it has / }, json);
});

t.test('it may be interrupted after each 256 KiB of the document, and holds only what remains', async (t) => {
  const sources = Array.from({ length: 10_000 }, (_, i) => ({ id: `${i}`, headers: ['h'.repeat(1000)] }));
  const document = runToEnd(BytePieces.of([JSON.stringify({ sources, more: [] })]));
  const { bytes } = document;
  let slices = 0;
  for (const _ of replacingMembers(document, replacements))
    t.ok(document.bytes <= bytes - ++slices * 200_000 || document.bytes === 0);
  t.ok(slices >= bytes / (256 * 1024));
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
