/** Reads the bytes of files in pieces. */
import type { BlobName } from '../../storage/blobs/blob-source.ts';
import type { StoredFiles } from './stored-files.ts';

/** Bytes that are read from a file in one step. */
const readBytes = 96 * 1024;

/** Rejects with a BlobDamagedError, and notes the damage, if the blob is missing or has another size. Reads none of its bytes. */
export async function checkPresence(stored: StoredFiles, blob: BlobName): Promise<void> {
  await stored.reading(blob, () => stored.blobs.checkPresence(blob));
}

/**
 * The bytes of a file. Each piece is valid until the next one. Throws a BlobDamagedError, and notes the damage, before the first of them if they
 * have another digest.
 */
export async function* piecesOfFile(stored: StoredFiles, file: BlobName, accountId: string): AsyncGenerator<Uint8Array, void> {
  const { digest, bytes } = file;
  const open = await stored.reading(file, () => stored.blobs.openBlob(digest, bytes, accountId));
  try {
    const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, bytes));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await open.handle.read(buffer, 0, Math.min(buffer.length, bytes - at), at);
      if (bytesRead === 0) throw new Error(`the blob ${digest} ends at byte ${at}`);
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await open.close();
  }
}
