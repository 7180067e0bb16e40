/**
 * Names in the folder of blobs.
 *
 *     ab/abcd...  (64 hex digits)   a blob: its name is the SHA-256 of its bytes, its folder the first two digits
 *     tmp/<run>-<number>            an upload in progress, or what is left of one
 *     unreferenced                  the list of blobs that nothing refers to (engine/files/unreferenced-list.ts)
 */
import path from 'node:path';

/** The 256 folders of blobs. */
export const blobFolders: readonly string[] = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
export const uploadFolder = 'tmp';
/** The text beside the blobs. */
export const noteName = 'unreferenced';

const digestPattern = /^[0-9a-f]{64}$/;

/** Whether a text is the name of a blob: 64 lower-case hex digits. */
export const isDigest = (text: string): boolean => digestPattern.test(text);

/** Path of a blob. Throws RangeError for a text that is no digest. */
export function blobPath(folder: string, digest: string): string {
  if (!isDigest(digest)) throw new RangeError(`a digest has 64 lower-case hex digits, not "${digest}"`);
  return path.join(folder, digest.slice(0, 2), digest);
}

/** Path of an upload in progress. */
export function uploadPath(folder: string, name: string): string {
  return path.join(folder, uploadFolder, name);
}
