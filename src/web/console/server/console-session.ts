/**
 * The session of this browser. A one-time code from the address becomes a session that all tabs share: what one of them begins or ends, the
 * others follow. A pasted API key is a session of its tab.
 */

import { signal } from '@preact/signals';
import { type Client, createClient } from '../../client/client.ts';
import type { TileSource } from '../../viewer/drawing/ground/tile-source.ts';
import { texts } from '../console-texts.ts';
import { controlsOf, type Right, type Role } from '../controls.ts';
import { askConsole, ConflictError, RefusedError } from './ask-console.ts';
import {
  type Credential,
  forget,
  keep,
  keptCredential,
  onSharedChange,
  type Proof,
  proofOf,
  sharedSecret,
} from './credential.ts';
import { serverRoot } from './server-root.ts';
import { isAnythingUnsaved } from './unsaved.ts';

/** Who is signed in. */
export interface SignedIn {
  readonly id: string;
  readonly name: string;
  /** `#` and six hex digits. */
  readonly color: string;
  readonly role: Role;
}

/** What the server says about a session or a key. */
interface Described {
  readonly id: string;
  readonly account: string;
  /** `null` for an API key. */
  readonly person: SignedIn | null;
  readonly rights: readonly Right[];
  /** Identifiers of the projects that it can access; `null` for all of the account. */
  readonly projects: readonly string[] | null;
  /** RFC 3339; `null` for never. */
  readonly expires: string | null;
  /** Of an API key. */
  readonly label: string;
  /** Sources of map tiles, of which the first is the default. */
  readonly tiles: readonly TileSource[];
  /** Address of the server for others; `null` if the operator has set none. */
  readonly publicUrl: string | null;
  /** Whether the server stores files; if not, pictures become part of projects. */
  readonly files: boolean;
  /** Bytes of the largest file that it takes. */
  readonly fileBytesMax: number;
}

export interface ConsoleSession extends Described {
  readonly credential: Credential;
  readonly proof: Proof;
  readonly client: Client;
}

type SessionState =
  | { readonly is: 'starting' }
  | { readonly is: 'signed-out'; readonly why: string }
  /**
   * `ended`: why the server refuses the session. The page keeps what is not saved until the user has signed in again.
   * `waiting`: what the session is now, while the page keeps what is not saved and could not be saved with it.
   */
  | { readonly is: 'signed-in'; readonly session: ConsoleSession; readonly ended?: string; readonly waiting?: Described };

export const sessionState = signal<SessionState>({ is: 'starting' });

/**
 * A session for a code; the former session of this browser ends with it. The first digit of a code names the shard of a cluster that has made
 * it.
 */
async function exchange(code: string): Promise<{ readonly credential: Credential; readonly said: Described }> {
  const former = sharedSecret();
  const proof = former === undefined ? undefined : proofOf({ kind: 'session', secret: former });
  const ask = (body: object) => askConsole('POST', `session?shard=${code.charAt(0)}`, proof, body);
  const answer = await ask({ code }).catch((error: unknown) => {
    // Whoever sends a link must not change who works here without a question.
    if (!(error instanceof ConflictError) || !confirm(`${error.message} ${texts.signIn.other}`)) throw error;
    return ask({ code, replace: true });
  });
  const { secret, ...said } = answer as Described & { readonly secret: string };
  return { credential: { kind: 'session', secret }, said };
}

/** Resolves when the newest code has signed this tab in, or was refused. */
let entering: Promise<unknown> = Promise.resolve();

/** Signs this tab in with a code. Rejects with the reason. */
function enterWith(code: string): Promise<void> {
  const done = exchange(code).then(({ credential, said }) => enter(credential, said));
  entering = done.catch(() => undefined);
  return done;
}

const describe = async (credential: Credential): Promise<Described> =>
  (await askConsole('GET', 'session', proofOf(credential))) as Described;

/** Signs this tab in. Throws if that could not save what is on the page. */
function enter(credential: Credential, said: Described): void {
  const state = sessionState.value;
  if (state.is === 'signed-in' && (state.ended !== undefined || isAnythingUnsaved()) && !canSaveFor(said, state.session))
    throw new Error(texts.signIn.otherAccount(state.session.account));
  keep(credential);
  const proof = proofOf(credential);
  let hasStream = false;
  const client = createClient({
    baseUrl: serverRoot(),
    headers: proof.headers,
    fetch: async (request, init) => {
      const response = await fetch(request, { ...init, credentials: proof.credentials });
      const isStream = response.headers.get('content-type') === 'text/event-stream';
      // A role that is changed ends the streams of its person, who may do something else when the next one begins.
      if (response.status === 403 || (isStream && hasStream)) void noticeRights();
      hasStream ||= isStream;
      return response;
    },
  });
  sessionState.value = { is: 'signed-in', session: { ...said, credential, proof, client } };
}

const canSaveFor = (said: Described, former: Described): boolean =>
  said.account === former.account && controlsOf(said).canWrite === controlsOf(former).canWrite;

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

