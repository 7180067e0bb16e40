/** A snapshot's file in its parts, and the parts as a file again: whatever was done to them, every checksum and reference is right. */
import { crc32 } from 'node:zlib';
import {
  chunkHeadBytes,
  chunkKinds,
  encodeChunkHead,
  headerBytes,
  trailerBytes,
} from '../../src/storage/snapshot/format/snapshot-format.ts';
import { packLoosely, unpackLoosely } from './mutate.ts';

export interface Chunk {
  kind: number;
  payload: Buffer;
  /** Where it stood. */
  readonly offset: number;
}

/** The chunks of a file, as far as there are any. */
export function takenApart(input: Buffer): { header: Buffer; chunks: Chunk[] } | undefined {
  if (input.length < headerBytes + trailerBytes) return undefined;
  const chunks: Chunk[] = [];
  for (let at = headerBytes; at + chunkHeadBytes <= input.length - trailerBytes; ) {
    const length = input.readUInt32LE(at + 8);
    if (at + chunkHeadBytes + length > input.length - trailerBytes) break;
    chunks.push({
      kind: input.readUInt32LE(at + 4),
      payload: input.subarray(at + chunkHeadBytes, at + chunkHeadBytes + length),
      offset: at,
    });
    at += chunkHeadBytes + length;
  }
  return { header: Buffer.from(input.subarray(0, headerBytes)), chunks };
}

/** A file of these chunks in which every checksum is right, and every reference leads to where its chunk is now. */
export function putTogether(header: Buffer, chunks: readonly Chunk[]): Buffer {
  header.writeUInt32LE(crc32(header.subarray(0, 60)), 60);
  const parts: Buffer[] = [header];
  const moved = new Map<number, [offset: number, length: number, crc: number]>();
  let at = headerBytes;
  /** Where the root is: the last index chunk. */
  let rootAt: number | undefined;
  let indexChunks = 0;
  for (const { kind, payload, offset } of chunks) {
    const isIndex = chunkKinds[kind] === 'index';
    if (isIndex) {
      rootAt = at;
      indexChunks++;
    }
    const bytes = isIndex ? withPlaces(payload, moved) : payload;
    const { bytes: head, place } = encodeChunkHead('keys', bytes, at);
    head.writeUInt32LE(kind, 4);
    const crc = crc32(bytes, crc32(head.subarray(4, 12)));
    head.writeUInt32LE(crc, 12);
    moved.set(offset, [at, place.length, crc]);
    parts.push(head, bytes);
    at += head.length + bytes.length;
  }
  const trailer = Buffer.alloc(trailerBytes);
  trailer.write('MWSNAPEN', 0, 'latin1');
  trailer.writeBigUInt64LE(BigInt(rootAt ?? at), 8);
  trailer.writeUInt32LE(indexChunks, 16);
  trailer.writeUInt32LE(chunks.length - indexChunks, 20);
  trailer.writeUInt32LE(header.readUInt32LE(60) === 0 ? 0 : crc32(header), 24);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, 28)), 28);
  return Buffer.concat([...parts, trailer]);
}

/** The index with the places that its chunks have now. */
function withPlaces(payload: Buffer, moved: ReadonlyMap<number, readonly number[]>): Buffer {
  const replace = (item: unknown): unknown => {
    if (!Array.isArray(item)) return item;
    const place =
      item.length >= 3 && typeof item[1] === 'number' && typeof item[2] === 'number' ? moved.get(item[0] as number) : undefined;
    return place === undefined ? item.map(replace) : [...place, ...item.slice(3)];
  };
  try {
    return packLoosely(replace(unpackLoosely(payload)));
  } catch {
    return payload;
  }
}
