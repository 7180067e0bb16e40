/**
 * What proves to the server who uses this page, and where the browser keeps it. A session has two halves: a cookie, which no script can read,
 * and a secret, which all tabs of this server share. A pasted API key belongs to its tab alone.
 */
import { serverRoot } from './server-root.ts';

export type Credential = { readonly kind: 'session'; readonly secret: string } | { readonly kind: 'key'; readonly key: string };

/** What requests carry. */
export interface Proof {
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: RequestCredentials;
}

/** Of a request before sign-in: its answer may set a cookie. */
export const noProof: Proof = { headers: {}, credentials: 'same-origin' };

export const proofOf = (credential: Credential): Proof =>
  credential.kind === 'session'
    ? { headers: { 'Mapwright-Session': credential.secret }, credentials: 'same-origin' }
    : { headers: { Authorization: `Bearer ${credential.key}` }, credentials: 'omit' };

/** Two servers may be on one origin, below different paths. */
const nameOf = (kind: Credential['kind']): string => `mapwright.console.${kind} ${new URL(serverRoot()).pathname}`;

/** The secret of the session that all tabs share. */
export const sharedSecret = (): string | undefined => localStorage.getItem(nameOf('session')) ?? undefined;

/** A key of this tab, or else the session of all tabs. */
export function keptCredential(): Credential | undefined {
  const key = sessionStorage.getItem(nameOf('key'));
  if (key !== null) return { kind: 'key', key };
  const secret = sharedSecret();
  return secret === undefined ? undefined : { kind: 'session', secret };
}

export function keep(credential: Credential): void {
  if (credential.kind === 'key') sessionStorage.setItem(nameOf('key'), credential.key);
  else {
    sessionStorage.removeItem(nameOf('key'));
    if (sharedSecret() !== credential.secret) localStorage.setItem(nameOf('session'), credential.secret);
  }
}

/** Forgets a credential, but not another session that a tab has begun since. */
export function forget(credential: Credential): void {
  if (credential.kind === 'key') sessionStorage.removeItem(nameOf('key'));
  else if (sharedSecret() === credential.secret) localStorage.removeItem(nameOf('session'));
}

/** Calls a function whenever another tab begins or ends the shared session. */
export function onSharedChange(listener: () => void): void {
  addEventListener('storage', ({ key, storageArea }) => {
    // Without a name, everything was deleted.
    if (storageArea === localStorage && (key === nameOf('session') || key === null)) listener();
  });
}
