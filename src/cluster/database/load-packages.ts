/** Loads the packages that only a cluster needs: optional peer dependencies. */
import type * as undici from 'undici';
import { MissingPackageError } from './database-errors.ts';

export type Undici = Pick<typeof undici, 'Pool'>;

export const loadPg = (): Promise<typeof import('pg').default> => loadPackage(async () => (await import('pg')).default);

export const loadUndici = (): Promise<Undici> => loadPackage(() => import('undici'));

/** Codes of `import()`, and of the `require()` that the bundled command has instead. */
const missing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** Rejects with a {@link MissingPackageError} if the package is missing. */
async function loadPackage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!missing.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new MissingPackageError('A cluster needs the packages pg and undici: npm install pg@8 undici@7', { cause: error });
  }
}
