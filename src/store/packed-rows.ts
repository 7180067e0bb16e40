/**
 * Rows of packed members, found without decoding the others: one walk over the bytes finds where each row begins, and a single
 * member is then a binary search and one row.
 *
 * The walk looks at what it needs (that the items end where the bytes do, and at rank, version and identifier) and at nothing else, so a
 * row that makes no sense is refused when that row is decoded, and its neighbours are served.
 */
import { firstIndex } from '../lib/first-index.ts';
import { RecordFormatError, unpack } from '../model/stored.ts';

/** Bytes that follow the first one of an item, by that first byte from 0xc4 on; `undefined` for what this program does not store. */
const scalarBytes: Readonly<Record<number, number>> = {
  ...{ 202: 4, 203: 8, 204: 1, 205: 2, 206: 4, 207: 8, 208: 1, 209: 2, 210: 4, 211: 8 },
};

export class PackedRows {
  readonly bytes: Buffer;
  /** Where each row begins, and at last where they end. */
  readonly #starts: Uint32Array;

  /** Throws {@link RecordFormatError} for bytes that are no list of rows. */
  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const list = listAt(this.bytes, 0);
    if (list === undefined) throw new RecordFormatError('not an array');
    // Each row takes a byte at the least: a count that cannot be is refused before there is room made for it.
    if (list.count > bytes.byteLength) throw new RecordFormatError('the bytes end too early');
    this.#starts = new Uint32Array(list.count + 1);
    let at = list.next;
    for (let i = 0; i < list.count; i++) {
      this.#starts[i] = at;
      at = endOf(this.bytes, at);
    }
    if (at !== bytes.byteLength) throw new RecordFormatError('there is more after the rows');
    this.#starts[list.count] = at;
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  /** Bytes of memory that finding rows takes, about. */
  get heldBytes(): number {
    return this.#starts.byteLength + 300;
  }

  /** Bytes of a row. */
  rowBytes(row: number): number {
    return (this.#starts[row + 1] as number) - (this.#starts[row] as number);
  }

  /** The bytes of the rows from one, inclusive, to another, exclusive. */
  between(from: number, to: number): Buffer {
    return this.bytes.subarray(this.#starts[from], this.#starts[to]);
  }

  /**
   * The row of a member; `undefined` when it is not there.
   *
   * @param rank where it stands, unless rows are sorted by identifier
   */
  indexOf(id: string, rank: number | undefined): number | undefined {
    const at = firstIndex(this.count, rank === undefined ? (row) => this.id(row) >= id : (row) => this.rank(row) >= rank);
    return at === this.count || this.id(at) !== id ? undefined : at;
  }

  /** What stands in a row, without the rest of it. Each throws {@link RecordFormatError} where it is something else. */
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

  /** Where the items of a row begin. */
  #items(row: number): number {
    const list = listAt(this.bytes, this.#starts[row] as number);
    if (list === undefined || list.count < 3) throw new RecordFormatError('a member is not a row');
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
    // The rest is rare, and the library's to read.
    const [value] = unpack(Buffer.concat([oneItem, bytes.subarray(at, endOf(bytes, at))]));
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new RecordFormatError('a rank or a version is no number');
    return value;
  }

  #text(at: number): string {
    const type = this.bytes[at] as number;
    const end = endOf(this.bytes, at);
    if (type >= 0xa0 && type < 0xc0) return this.bytes.toString('utf8', at + 1, end);
    if (type >= 0xd9 && type <= 0xdb) return this.bytes.toString('utf8', at + 1 + 2 ** (type - 0xd9), end);
    throw new RecordFormatError('an identifier is no text');
  }
}

/** The first bytes of an array of so many items. */
export function listHead(count: number): Buffer {
  if (count < 16) return Buffer.of(0x90 + count);
  const head = Buffer.alloc(count < 65_536 ? 3 : 5, count < 65_536 ? 0xdc : 0xdd);
  head.writeUIntBE(count, 1, head.byteLength - 1);
  return head;
}

const oneItem = listHead(1);

/** The array at a place: how many items it has, and where the first is; `undefined` when something else is there. */
function listAt(bytes: Buffer, at: number): { count: number; next: number } | undefined {
  const type = bytes[at];
  if (type === undefined) return undefined;
  if (type >= 0x90 && type < 0xa0) return { count: type & 15, next: at + 1 };
  if (type === 0xdc && at + 3 <= bytes.byteLength) return { count: bytes.readUInt16BE(at + 1), next: at + 3 };
  if (type === 0xdd && at + 5 <= bytes.byteLength) return { count: bytes.readUInt32BE(at + 1), next: at + 5 };
  return undefined;
}

/** Where the item that begins at a place ends, with all that is in it. Nesting is counted, not followed: it may have any depth. */
function endOf(bytes: Buffer, begin: number): number {
  const { byteLength } = bytes;
  let at = begin;
  // Most items are one byte.
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
      if (size === undefined) throw new RecordFormatError(`an item of type ${type}`);
      at += size;
    }
    // More items than bytes are left cannot be: also bounds how far a claimed length leads.
    if (at > byteLength || items - 1 > byteLength - at) throw new RecordFormatError('the bytes end too early');
  }
  if (at > byteLength) throw new RecordFormatError('the bytes end too early');
  return at;
}
