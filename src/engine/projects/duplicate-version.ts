/** Makes a new project of a version. */
import type { ResponseBuilder } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import { findVersion, withContent } from '../versions/held-content.ts';
import type { WriteOutcome } from '../write/write.ts';
import type { Duplication } from './duplicate-project.ts';
import { duplicateProject } from './project-writer.ts';

export interface VersionDuplication extends Duplication {
  readonly versionId: string;
}

/** Copies a version as a new project, durably. Throws as {@link duplicateProject} and {@link withContent} do, with nothing changed. */
export async function duplicateVersion<T>(
  engine: Engine,
  stored: StoredFiles,
  { versionId, ...duplication }: VersionDuplication,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const version = await findVersion(engine, duplication, versionId);
  if (version === undefined) {
    const fieldErrors = [
      ...duplication.fieldErrors,
      { pointer: '/version', detail: 'is not the id of a version of this project' },
    ];
    return await duplicateProject(engine, { ...duplication, fieldErrors }, making);
  }
  return await withContent(engine, stored, duplication, version, (content) =>
    duplicateProject(engine, { ...duplication, content }, making),
  );
}
