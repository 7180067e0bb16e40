/** Loads undici, an optional peer dependency: only clusters need it. */
import type * as undici from 'undici';

export type Undici = Pick<typeof undici, 'Pool'>;

/** The message for a missing package of `serve --cluster`. */
export const missingPackages = 'mapwright serve --cluster needs the packages pg and undici: npm install pg@8 undici@7';

/** Rejects with {@link missingPackages} if it is not installed. @param load for tests */
export async function loadUndici(load: () => Promise<Undici> = () => import('undici')): Promise<Undici> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(missingPackages, { cause: error });
  }
}
