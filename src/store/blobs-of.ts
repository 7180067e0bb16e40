/**
 * The blobs that something in a project needs: a file has one, a version its own and those of its files, a publication those of its maps and
 * of the files that these show.
 */
import type { Value } from '../model/value.ts';
import type { StoredProject } from './stored-project.ts';
import type { Publication } from './stored-publication.ts';

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

/** The blobs of the published versions of a map, of what is beside them, and of the files that they show. */
export const blobsOfMaps = ({ versions }: Pick<Publication, 'versions'> = { versions: [] }): Blob[] =>
  versions.flatMap(({ blob, bytes, files, page, picture }) => [
    { digest: blob, bytes },
    ...[page, picture].filter((beside) => beside !== undefined),
    ...files,
  ]);

/** All references of a project to blobs. */
export function* blobsIn(project: StoredProject): Generator<Blob> {
  for (const value of referring(project)) yield* blobsOf(value);
  yield* blobsOfMaps(project.publication);
}

/** The members of a project that refer to blobs. */
export function* referring(project: StoredProject): Generator<Value> {
  for (const name of ['files', 'versions'] as const)
    for (const { value } of project.collection(name, '')?.capture() ?? []) yield value;
}
