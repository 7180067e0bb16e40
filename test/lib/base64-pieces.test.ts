/** Base64 in pieces: the same for pieces of any size, and strict. */
import t from 'tap';
import { Base64Decoder, base64Length, base64Pieces } from '../../src/lib/text/base64-pieces.ts';
import fc from '../support/fast-check.ts';

/** `undefined` if it is refused. */
function decoded(text: string, size: number): Buffer | undefined {
  const decoder = new Base64Decoder();
  const found: Buffer[] = [];
  for (let i = 0; i < text.length; i += size) {
    const bytes = decoder.write(Buffer.from(text.slice(i, i + size), 'latin1'));
    if (bytes === undefined) return undefined;
    found.push(bytes);
  }
  const last = decoder.end();
  return last && Buffer.concat([...found, last]);
}

async function encoded(bytes: Uint8Array, size: number): Promise<string> {
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    const buffer = new Uint8Array(size);
    for (let i = 0; i < bytes.length; i += size) {
      const piece = bytes.subarray(i, i + size);
      // One buffer for all, as a reader of a file has it.
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
  }
  let text = '';
  for await (const piece of base64Pieces(pieces())) text += piece;
  return text;
}

t.test('any bytes are encoded and decoded in pieces of any size, also with escaped slashes', async () => {
  const sizes = fc.integer({ min: 1, max: 9 });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), sizes, sizes, async (bytes, one, other) => {
      const text = Buffer.from(bytes).toString('base64');
      if ((await encoded(bytes, one)) !== text || text.length !== base64Length(bytes.length)) throw new Error(text);
      for (const form of [text, text.replaceAll('/', '\\/')])
        if (decoded(form, other)?.equals(bytes) !== true) throw new Error(form);
    }),
  );
});

t.test('what is no base64 is refused, in pieces of any size', async (t) => {
  const wrong = [
    'A',
    'AA',
    'AAA',
    'A===',
    'AA=',
    '=',
    '====',
    'AA==AA==',
    'AA=A',
    'AAA=A',
    ' AAAA',
    'AA AA',
    'AAAA\n',
    'AA-_',
    'AA\\nA',
    'AAAA\\',
    '\u00e9AAA',
  ];
  for (const text of wrong) for (const size of [1, 3, 100]) t.equal(decoded(text, size), undefined, JSON.stringify(text));
  for (const text of ['', 'AA==', 'AAA=', 'AAAA']) t.ok(decoded(text, 2), text);
});
