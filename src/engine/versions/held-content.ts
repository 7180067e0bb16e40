/** The content of a version, with holds on the bytes of its files: they stay as long as something is made of it. */

import { BlobDamagedError } from '../../lib/errors.ts';
import type { CollectionPath } from '../../model/collection-path.ts';
import type { Value } from '../../model/value.ts';
import { findMember } from '../../store/find.ts';
import type { ProjectName } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { DamagedBlob } from '../files/blob-collector.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import { parseVersion, type VersionContent } from './version-content.ts';

/** The bytes of files of a version are not on the disk as they should be. */
export class FilesDamagedError extends Error {
  override readonly name = 'FilesDamagedError';
  /** Names of the files. */
  readonly names: readonly string[];
  readonly damaged: readonly DamagedBlob[];

  constructor(names: readonly string[], damaged: readonly DamagedBlob[]) {
    super(`damaged files: ${names.join(', ')}`);
    this.names = names;
    this.damaged = damaged;
  }
}

/** The path of a project's versions. */
export const versionsAt = ({ accountId, projectId }: ProjectName): CollectionPath => ({
  ...{ accountId, projectId, collection: 'versions', parentId: '' },
});

/** The row of a version, once it is durable; `undefined` if there is none. */
export async function findVersion({ reader }: Engine, project: ProjectName, id: string): Promise<Value | undefined> {
  const { value: found } = await reader.read((state) => findMember(state, versionsAt(project), id));
  return found?.member.value;
}

/**
 * Calls `use` with the content of a version, and holds the bytes of its files meanwhile. Rejects with BlobDamagedError if the version cannot
 * be read, and with {@link FilesDamagedError} if bytes of its files are missing: then `use` is not called.
 */
export async function withContent<T>(
  engine: Engine,
  stored: StoredFiles,
  { accountId }: ProjectName,
  version: Value,
  use: (content: VersionContent) => Promise<T>,
): Promise<T> {
  return await engine.versionTurns.run('reading', accountId, async (turn) => {
    const { blobs } = stored;
    const content = await parseVersion(turn, blobs, version);
    const holds = content.files.map((file) => blobs.hold(file['digest'] as string));
    try {
      await refuseDamaged(stored, content.files);
      return await use(content);
    } finally {
      for (const hold of holds) hold.release();
    }
  });
}

async function refuseDamaged({ blobs, collector }: StoredFiles, files: readonly Value[]): Promise<void> {
  const names: string[] = [];
  const damaged: DamagedBlob[] = [];
  for (const file of files) {
    const { name } = file;
    const [digest, bytes] = [file['digest'] as string, file['bytes'] as number];
    try {
      await collector.refuseDamaged({ digest, bytes });
      await blobs.checkPresence({ digest, bytes });
    } catch (error) {
      if (!(error instanceof BlobDamagedError)) throw error;
      names.push(name as string);
      damaged.push({ digest: error.digest, found: error.message });
    }
  }
  if (names.length > 0) throw new FilesDamagedError(names, damaged);
}
