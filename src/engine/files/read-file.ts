/** Reads the bytes of files in pieces, and verifies their digest. */
import { createHash } from 'node:crypto';
import { BlobDamagedError } from '../../lib/errors.ts';
import type { OpenBlob } from '../../storage/blobs/open-blob.ts';
import type { StoredFiles } from './stored-files.ts';

/** The blob of a file. */
interface FileBlob {
  readonly digest: string;
  /** Size in bytes. */
  readonly bytes: number;
}

/** Bytes that are read from a file in one step. */
const readBytes = 96 * 1024;

/** Rejects with a BlobDamagedError, and notes the damage, if the blob is missing or has another size. Reads none of its bytes. */
export async function checkPresence(stored: StoredFiles, file: FileBlob): Promise<void> {
  const open = await opened(stored, file);
  await open.close();
}

/**
 * The bytes of a file. Each piece is valid until the next one. Throws a BlobDamagedError, and notes the damage, if they have another digest,
 * after the last of them.
 */
export async function* verifiedBytes(stored: StoredFiles, file: FileBlob): AsyncGenerator<Uint8Array, void> {
  const open = await opened(stored, file);
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafeSlow(Math.min(readBytes, file.bytes));
    for (let at = 0; at < file.bytes; ) {
      const { bytesRead } = await open.handle.read(buffer, 0, Math.min(buffer.length, file.bytes - at), at);
      if (bytesRead === 0) throw damaged(stored, file, `it ends at byte ${at}`);
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      yield piece;
      at += bytesRead;
    }
    if (hash.digest('hex') !== file.digest) throw damaged(stored, file, 'its bytes have another digest');
  } finally {
    await open.close();
  }
}

async function opened({ blobs, collector }: StoredFiles, { digest, bytes }: FileBlob): Promise<OpenBlob> {
  try {
    return await blobs.openBlob(digest, bytes);
  } catch (error) {
    if (error instanceof BlobDamagedError) collector.noteDamage({ digest, found: error.message });
    throw error;
  }
}

function damaged({ blobs, collector }: StoredFiles, { digest }: FileBlob, found: string): BlobDamagedError {
  const error = new BlobDamagedError(digest, blobs.folder, found);
  collector.noteDamage({ digest, found: error.message });
  return error;
}
