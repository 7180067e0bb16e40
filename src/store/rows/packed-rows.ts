/**
 * Encoded rows of members, found without decoding the others: one pass finds the start of each row. After that, a lookup costs a binary
 * search and one row.
 *
 * The pass checks only what it needs: that the items end where the bytes end, and rank, version and identifier. So an invalid row is
 * rejected when that row is decoded, and the other rows stay readable.
 */
import { firstIndex } from '../../lib/first-index.ts';
import { RecordFormatError, unpack } from '../../model/stored.ts';

/** Number of bytes after the first byte of an item, by that first byte, from 0xc4 on; `undefined` for types that are never stored. */
const scalarBytes: Readonly<Record<number, number>> = {
  ...{ 202: 4, 203: 8, 204: 1, 205: 2, 206: 4, 207: 8, 208: 1, 209: 2, 210: 4, 211: 8 },
};

export class PackedRows {
  readonly bytes: Buffer;
  /** Start of each row, then the end of the last one. */
  readonly #starts: Uint32Array;

  /** Throws {@link RecordFormatError} if the bytes are not a list of rows. */
  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const list = listAt(this.bytes, 0);
    if (list === undefined) throw new RecordFormatError('not an array');
    // Each row takes at least one byte: an impossible count is rejected before memory is allocated for it.
    if (list.count > bytes.byteLength) throw new RecordFormatError('the bytes end too early');
    this.#starts = new Uint32Array(list.count + 1);
    let at = list.next;
    for (let i = 0; i < list.count; i++) {
      this.#starts[i] = at;
      at = endOf(this.bytes, at);
    }
    if (at !== bytes.byteLength) throw new RecordFormatError(`${bytes.byteLength - at} bytes follow the last row`);
    this.#starts[list.count] = at;
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** Estimated memory for the row positions, in bytes. */
  get heldBytes(): number {
    return this.#starts.byteLength + 300;
  }

  /** Size of a row, in bytes. */
  rowBytes(row: number): number {
    return (this.#starts[row + 1] as number) - (this.#starts[row] as number);
  }

  /** The bytes of rows `from` (inclusive) to `to` (exclusive). */
  between(from: number, to: number): Buffer {
    return this.bytes.subarray(this.#starts[from], this.#starts[to]);
  }

  /**
   * The index of a member's row; `undefined` if it is missing.
   *
   * @param rank the member's rank; `undefined` if rows are sorted by identifier
   */
  indexOf(id: string, rank: number | undefined): number | undefined {
    const at = firstIndex(this.count, rank === undefined ? (row) => this.id(row) >= id : (row) => this.rank(row) >= rank);
    return at === this.count || this.id(at) !== id ? undefined : at;
  }

  /** One item of a row, without decoding the rest. Throws {@link RecordFormatError} for an item of another type. */
  rank(row: number): number {
    return this.#number(this.#items(row));
  }

  version(row: number): number {
    return this.#number(endOf(this.bytes, this.#items(row)));
  }

  id(row: number): string {
    return this.#text(endOf(this.bytes, endOf(this.bytes, this.#items(row))));
  }

  /** All items of a row. */
  row(row: number): unknown[] {
    return unpack(this.between(row, row + 1));
  }

  /** Position of the first item of a row. */
  #items(row: number): number {
    const list = listAt(this.bytes, this.#starts[row] as number);
    if (list === undefined || list.count < 3) throw new RecordFormatError('a member is not an array of at least 3 items');
    return list.next;
  }

  #number(at: number): number {
    const bytes = this.bytes;
    const type = bytes[at] as number;
    if (type < 0x80) return type;
    if (type === 0xcb) return bytes.readDoubleBE(at + 1);
    if (type === 0xcc) return bytes[at + 1] as number;
    if (type === 0xcd) return bytes.readUInt16BE(at + 1);
    if (type === 0xce) return bytes.readUInt32BE(at + 1);
    // Other encodings are rare; the library decodes them.
    const [value] = unpack(Buffer.concat([oneItem, bytes.subarray(at, endOf(bytes, at))]));
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new RecordFormatError('a rank or a version is not a number');
    return value;
  }

  #text(at: number): string {
    const type = this.bytes[at] as number;
    const end = endOf(this.bytes, at);
    if (type >= 0xa0 && type < 0xc0) return this.bytes.toString('utf8', at + 1, end);
    if (type >= 0xd9 && type <= 0xdb) return this.bytes.toString('utf8', at + 1 + 2 ** (type - 0xd9), end);
    throw new RecordFormatError('an identifier is not a string');
  }
}

/** The msgpack header of an array of `count` items. */
export function listHead(count: number): Buffer {
  if (count < 16) return Buffer.of(0x90 + count);
  const head = Buffer.alloc(count < 65_536 ? 3 : 5, count < 65_536 ? 0xdc : 0xdd);
  head.writeUIntBE(count, 1, head.byteLength - 1);
  return head;
}

const oneItem = listHead(1);

/** The array at a position: its item count and the position of its first item; `undefined` if there is no array. */
function listAt(bytes: Buffer, at: number): { count: number; next: number } | undefined {
  const type = bytes[at];
  if (type === undefined) return undefined;
  if (type >= 0x90 && type < 0xa0) return { count: type & 15, next: at + 1 };
  if (type === 0xdc && at + 3 <= bytes.byteLength) return { count: bytes.readUInt16BE(at + 1), next: at + 3 };
  if (type === 0xdd && at + 5 <= bytes.byteLength) return { count: bytes.readUInt32BE(at + 1), next: at + 5 };
  return undefined;
}

/** The end of the item at `begin`, including nested items. Counts items instead of recursing, so any depth is safe. */
function endOf(bytes: Buffer, begin: number): number {
  const { byteLength } = bytes;
  let at = begin;
  // Most items take one byte.
  if ((bytes[at] as number) < 0x80) return at + 1;
  for (let items = 1; items > 0; items--) {
    const type = bytes[at++];
    if (type === undefined) break;
    if (type < 0x80 || type >= 0xe0 || type === 0xc0 || type === 0xc2 || type === 0xc3) continue;
    if (type >= 0xa0 && type < 0xc0) at += type & 31;
    else if (type >= 0x90 && type < 0xa0) items += type & 15;
    else if (type === 0xd9 && at < byteLength) at += 1 + (bytes[at] as number);
    else if (type === 0xda && at + 2 <= byteLength) at += 2 + bytes.readUInt16BE(at);
    else if (type === 0xdb && at + 4 <= byteLength) at += 4 + bytes.readUInt32BE(at);
    else if (type === 0xdc && at + 2 <= byteLength) {
      items += bytes.readUInt16BE(at);
      at += 2;
    } else if (type === 0xdd && at + 4 <= byteLength) {
      items += bytes.readUInt32BE(at);
      at += 4;
    } else {
      const size = scalarBytes[type];
      if (size === undefined) throw new RecordFormatError(`an item has the unknown type byte ${type}`);
      at += size;
    }
    // There cannot be more items than bytes left: this also bounds the effect of a corrupt length.
    if (at > byteLength || items - 1 > byteLength - at) throw new RecordFormatError('the bytes end too early');
  }
  if (at > byteLength) throw new RecordFormatError('the bytes end too early');
  return at;
}
