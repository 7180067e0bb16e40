/** Where msgpack ends: finds its way through what {@link pack} wrote without reading it, so that a part of something long can be read alone. */
import { RecordFormatError } from './stored.ts';

/** Bytes that follow the first byte of an item, by that: what is said of its length, and the item itself where that is always the same. */
interface Form {
  /** Bytes of a number that says how much comes. */
  readonly lengthBytes: number;
  /** What that number counts. */
  readonly counts: 'bytes' | 'items';
  /** Bytes beside it. */
  readonly bytes: number;
}

const forms: Readonly<Record<number, Form>> = {
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

function fixed(codes: readonly number[], bytes: number): Record<number, Form> {
  return Object.fromEntries(codes.map((code) => [code, { lengthBytes: 0, counts: 'bytes', bytes }]));
}

function counted(codes: readonly number[], lengthBytes: number, counts: Form['counts']): Record<number, Form> {
  return Object.fromEntries(codes.map((code) => [code, { lengthBytes, counts, bytes: 0 }]));
}

/** How many items the array at `at` has, and where the first begins. Throws {@link RecordFormatError} where there is none. */
export function msgpackArray(bytes: Buffer, at: number): { readonly count: number; readonly at: number } {
  const code = byteAt(bytes, at);
  if (code >= 0x90 && code <= 0x9f) return { count: code & 0x0f, at: at + 1 };
  const form = forms[code];
  if (form?.counts !== 'items') throw new RecordFormatError('no array where one was expected');
  return { count: lengthAt(bytes, at + 1, form.lengthBytes), at: at + 1 + form.lengthBytes };
}

/** Where the item ends that begins at `at`. Throws {@link RecordFormatError} where that is beyond the end, or nothing that is written. */
export function msgpackEnd(bytes: Buffer, at: number): number {
  let end = at;
  for (let items = 1; items > 0; items--) {
    const code = byteAt(bytes, end++);
    if (code <= 0x7f || code >= 0xe0) continue;
    if (code >= 0x90 && code <= 0x9f) items += code & 0x0f;
    else if (code >= 0xa0 && code <= 0xbf) end += code & 0x1f;
    else {
      const form = forms[code];
      if (form === undefined) throw new RecordFormatError(`byte ${code} where an item was expected`);
      const length = form.lengthBytes === 0 ? 0 : lengthAt(bytes, end, form.lengthBytes);
      end += form.lengthBytes + form.bytes;
      if (form.counts === 'bytes') end += length;
      else items += length;
    }
  }
  if (end > bytes.byteLength) throw new RecordFormatError('an item that reaches beyond the end');
  return end;
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RecordFormatError('an item that reaches beyond the end');
  return byte;
}

function lengthAt(bytes: Buffer, at: number, lengthBytes: number): number {
  if (at + lengthBytes > bytes.byteLength) throw new RecordFormatError('an item that reaches beyond the end');
  return bytes.readUIntBE(at, lengthBytes);
}
