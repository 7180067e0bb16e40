/** The memory of the encoder. Its output is tested by round trips over HTTP and through files. */
import t from 'tap';
import { pack, unpack } from '../../src/model/stored.ts';

t.test('packing a large value keeps no large buffer', async (t) => {
  const large = ['x'.repeat(4_000_000)];
  const bytes = pack(large);
  const next = pack(['small']);
  t.ok(bytes.buffer.byteLength > 4_000_000);
  t.ok(next.buffer.byteLength <= 1024 * 1024, `${next.buffer.byteLength} bytes are kept for a few`);
  t.strictSame(unpack(bytes), large, 'and the bytes are still what they were');
  t.strictSame(unpack(next), ['small']);
});