/** Signs in with the code in the address, the key of this tab, or the session of this browser. Never rejects. */
export async function startSession(): Promise<void> {
  const code = takeCode();
  let why = '';
  if (code !== undefined)
    try {
      await enterWith(code);
      return;
    } catch (error) {
      why = error instanceof RefusedError ? texts.signIn.usedLink : (error as Error).message;
    }
  // A wrong code does not end the session that the page has.
  if (sessionState.value.is === 'signed-in') return;
  const kept = keptCredential();
  try {
    if (kept === undefined) signOutHere(why);
    else enter(kept, await describe(kept));
  } catch (error) {
    if (error instanceof RefusedError && kept !== undefined) forget(kept);
    sessionState.value = {
      is: 'signed-out',
      why: why !== '' ? why : error instanceof RefusedError ? texts.signIn.ended : (error as Error).message,
    };
  }
}

/**
 * Signs in with a pasted key, or with a pasted address that has a code; shows the screen of that address, unless the page has one. Rejects
 * with the reason if that fails; after a session that has ended, also if the new one could not save what is on the page.
 */
export async function signInWith(text: string): Promise<void> {
  const trimmed = text.trim();
  const [, code, screen] = codeForm.exec(trimmed) ?? [];
  if (code === undefined && !/^[\x21-\x7e]+$/.test(trimmed)) throw new Error(texts.signIn.noKey);
  const had = sessionState.value.is;
  if (code === undefined) {
    const credential: Credential = { kind: 'key', key: trimmed };
    enter(credential, await describe(credential));
  } else await enterWith(code);
  if (screen !== undefined && had !== 'signed-in') location.hash = screen;
}

/** The server refuses the session or the key. What is on the page stays if something of it is not saved, until the user signs in again. */
export function sessionRefused(reason: string): void {
  const state = sessionState.value;
  if (state.is !== 'signed-in' || state.ended !== undefined) return;
  const { credential } = state.session;
  // The words of the server are for programs with an API key.
  if (credential.kind === 'key') end(reason);
  // The former session ends before the answer to a code is here.
  else void entering.then(() => replaceRefused(credential.secret));
}

/** Uses the session that has taken the place of a refused one, in this tab or in another one; without one, the session ends here. */
function replaceRefused(refused: string): void {
  const state = sessionState.value;
  if (state.is !== 'signed-in' || state.session.credential.kind === 'key' || state.session.credential.secret !== refused) return;
  const secret = sharedSecret();
  if (secret === undefined || secret === refused) end(texts.signIn.ended);
  else void follow(secret);
}

/** Uses a session that another tab has begun. */
async function follow(secret: string): Promise<void> {
  const credential: Credential = { kind: 'session', secret };
  try {
    const said = await describe(credential);
    // Another tab may have been faster again.
    if (sharedSecret() === secret) enter(credential, said);
  } catch (error) {
    const state = sessionState.value;
    if (state.is === 'signed-in' && state.ended === undefined) end((error as Error).message);
  }
}

/** Ends the session here: the page waits for another sign-in if it holds something. */
function end(why: string): void {
  const state = sessionState.value;
  if (state.is !== 'signed-in' || !isAnythingUnsaved()) signOutHere(why);
  else if (state.ended === undefined) {
    forget(state.session.credential);
    sessionState.value = { ...state, ended: why };
  }
}

onSharedChange(() => {
  const state = sessionState.value;
  const secret = sharedSecret();
  const used = state.is === 'signed-in' && state.ended === undefined ? state.session.credential : undefined;
  // A key belongs to this tab.
  if (state.is === 'starting' || used?.kind === 'key' || used?.secret === secret) return;
  if (secret !== undefined) void follow(secret);
  else end(texts.signIn.ended);
});

/**
 * Shows what the user, or an owner, has changed about the user. If that takes away rights that what is not saved needs, the page stays as it
 * is, and says so. Rejects with the reason.
 */
export async function describeAgain(): Promise<void> {
  const before = sessionState.value;
  if (before.is !== 'signed-in' || before.ended !== undefined) return;
  const said = await describe(before.session.credential);
  const state = sessionState.value;
  if (state.is !== 'signed-in' || state.session !== before.session) return;
  const { is, session, waiting } = state;
  if (isSame(said, waiting ?? session)) return;
  const stays = isSame(said, session) || (isAnythingUnsaved() && !canSaveFor(said, session));
  sessionState.value = stays ? { is, session, waiting: said } : { is, session: { ...session, ...said } };
}

const isSame = (one: Described, other: Described): boolean =>
  JSON.stringify([one.rights, one.projects, one.person]) === JSON.stringify([other.rights, other.projects, other.person]);

/** Reads again what the session may do, after a refusal or when its streams have ended. */
export const noticeRights = (): Promise<void> => describeAgain().catch(() => undefined);

// A page without a stream learns it when the user comes back to it.
addEventListener('focus', () => void noticeRights());

/** Gives up what is not saved, and shows what the session may do now. */
export function takeWaiting(): void {
  const state = sessionState.value;
  if (state.is === 'signed-in' && state.waiting !== undefined)
    sessionState.value = { is: state.is, session: { ...state.session, ...state.waiting } };
}

/** Ends the session, in all tabs; a key stays valid. */
export async function signOut(): Promise<void> {
  const state = sessionState.value;
  if (state.is !== 'signed-in') return;
  const { credential, proof } = state.session;
  signOutHere(texts.signIn.signedOut);
  if (credential.kind === 'session') await askConsole('DELETE', 'session', proof).catch(() => undefined);
}

/** Forgets the session or the key. @param why shown on the page */
export function signOutHere(why: string): void {
  const state = sessionState.value;
  if (state.is === 'signed-in') forget(state.session.credential);
  sessionState.value = { is: 'signed-out', why };
}
