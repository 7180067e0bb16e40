/** The list of blobs in a backup: each blob that its state needs, and where its bytes are in the file, if they are in it. */
import { pack, RecordFormatError, stored, unpack } from '../../../model/stored.ts';
import type { ChunkRef } from './snapshot-format.ts';

export interface BlobEntry {
  /** 64 hex digits. */
  readonly digest: string;
  /** Size in bytes. */
  readonly bytes: number;
  /** Its chunks, in their order. `undefined`: the bytes are not in this file, but in the folder of blobs beside it, or lost. */
  readonly pieces: readonly ChunkRef[] | undefined;
}

/** Blobs in one chunk of the list. */
export const blobRowsMax = 256;

const digestBytes = 32;

export function packBlobs(blobs: readonly BlobEntry[]): Buffer {
  return pack(
    blobs.map(({ digest, bytes, pieces }) => {
      const refs = pieces?.map(({ offset, length, crc }) => [offset, length, crc]);
      return [Buffer.from(digest, 'hex'), bytes, ...(refs === undefined ? [] : [refs])];
    }),
  );
}

/** Throws {@link RecordFormatError}. @param own LSN of the snapshot whose file contains the list */
export function unpackBlobs(payload: Uint8Array, own: number): BlobEntry[] {
  return unpack(payload).map((row) => {
    const [name, size, refs] = stored.list(row, 'a blob');
    if (!(name instanceof Uint8Array) || name.byteLength !== digestBytes)
      throw new RecordFormatError(`the digest of a blob has ${digestBytes} bytes`);
    const bytes = stored.count(size, 'the size of a blob');
    const digest = Buffer.from(name).toString('hex');
    if (refs === undefined) return { digest, bytes, pieces: undefined };
    const pieces = stored.list(refs, 'the chunks of a blob').map((ref) => pieceFrom(ref, own));
    if (pieces.reduce((sum, { length }) => sum + length, 0) !== bytes)
      throw new RecordFormatError(`the chunks of the blob ${digest} do not have ${bytes} bytes`);
    return { digest, bytes, pieces };
  });
}

function pieceFrom(row: unknown, file: number): ChunkRef {
  const [offset, length, crc] = stored.list(row, 'a chunk of a blob');
  return {
    offset: stored.count(offset, 'the offset of a chunk'),
    length: stored.count(length, 'the length of a chunk', 0xffff_ffff),
    crc: stored.count(crc, 'the checksum of a chunk', 0xffff_ffff),
    file,
  };
}
