/** The problems of work on versions. */
import { FilesDamagedError } from '../../engine/versions/held-content.ts';
import { Problem, problems } from '../../http/problem.ts';
import { BlobDamagedError, MemoryFullError } from '../../lib/errors.ts';
import type { Api } from '../declaration.ts';
import { storedFilesOf } from '../files/file-endpoints.ts';

/** Most names of files in a problem. */
const namesMax = 10;

/** Seconds until the retry of a request that found no memory: other work on versions ends within seconds. */
const retryAfterS = 5;

/** Reads versions; without memory for them it is a 503, since nothing was to be changed. Otherwise as {@link withProblems}. */
export async function withReadProblems<T>(api: Api, read: () => Promise<T>): Promise<T> {
  try {
    return await withProblems(api, read);
  } catch (error) {
    if (!(error instanceof MemoryFullError)) throw error;
    const detail = 'The server has no memory left to read this version. Retry later, or ask the operator for more memory.';
    throw problems.unavailable(detail, retryAfterS, 'memory_full');
  }
}

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
