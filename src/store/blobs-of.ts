/**
 * The blobs that something in a project needs: a file has one, a version its own and those of its files, a publication those of its maps and
 * of the files that these show.
 */
import type { PublishedVersion } from '../model/publication.ts';
import type { Value } from '../model/value.ts';

export interface Blob {
  /** 64 hex digits. */
  readonly digest: string;
  /** Size in bytes. */
  readonly bytes: number;
}

const digestLength = 64;

export function blobsOf(value: Value): Blob[] {
  const own = { digest: value['digest'] as string, bytes: value['bytes'] as number };
  const files = (value['files'] as readonly string[] | undefined) ?? [];
  return [own, ...files.map((file) => ({ digest: file.slice(0, digestLength), bytes: Number(file.slice(digestLength)) }))];
}

/** The blobs of the published versions of a map. */
export const blobsOfMaps = (versions: readonly PublishedVersion[]): Blob[] =>
  versions.flatMap(({ blob, bytes, files }) => [{ digest: blob, bytes }, ...files]);
