/** Which blobs a state needs, and for which files of which projects. */
import { CorruptError } from '../../../lib/errors.ts';
import { isBesideDocument } from '../../../model/resources.ts';
import type { Value } from '../../../model/value.ts';
import { blobsOf } from '../../../store/blobs-of.ts';
import type { State } from '../../../store/state.ts';
import type { BlobName, BlobSource } from '../../blobs/blob-source.ts';

/** A row of `files` or `versions`, and the project that has it. */
export interface FileOfProject {
  readonly projectId: string;
  readonly value: Value;
}

/** A blob, and one of the files that need it. */
export interface NeededBlob extends BlobName {
  readonly projectId: string;
  /** Name of the file, or of the version. */
  readonly name: string;
  /** Number of files and versions that need it. */
  readonly files: number;
}

/** A needed blob that is missing or damaged. */
export interface LostBlob extends NeededBlob {
  /** Path of the file with the damage. */
  readonly path: string;
  /** Position in it, in bytes. */
  readonly offset: number;
  readonly problem: string;
}

/** The files and versions of all projects of a state. */
export function* filesOf(state: State): Generator<FileOfProject, void> {
  for (const { projects } of state.accounts.values()) {
    for (const [projectId, project] of projects) {
      for (const { name, collection } of project.collections())
        if (isBesideDocument(name)) for (const { value } of collection.capture()) yield { projectId, value };
    }
  }
}

/** The blobs of files and versions, by digest. */
export function neededBlobs(files: Iterable<FileOfProject>, into = new Map<string, NeededBlob>()): Map<string, NeededBlob> {
  for (const { projectId, value } of files) {
    const name = String(value['name'] || value['created']);
    for (const { digest, bytes } of blobsOf(value)) {
      const known = into.get(digest);
      const one = { digest, bytes, projectId, name, files: 1 };
      into.set(digest, known === undefined ? one : { ...known, files: known.files + 1 });
    }
  }
  return into;
}

/**
 * Reads needed blobs from the first source that has them whole. Returns those that no source has; the damage is that of the last source
 * that has the blob at all.
 *
 * @param use passes the pieces of a blob on; the function that it gets may throw {@link CorruptError}
 */
export function takeBlobs(
  needed: Iterable<NeededBlob>,
  sources: readonly BlobSource[],
  use: (blob: NeededBlob, read: (take: (piece: Uint8Array) => void) => void) => void,
): LostBlob[] {
  const lost: LostBlob[] = [];
  for (const blob of needed) {
    let damage: CorruptError | undefined = new CorruptError(blob.digest, 0, 'there is no folder of blobs');
    for (const source of sources) {
      damage = damageOf(() => use(blob, (take) => source.read(blob, take)));
      if (damage === undefined) break;
    }
    if (damage !== undefined) lost.push({ ...blob, path: damage.file, offset: damage.offset, problem: damage.found });
  }
  return lost;
}

/** Reads needed blobs, without keeping them. Returns the missing and the damaged ones. */
export function checkBlobs(
  needed: Iterable<NeededBlob>,
  sources: readonly BlobSource[],
  onBytes: (bytes: number) => void = () => undefined,
): LostBlob[] {
  return takeBlobs(needed, sources, (_, read) => read(({ byteLength }) => onBytes(byteLength)));
}

/** A lost blob in words: the file that needs it, and the damage. */
export function describeLost({
  projectId,
  name,
  files,
  problem,
}: Pick<LostBlob, 'projectId' | 'name' | 'files' | 'problem'>): string {
  const others = files === 1 ? '' : ` and ${files - 1} more`;
  return `the bytes of the file "${name}" of project ${projectId}${others} are lost: ${problem}`;
}

function damageOf(step: () => void): CorruptError | undefined {
  try {
    step();
    return undefined;
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return error;
  }
}
