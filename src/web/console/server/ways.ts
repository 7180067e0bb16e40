/** How somebody can sign in to this server, besides with an invitation and with an API key. */
import { askConsole } from './ask-console.ts';
import type { Proof } from './credential.ts';

export interface Ways {
  /** The data folder of the server; `null` unless this browser is on its machine. */
  readonly dataFolder: string | null;
  /** The identity provider; `null` without one. */
  readonly provider: string | null;
}

/** Rejects with the reason. */
export async function askWays(): Promise<Ways> {
  const { dataFolder, oidc } = (await askConsole('GET', 'ways')) as {
    readonly dataFolder: string | null;
    readonly oidc?: { readonly name: string } | null;
  };
  return { dataFolder, provider: oidc?.name ?? null };
}

/**
 * Leads to the identity provider, and from there back to this screen. Rejects with the reason.
 *
 * @param binds the session of a person who signs in with the provider from now on
 */
export async function goToProvider(binds?: Proof): Promise<void> {
  const { hash } = location;
  const body = { ...(hash.startsWith('#/p/') && { return: hash }), ...(binds !== undefined && { bind: true }) };
  const { location: address } = (await askConsole('POST', 'oidc', binds, body)) as { readonly location: string };
  location.assign(address);
}
