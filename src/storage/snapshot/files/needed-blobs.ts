/** Which blobs a state needs, and what in which projects needs them. */
import { CorruptError } from '../../../lib/errors.ts';
import type { PublishedVersion } from '../../../model/publication.ts';
import type { CollectionName } from '../../../model/resource.ts';
import { isBesideDocument } from '../../../model/resources.ts';
import type { Value } from '../../../model/value.ts';
import { type Blob, blobsOf, blobsOfMaps } from '../../../store/blobs-of.ts';
import type { State } from '../../../store/state.ts';
import type { BlobName, BlobSource } from '../../blobs/blob-source.ts';

/** A part of a project that needs blobs. */
interface BlobUserName {
  readonly projectId: string;
  readonly kind: 'file' | 'version' | 'published map';
  /** Name of the file or of the version, number of the published version of the map. */
  readonly name: string;
}

/** A part of a project, and the blobs that it needs. */
export interface BlobUser extends BlobUserName {
  readonly blobs: readonly Blob[];
}

/** A blob, and one of the parts of projects that need it. */
export interface NeededBlob extends BlobName, BlobUserName {
  /** Number of files, versions and published maps that need it. */
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

/** A row of `files` or `versions`. */
export const userOfRow = (projectId: string, collection: CollectionName, value: Value): BlobUser => ({
  ...{ projectId, kind: collection === 'files' ? 'file' : 'version', name: String(value['name'] || value['created']) },
  blobs: blobsOf(value),
});

/** A published version of a map. */
export const userOfMap = (projectId: string, version: PublishedVersion): BlobUser => ({
  ...{ projectId, kind: 'published map', name: String(version.version), blobs: blobsOfMaps({ versions: [version] }) },
});

/** The files, versions and published maps of all projects of a state. */
export function* filesOf(state: State): Generator<BlobUser, void> {
  for (const { projects } of state.accounts.values()) {
    for (const [projectId, project] of projects) {
      for (const { name, collection } of project.collections())
        if (isBesideDocument(name)) for (const { value } of collection.capture()) yield userOfRow(projectId, name, value);
      for (const version of project.publication?.versions ?? []) yield userOfMap(projectId, version);
    }
  }
}

/** The blobs that something needs, by digest. */
export function neededBlobs(users: Iterable<BlobUser>, into = new Map<string, NeededBlob>()): Map<string, NeededBlob> {
  for (const { projectId, kind, name, blobs } of users) {
    for (const { digest, bytes } of blobs) {
      const known = into.get(digest);
      const one = { digest, bytes, projectId, kind, name, files: 1 };
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

/** A lost blob in words: what needs it, and the damage. */
export function describeLost({
  projectId,
  kind,
  name,
  files,
  problem,
}: Pick<LostBlob, 'projectId' | 'kind' | 'name' | 'files' | 'problem'>): string {
  const others = files === 1 ? '' : ` and ${files - 1} more`;
  return `the bytes of the ${kind} "${name}" of project ${projectId}${others} are lost: ${problem}`;
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
