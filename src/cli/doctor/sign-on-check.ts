/** Checks single sign-on, with --oidc-issuer: the package, the secret, and whether the provider answers this machine. */
import { SettingsError } from '../../lib/errors.ts';
import { ProviderError } from '../../server/console/oidc/provider.ts';
import { openProvider } from '../../server/console/oidc/single-sign-on.ts';
import { serverOptionsOf } from '../commands/serve/serve-options.ts';
import { UsageError } from '../option-parsing.ts';
import { type Check, fail, ok, warn } from './check.ts';

export const signOnCheck: Check = {
  name: 'sign-on',
  async run(context) {
    const { oidcIssuer: issuer } = context;
    try {
      const opened = await openProvider(serverOptionsOf(context));
      await opened?.provider.check();
      return ok(`${issuer} answers; register ${opened?.callback.href} there as the redirect URI`);
    } catch (error) {
      if (error instanceof SettingsError || error instanceof UsageError)
        return fail(error.message, 'A server with these options would not start.');
      if (!(error instanceof ProviderError)) throw error;
      const found = `${issuer} cannot be used: ${Object.values(error.details).filter(Boolean).join(', ')}`;
      const advice =
        error.failure === 'away'
          ? 'Check --oidc-issuer, and whether this machine reaches the provider. Until then nobody signs in with it.'
          : 'Give --oidc-issuer as the discovery document of the provider names it. Until then nobody signs in with it.';
      return warn(found, advice);
    }
  },
};
