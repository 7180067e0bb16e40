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

const replaced = (json: string): string => Buffer.concat(runToEnd(replacingMembers(Buffer.from(json), replacements))).toString();

interface Item {
  readonly headers: readonly unknown[];
  readonly note: string;
}

const items = fc.array(
  fc.record({
    id: fc.string(),
    note: fc.constantFrom('', '"headers":[1]', '\\"}],', 'é\u2028', 'x'.repeat(20_000)),
    headers: fc.array(fc.oneof(fc.string(), fc.record({ headers: fc.string(), value: fc.constant('y'.repeat(9000)) }))),
    body: fc.jsonValue(),
  }),
  { maxLength: 5 },
);

t.test('members of lists are replaced, and everything else keeps its bytes', async (t) => {
  const holds = () =>
    fc.assert(
      fc.property(items, items, fc.jsonValue(), fc.jsonValue(), (sources, more, headers, last) => {
        const first = { headers, others: sources };
        const document = { id: 'p', first, sources, between: 0, more, headers, last };
        const expected = {
          ...document,
          sources: sources.map((each: Item) => ({ ...each, headers: [] })),
          more: more.map((each: Item) => ({ ...each, headers: [], note: '' })),
        };
        return replaced(JSON.stringify(document)) === JSON.stringify(expected);
      }),
    );
  t.doesNotThrow(holds);
});

t.test('a document that is not as expected is refused, so that nothing is shown by accident', async (t) => {
  const sound = '{"sources":[{"headers":["h"]}],"more":[]}';
  t.equal(replaced(sound), '{"sources":[{"headers":[]}],"more":[]}');
  for (const json of [
    sound.replace(',"more":[]', ''),
    sound.replace('[{', '[ {'),
    sound.replace('}]', '} ]'),
    sound.replace('{"headers"', '{ "headers"'),
    sound.replace('"sources":', '"sources": '),
    JSON.stringify(JSON.parse(sound), undefined, 1),
  ])
    t.throws(() => replaced(json), { message: /^cannot replace members of a document: it has / }, json);
});

t.test('it may be interrupted at each element, and at each 256 KiB of the document', async (t) => {
  const sources = Array.from({ length: 1000 }, (_, i) => ({ id: `${i}`, headers: ['h'.repeat(1000)] }));
  const json = JSON.stringify({ sources, more: [] });
  t.ok([...replacingMembers(Buffer.from(json), replacements)].length >= 1000 + json.length / (256 * 1024));
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
