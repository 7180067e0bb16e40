/** Loads the packages that only a cluster needs: optional peer dependencies. */
import type * as undici from 'undici';
import { ClusterSettingsError } from './database-errors.ts';

export type Undici = Pick<typeof undici, 'Pool'>;

export const loadPg = (): Promise<typeof import('pg').default> => loadPackage(async () => (await import('pg')).default);

export const loadUndici = (): Promise<Undici> => loadPackage(() => import('undici'));

/** Rejects with a {@link ClusterSettingsError} that names the install command if the package is missing. */
export async function loadPackage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ClusterSettingsError('A cluster needs the packages pg and undici: npm install pg@8 undici@7', { cause: error });
  }
}
