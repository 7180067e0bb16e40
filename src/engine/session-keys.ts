/**
 * Sessions of people in browsers, and the links that begin them. Both are keys. A link works once: the record that adds the session deletes
 * the link, so after any crash there is one or the other. A session has two secrets, of which a browser keeps each elsewhere; the digest that
 * is stored is of both.
 */
import type { Key } from '../model/account.ts';
import { digestOf, digestsEqual, keyId, newKey, newSecret } from '../model/key.ts';
import type { Person } from '../model/people/person.ts';
import type { Change } from '../store/operations/operations.ts';
import type { State } from '../store/state.ts';
import type { Engine } from './engine.ts';
import { expiryMs, keyState } from './key-state.ts';
import { keyOf, noDigest, type RefusedKey, refusal } from './keys.ts';

/** How long a session works after its last use, and at most, in milliseconds. */
export const sessionMs = { unused: 30 * 24 * 3_600_000, most: 365 * 24 * 3_600_000 } as const;

/** A use extends a session after this time, in milliseconds: at most one record a day. */
const renewalMs = 24 * 3_600_000;

/** Sessions of one person; the one that was extended longest ago ends when there are more. */
const sessionsMax = 50;

/** What a link is for, and how long it works, in milliseconds. A person has at most one of each. */
const linkMs = { invitation: 14 * 24 * 3_600_000, device: 10 * 60_000, command: 10 * 60_000, provider: 60_000 } as const;

export type LinkPurpose = keyof typeof linkMs;

/** A link, and its text, which is shown once. */
export interface MadeLink {
  readonly key: Key;
  readonly text: string;
}

/** A new session, with its secrets: they are shown once. */
export interface NewSession {
  readonly key: Key;
  /** For the storage of the page. */
  readonly text: string;
  /** For the cookie. */
  readonly cookie: string;
}

/**
 * Makes a link, and resolves when it is durable; one for the same purpose ends.
 *
 * @param before changes that come before it in the same record: of its person
 */
export async function createLink(
  engine: Engine,
  { id: person, accountId }: Pick<Person, 'id' | 'accountId'>,
  purpose: LinkPurpose,
  before: readonly Change[] = [],
): Promise<MadeLink> {
  const { id, text, digest } = newKey();
  const { now } = engine.writer.context();
  const [created, expires] = [new Date(now).toISOString(), new Date(now + linkMs[purpose]).toISOString()];
  const key: Key = { ...emptyKey, id, accountId, digest, created, expires, label: purpose, kind: 'link', person };
  const former = keysOf(engine.state, person, 'link').filter(({ label }) => label === purpose);
  const changes: Change[] = [...before, { op: 'put-key', key }, ...former.map(deletion)];
  await engine.journal.durable(engine.writer.commit(changes));
  return { key, text };
}

/** The link of this text; `undefined` if it is wrong, used or over. */
export function linkOf(state: State, text: string, now: number): Key | undefined {
  const id = keyId(text);
  const link = id === undefined ? undefined : keyOf(state, id, text);
  return link?.kind === 'link' && keyState(state, link, now) === 'valid' ? link : undefined;
}

interface LinkUse {
  /** Where the session is, for people: `Firefox on Windows`. */
  readonly device: string;
  /** The session that the browser had before, which ends. */
  readonly replaced: Key | undefined;
  /** Changes that come before the session in the same record: of its person. */
  readonly before: readonly Change[];
}

/**
 * Replaces a link by a session; resolves when that is durable. Call it in the turn in which {@link linkOf} found the link: so of several
 * requests with one link, one gets a session.
 */
export async function useLink(engine: Engine, link: Key, { device, replaced, before }: LinkUse): Promise<NewSession> {
  const made = newSession(link, device, engine.writer.context().now);
  const others = keysOf(engine.state, link.person, 'session').sort((a, b) => (a.expires < b.expires ? -1 : 1));
  const surplus = others.slice(0, Math.max(0, others.length + 1 - sessionsMax));
  const ended = new Map([link, ...surplus, ...(replaced === undefined ? [] : [replaced])].map((key) => [key.id, key]));
  const changes: Change[] = [...before, { op: 'put-key', key: made.key }, ...Array.from(ended.values(), deletion)];
  await engine.journal.durable(engine.writer.commit(changes));
  return made;
}

/** The result of looking up a session, and which of the secrets belongs to it. */
type SessionVerdict =
  | { readonly key: Key; readonly secret: string; readonly refused: undefined }
  | { readonly key: undefined; readonly refused: RefusedKey };

/** Looks a session up as `authenticate` does a key. @param secrets of cookies: those of other servers on the host may be among them */
export function authenticateSession(state: State, text: string, secrets: readonly string[], now: number): SessionVerdict {
  const id = keyId(text);
  if (id === undefined) return refusal('malformed', '', '');
  const session = state.keys.get(id);
  const secret = secrets.find((each) => digestsEqual(session?.digest ?? noDigest, sessionDigest(text, each)));
  if (session?.kind !== 'session' || secret === undefined) return refusal('unknown', id, '');
  const is = keyState(state, session, now);
  return is === 'valid' ? { key: session, secret, refused: undefined } : refusal(is, id, session.accountId);
}

/** Extends a session that is used, at most once a day. What cannot be written now, as on a full disk, is tried again with a later use. */
export function renewSession({ writer }: Pick<Engine, 'writer'>, key: Key): void {
  const { now } = writer.context();
  const until = Math.min(now + sessionMs.unused, Date.parse(key.created) + sessionMs.most);
  if (until < expiryMs(key) + renewalMs) return;
  try {
    writer.commit([{ op: 'put-key', key: { ...key, expires: new Date(until).toISOString() } }]);
  } catch {
    // The request may be a read, which needs no record; the error of a write says the same.
  }
}

/** The links or sessions of a person. */
export const keysOf = ({ keys }: Pick<State, 'keys'>, person: string, kind: 'link' | 'session'): Key[] =>
  [...keys.values()].filter((key) => key.kind === kind && key.person === person);

/** Deletes links and sessions; resolves when that is durable. */
export async function endSessions(engine: Engine, keys: readonly Key[]): Promise<void> {
  await engine.journal.durable(keys.length === 0 ? engine.state.keysVersion : engine.writer.commit(keys.map(deletion)));
}

export const deletion = ({ id, accountId }: Key): Change => ({ op: 'delete-key', accountId, keyId: id });

const emptyKey = {
  revoked: '',
  access: 'read',
  projects: [],
  label: '',
  replacedBy: '',
  rate: '',
} as const satisfies Partial<Key>;

const sessionDigest = (text: string, cookie: string): string => digestOf([text, cookie].join(' '));

function newSession({ accountId, person }: Key, device: string, now: number): NewSession {
  const { id, text } = newKey();
  const cookie = newSecret();
  const expires = new Date(now + sessionMs.unused).toISOString();
  const created = new Date(now).toISOString();
  const digest = sessionDigest(text, cookie);
  return { key: { ...emptyKey, id, accountId, digest, created, expires, label: device, kind: 'session', person }, text, cookie };
}
