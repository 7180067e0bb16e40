/** Loads `openid-client`, an optional peer dependency that only single sign-on needs. */
import { SettingsError } from '../../../lib/errors.ts';

export type OpenidClient = typeof import('openid-client');

/** Codes of `import()`, and of the `require()` that the bundled command has instead. */
const missing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** Rejects with a {@link SettingsError} if the package is missing. */
export async function loadOpenidClient(): Promise<OpenidClient> {
  try {
    return await import('openid-client');
  } catch (error) {
    if (!missing.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new SettingsError('Single sign-on needs the package openid-client: npm install openid-client@6', { cause: error });
  }
}
