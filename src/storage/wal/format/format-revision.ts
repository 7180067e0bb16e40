/**
 * The revision of the format: which form of records and rows a program writes. Each segment has it in its header and each snapshot and backup in
 * its root, so a file says what wrote it before anything in it is decoded. Programs before revision 2 wrote none, which reads as 0.
 */
import path from 'node:path';
import { FolderError } from '../../../lib/errors.ts';

/**
 * The revision that this program writes. Raise it when this program cannot read any more what an earlier one wrote, and raise
 * {@link oldestRevision} and `databaseFormat` (cluster/database/tables.ts), since a cluster keeps records in its database. A change that only an older program cannot read raises `schemaVersion` (model/schema-version.ts) instead.
 * test/golden/format-digest.test.ts fails when neither was done.
 */
export const formatRevision = 2;

/** The oldest revision that this program reads. */
export const oldestRevision = 2;

/** A file without a revision: it is read, and what cannot be decoded in it was written by an older program. */
export const noRevision = 0;

/** The revision of a file. Throws {@link FolderError} if this program does not read what a program with this revision wrote. */
export function readableRevision(file: string, revision: number): number {
  if (revision > formatRevision) {
    throw new FolderError(
      `${placeOf(file)} was written by a newer mapwright (${file} has format revision ${revision}; this mapwright reads up to revision ${formatRevision}). Nothing was changed. Install the newer version again.`,
    );
  }
  if (revision !== noRevision && revision < oldestRevision)
    throw olderFormat(file, `format revision ${revision}; this mapwright reads from revision ${oldestRevision}`);
  return revision;
}

/**
 * The error for data in an older form, which is not damage.
 *
 * @param found what is there instead of the form that this program reads
 */
export function olderFormat(file: string, found: string): FolderError {
  const place = placeOf(file);
  return new FolderError(
    `${place} was written by an older mapwright, in a form that this one does not read (${file}: ${found}). It is not damaged, and nothing was changed. Serve it with the mapwright that wrote it, save the projects with: mapwright export --all --out DIR. Then serve a new folder with this one, and load them with: mapwright import DIR`,
  );
}

/** The data folder of a file, or the file itself: a backup, or a segment beside backups. */
function placeOf(file: string): string {
  const folder = path.dirname(file);
  return ['journal', 'snapshots'].includes(path.basename(folder)) ? path.dirname(folder) : file;
}
