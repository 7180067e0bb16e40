/**
 * The session of this tab. A one-time code from the address, or a pasted key, becomes the key that all requests carry. It is kept in the
 * storage of the tab, which no other tab and no other page can read, and nowhere else.
 */

import { signal } from '@preact/signals';
import { type Client, createClient } from '../../client/client.ts';
import type { TileSource } from '../../viewer/drawing/ground/tile-source.ts';
import { texts } from '../console-texts.ts';
import { askConsole, RefusedError } from './ask-console.ts';
import { serverRoot } from './server-root.ts';

/** What the key of the session may do. */
export interface ConsoleSession {
  readonly id: string;
  readonly account: string;
  readonly access: 'read' | 'write';
  /** Identifiers of the projects that it can access; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339; `null` for never. */
  readonly expires: string | null;
  /** Whether signing out ends the key. */
  readonly revocable: boolean;
  /** Sources of map tiles, of which the first is the default. */
  readonly tiles: readonly TileSource[];
  /** Address of the server for others; `null` if the operator has set none. */
  readonly publicUrl: string | null;
  /** Whether the server stores files; if not, pictures become part of projects. */
  readonly files: boolean;
  /** Bytes of the largest file that it takes. */
  readonly fileBytesMax: number;
  readonly key: string;
  readonly client: Client;
}

type SessionState =
  | { readonly is: 'starting' }
  | { readonly is: 'signed-out'; readonly why: string }
  /** `ended`: why the server refuses the key. The page keeps what is not saved until the user has signed in again. */
  | { readonly is: 'signed-in'; readonly session: ConsoleSession; readonly ended?: string };

const storageKey = 'mapwright.console.key';

export const sessionState = signal<SessionState>({ is: 'starting' });

/** The first digit of a code names the shard of a cluster that has made it. */
const exchange = (code: string): Promise<unknown> => askConsole('POST', `session?shard=${code.charAt(0)}`, undefined, { code });

const describe = (key: string): Promise<unknown> => askConsole('GET', 'session', key);

function enter(key: string, said: unknown): void {
  const session = { ...(said as Omit<ConsoleSession, 'key' | 'client'>), key };
  sessionStorage.setItem(storageKey, key);
  sessionState.value = { is: 'signed-in', session: { ...session, client: createClient({ baseUrl: serverRoot(), key }) } };
}

/** A one-time code, and the screen to show, if the address names one (screen-route.ts). */
const codeForm = /#code=([A-Za-z0-9_-]{1,100})(\/p\/\S*)?$/;

/** Whether the fragment of an address is a one-time code. */
export const isCode = (hash: string): boolean => codeForm.test(hash);

/** Takes the one-time code out of the address, so that it is neither copied nor kept in the history. The screen stays. */
function takeCode(): string | undefined {
  const match = codeForm.exec(location.hash);
  if (match === null) return undefined;
  const [, code, screen = ''] = match;
  history.replaceState(null, '', location.pathname + location.search + (screen && `#${screen}`));
  return code;
}

/** Signs in with the code in the address or the key of this tab. Never rejects. */
export async function startSession(): Promise<void> {
  const code = takeCode();
  try {
    if (code !== undefined) {
      const said = await exchange(code);
      enter((said as { readonly key: string }).key, said);
      return;
    }
    const key = sessionStorage.getItem(storageKey);
    if (key === null) signOutHere('');
    else enter(key, await describe(key));
  } catch (error) {
    const why = code === undefined ? texts.signIn.ended : texts.signIn.usedLink;
    // A wrong code does not end the session that the page has.
    if (sessionState.value.is !== 'signed-in') signOutHere(error instanceof RefusedError ? why : (error as Error).message);
  }
}

/**
 * Signs in with a pasted key, or with a pasted address that has a code; shows the screen of that address, unless the page has one. Rejects with the reason if that fails; after a session that has ended, also
 * if the new one could not save what is on the page.
 */
export async function signInWith(text: string): Promise<void> {
  const trimmed = text.trim();
  const [, code, screen] = codeForm.exec(trimmed) ?? [];
  if (code === undefined && !/^[\x21-\x7e]+$/.test(trimmed)) throw new Error(texts.signIn.noKey);
  const said = code === undefined ? await describe(trimmed) : await exchange(code);
  const state = sessionState.value;
  if (state.is === 'signed-in') {
    const { account, access } = said as ConsoleSession;
    if (account !== state.session.account || access !== state.session.access)
      throw new Error(texts.signIn.otherAccount(state.session.account));
  }
  enter(code === undefined ? trimmed : (said as { readonly key: string }).key, said);
  if (screen !== undefined && state.is !== 'signed-in') location.hash = screen;
}

/** The server refuses the key. @param keepsPage whether something on the page is not saved: then it stays until the user signs in again */
export function sessionRefused(reason: string, keepsPage: boolean): void {
  const state = sessionState.value;
  // The words of the server are for programs with an API key.
  const why = state.is === 'signed-in' && state.session.revocable ? texts.signIn.ended : reason;
  if (!keepsPage || state.is !== 'signed-in') signOutHere(why);
  else if (state.ended === undefined) {
    sessionStorage.removeItem(storageKey);
    sessionState.value = { ...state, ended: why };
  }
}

/** Ends the session: the key stops working, if the console made it. */
export async function signOut(): Promise<void> {
  const state = sessionState.value;
  if (state.is !== 'signed-in') return;
  const { key, revocable } = state.session;
  signOutHere(texts.signIn.signedOut);
  if (revocable) await askConsole('DELETE', 'session', key).catch(() => undefined);
}

/** Forgets the key. @param why shown on the page */
export function signOutHere(why: string): void {
  sessionStorage.removeItem(storageKey);
  sessionState.value = { is: 'signed-out', why };
}
