/** Loads the package `pg`, which only a cluster needs. */
import { ClusterSettingsError } from './database-errors.ts';

/** Rejects with a {@link ClusterSettingsError} that names the install command if the package is missing. */
export async function loadPg(): Promise<typeof import('pg').default> {
  try {
    const { default: pg } = await import('pg');
    return pg;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ClusterSettingsError('A cluster needs the packages pg and undici: npm install pg@8 undici@7');
  }
}
