/** The ways to sign in to this server, besides an invitation and an API key. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askConsole } from './ask-console.ts';
import type { Proof } from './credential.ts';

export interface Ways {
  /** The data folder of the server; `null` unless this browser is on its machine. */
  readonly dataFolder: string | null;
  /** Name of the identity provider; `null` without one. */
  readonly provider: string | null;
}

/** Asks the server once; `undefined` until it answers, and after a failure: what is always possible stays. */
export function useWays(): Ways | undefined {
  const ways = useSignal<Ways | undefined>(undefined);
  useEffect(
    () =>
      void askWays().then(
        (found) => {
          ways.value = found;
        },
        () => undefined,
      ),
    [],
  );
  return ways.value;
}

async function askWays(): Promise<Ways> {
  const { dataFolder, oidc } = (await askConsole('GET', 'ways')) as {
    readonly dataFolder: string | null;
    readonly oidc?: { readonly name: string } | null;
  };
  return { dataFolder, provider: oidc?.name ?? null };
}

/** The fragment of a project, whatever it shows of it. The server leads back to projects alone. */
const projectHash = /^#(\/p\/[\da-f-]{36})(?:\/|$)/;

/**
 * Leads to the identity provider, and from there back to the project of this screen, or to the list of projects. Rejects with the reason.
 *
 * @param binds the session of a person who signs in with the provider from now on
 */
export async function goToProvider(binds: Proof | undefined): Promise<void> {
  const [, project] = projectHash.exec(location.hash) ?? [];
  const body = { ...(project !== undefined && { return: project }), ...(binds !== undefined && { bind: true }) };
  const { location: address } = (await askConsole('POST', 'oidc', binds, body)) as { readonly location: string };
  location.assign(address);
}
