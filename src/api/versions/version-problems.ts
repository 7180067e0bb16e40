/** The problems of work on versions. */
import { FilesDamagedError } from '../../engine/versions/held-content.ts';
import { Problem } from '../../http/problem.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import type { Api } from '../declaration.ts';
import { storedFilesOf } from '../files/file-endpoints.ts';

/** Most names of files in a problem. */
const namesMax = 10;

/** Does work on versions; its errors become problems, and damage is noted. */
export async function withProblems<T>(api: Api, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { collector } = storedFilesOf(api);
    if (error instanceof FilesDamagedError) {
      for (const damaged of error.damaged) collector.noteDamage(damaged);
      throw new Problem('internal_error', damagedText(error.names));
    }
    if (error instanceof BlobDamagedError) {
      collector.noteDamage({ digest: error.digest, found: error.message });
      throw new Problem('internal_error', 'The version cannot be read: a file of the server is damaged. Nothing was changed.');
    }
    throw error;
  }
}

function damagedText(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(', ') + (names.length > namesMax ? ', …' : '');
  return `${names.length} of the version's files are damaged or missing on the disk of the server: ${shown}. Restore them from a backup, or upload the same pictures again. Nothing was changed.`;
}
