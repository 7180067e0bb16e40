/** Finds the end of msgpack items without decoding them, so that part of a long text can be decoded alone. */
import { RecordFormatError } from './stored.ts';

/** Length of an item of a type, excluding the first byte. */
interface ItemFormat {
  /** Size of the length field, in bytes; 0 if the item has a fixed size. */
  readonly lengthBytes: number;
  /** Unit of the length field. */
  readonly counts: 'bytes' | 'items';
  /** Fixed size, in bytes. */
  readonly bytes: number;
}

const formats: Readonly<Record<number, ItemFormat>> = {
  ...fixed([0xc0, 0xc2, 0xc3], 0),
  ...fixed([0xcc, 0xd0], 1),
  ...fixed([0xcd, 0xd1], 2),
  ...fixed([0xca, 0xce, 0xd2], 4),
  ...fixed([0xcb, 0xcf, 0xd3], 8),
  ...counted([0xc4, 0xd9], 1, 'bytes'),
  ...counted([0xc5, 0xda], 2, 'bytes'),
  ...counted([0xc6, 0xdb], 4, 'bytes'),
  ...counted([0xdc], 2, 'items'),
  ...counted([0xdd], 4, 'items'),
};

function fixed(codes: readonly number[], bytes: number): Record<number, ItemFormat> {
  return Object.fromEntries(codes.map((code) => [code, { lengthBytes: 0, counts: 'bytes', bytes }]));
}

function counted(codes: readonly number[], lengthBytes: number, counts: ItemFormat['counts']): Record<number, ItemFormat> {
  return Object.fromEntries(codes.map((code) => [code, { lengthBytes, counts, bytes: 0 }]));
}

/** The item count of the array at `at`, and the position of its first item. Throws {@link RecordFormatError} if there is no array. */
export function msgpackArray(bytes: Buffer, at: number): { readonly count: number; readonly at: number } {
  const code = byteAt(bytes, at);
  if (code >= 0x90 && code <= 0x9f) return { count: code & 0x0f, at: at + 1 };
  const format = formats[code];
  if (format?.counts !== 'items') throw new RecordFormatError(`expected an array, found byte ${code}`);
  return { count: lengthAt(bytes, at + 1, format.lengthBytes), at: at + 1 + format.lengthBytes };
}

/** The end of the item at `at`. Throws {@link RecordFormatError} for an item that is truncated or of an unknown type. */
export function msgpackEnd(bytes: Buffer, at: number): number {
  let end = at;
  for (let items = 1; items > 0; items--) {
    const code = byteAt(bytes, end++);
    if (code <= 0x7f || code >= 0xe0) continue;
    if (code >= 0x90 && code <= 0x9f) items += code & 0x0f;
    else if (code >= 0xa0 && code <= 0xbf) end += code & 0x1f;
    else {
      const format = formats[code];
      if (format === undefined) throw new RecordFormatError(`expected an item, found byte ${code}`);
      const length = format.lengthBytes === 0 ? 0 : lengthAt(bytes, end, format.lengthBytes);
      end += format.lengthBytes + format.bytes;
      if (format.counts === 'bytes') end += length;
      else items += length;
    }
  }
  if (end > bytes.byteLength) throw new RecordFormatError('an item extends beyond the end');
  return end;
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RecordFormatError('an item extends beyond the end');
  return byte;
}

function lengthAt(bytes: Buffer, at: number, lengthBytes: number): number {
  if (at + lengthBytes > bytes.byteLength) throw new RecordFormatError('an item extends beyond the end');
  return bytes.readUIntBE(at, lengthBytes);
}
