/** A picture whose bytes are stored, and no file of a project yet. */
import type { Picture, Recognized } from '../../lib/pictures/picture-types.ts';
import type { Body } from '../../model/value.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import type { StoredFiles } from './stored-files.ts';

/** Most files of a project. */
export const filesMax = 10_000;

/** The bytes of a file, durable and held, and what they are. */
export interface StoredPicture {
  readonly blob: StoredBlob;
  readonly picture: Picture;
}

/**
 * What the bytes of a held blob are. An account waits for the pictures that it sent before, and for one of each other account: a hostile
 * picture may take a second.
 */
export async function recognizedIn(
  { blobs, recognizer, recognizing }: Pick<StoredFiles, 'blobs' | 'recognizer' | 'recognizing'>,
  blob: StoredBlob,
  accountId: string,
): Promise<Recognized> {
  return await recognizing.run(accountId, async () =>
    recognizer.recognize(blobs.isInMemory ? await blobs.read(blob.digest, blob.bytes) : blob.path),
  );
}

/** The members of a new file besides its name and its address. @param now Unix time in milliseconds */
export function fileMembers({ blob, picture }: StoredPicture, now: number): Body {
  return { ...picture, bytes: blob.bytes, created: new Date(now).toISOString(), digest: blob.digest };
}
