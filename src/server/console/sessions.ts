/**
 * Sessions of people in browsers: begun with the code of a link, listed, extended by their use, and ended. A day after its end a session, or
 * a link, is deleted.
 */
import { actorOf, type Principal } from '../../api/authorize.ts';
import type { Client, DeviceLink, ListedSession, NewSession, Session, Sessions } from '../../api/console/session-endpoints.ts';
import { expiryMs, type Grant, grantOf, keyState } from '../../engine/key-state.ts';
import { authenticateSession, createLink, endSessions, keysOf, linkOf, sessionMs, useLink } from '../../engine/session-keys.ts';
import { sessionHeader } from '../../http/guard/session-cookie.ts';
import { type Problem, problems } from '../../http/problem.ts';
import type { Key } from '../../model/account.ts';
import type { Person, PersonIdentity } from '../../model/people/person.ts';
import type { Change } from '../../store/operations/operations.ts';
import { textOfShard, withShard } from './console-code.ts';
import type { ConsoleParts } from './console-parts.ts';
import { deviceName } from './device-name.ts';
import { handOutLink } from './hand-out-link.ts';
import { bound, decideConnection } from './oidc/decide-person.ts';
import { WrongCodes } from './wrong-codes.ts';

/** Time after its end at which a session or a link is deleted, in milliseconds. */
const keptMs = 24 * 3_600_000;
const cleanupMs = 3_600_000;

export class ConsoleSessions implements Sessions<Principal> {
  readonly #parts: ConsoleParts;
  readonly #wrong = new WrongCodes();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    // What is left over does no harm, so a failure is only tried again.
    this.#timer = setInterval(() => void this.deleteEnded().catch(() => undefined), cleanupMs).unref();
  }

  async exchange(code: string, { address, port, headers, replaces }: Client): Promise<NewSession | undefined> {
    const { engine, audit, lastUse, shard, cookie, connections } = this.#parts;
    const { now } = engine.writer.context();
    const text = textOfShard(shard, code);
    const link = text === undefined ? undefined : linkOf(engine.state, text, now);
    const replaced = sessionIn(this.#parts, headers, now);
    const connection = link === undefined ? undefined : connections.get(link.id);
    // The browser that comes back from a provider must be the one that has the session, with both halves.
    const isForeign = connection !== undefined && replaced?.id !== connection.session;
    if (link === undefined || isForeign) {
      this.#wrong.note(address, now);
      // Another request may have used it just now.
      await engine.journal.durable(engine.state.keysVersion);
      return undefined;
    }
    if (replaced !== undefined && replaced.person !== link.person && !replaces) throw this.#signedInAs(replaced, link);
    const connected = connection === undefined ? undefined : this.#connected(link.person, connection.identity);
    const before: Change[] = connected === undefined ? [] : [{ op: 'put-person', person: connected }];
    const made = await useLink(engine, link, { device: deviceName(headers['user-agent']), replaced, before });
    connections.delete(link.id);
    const { id: session, accountId: account, person, label: device } = made.key;
    lastUse.note(person, now);
    if (connected !== undefined)
      await audit.changed('person.bound', { account, person, issuer: connection?.identity.issuer ?? '', by: person });
    await audit.changed('session.created', { session, account, person, device, link: link.id, purpose: link.label });
    if (replaced !== undefined) await audit.changed('session.ended', { ...fieldsOf(replaced), by: person });
    void this.deleteEnded().catch(() => undefined);
    return {
      session: this.#sessionOf(made.key, grantOf(engine.state, made.key)),
      secret: withShard(shard, made.text),
      setCookie: cookie.setting(made.cookie, sessionMs.most / 1000, port),
    };
  }

  /** Somebody could be sent a link of somebody else, and would work in another account without a word. */
  #signedInAs(session: Key, link: Key): Problem {
    const { state } = this.#parts.engine;
    const named = ({ person, accountId }: Key) =>
      `"${state.persons.get(person)?.name ?? ''}" in the account "${state.accounts.get(accountId)?.name ?? ''}"`;
    return problems.conflict(`This link is for ${named(link)}, and this browser is signed in as ${named(session)}.`);
  }

  /** A person with an identity of a provider; `undefined` if that changes nothing, or if another person has it by now. */
  #connected(personId: string, identity: PersonIdentity): Person | undefined {
    const { state } = this.#parts.engine;
    const decision = decideConnection(state, identity, state.persons.get(personId));
    return decision.kind === 'bind' ? bound(decision.person, identity) : undefined;
  }

  describe({ accountId, keyId, rights, projects }: Principal): Session {
    const key = this.#parts.engine.state.keys.get(keyId);
    // A request of this process that names its account has no key.
    return this.#sessionOf(key ?? { ...noKey, accountId }, { rights, projects });
  }

  async list(principal: Principal, ofAll: boolean): Promise<ListedSession[]> {
    const { engine, lastUse } = this.#parts;
    const { state } = engine;
    const { now } = engine.writer.context();
    await engine.journal.durable(state.keysVersion);
    const shown = [...state.keys.values()].filter(
      (key) => this.#isVisible(principal, key, ofAll) && keyState(state, key, now) === 'valid',
    );
    return shown
      .sort((a, b) => (a.created < b.created ? 1 : -1))
      .map((key) => ({
        ...{ id: key.id, person: key.person, device: key.label, created: key.created, expires: key.expires },
        lastUse: lastUse.since(key) || null,
        current: key.id === principal.keyId,
      }));
  }

  async end(principal: Principal, id: string): Promise<boolean> {
    const { engine, audit } = this.#parts;
    const key = engine.state.keys.get(id);
    if (key === undefined || !this.#isVisible(principal, key, principal.rights.has('people'))) return false;
    await endSessions(engine, [key]);
    await audit.changed('session.ended', { ...fieldsOf(key), by: actorOf(principal) });
    return true;
  }

  async endOthers(principal: Principal): Promise<void> {
    const { engine, audit } = this.#parts;
    const { keyId, personId } = principal;
    const others = keysOf(engine.state, personId, 'session').filter(({ id }) => id !== keyId);
    await endSessions(engine, [...others, ...keysOf(engine.state, personId, 'link').filter(({ label }) => label === 'device')]);
    for (const session of others) await audit.changed('session.ended', { ...fieldsOf(session), by: personId });
  }

  async linkDevice({ accountId, personId }: Principal): Promise<DeviceLink> {
    const { engine, ownChanges } = this.#parts;
    // From here to the record in one turn: the person may have been removed.
    if (personId === '') throw problems.forbidden('This is for people who are signed in. An API key makes no links.');
    ownChanges.note(personId, engine.writer.context().now);
    const link = await createLink(engine, { id: personId, accountId }, 'device');
    return await handOutLink(this.#parts, link, personId);
  }

  clearCookie(port: number | undefined): string {
    return this.#parts.cookie.setting('', 0, port);
  }

  /** Deletes sessions and links that ended at least a day ago, and those of before there were people. Resolves when that is durable. */
  async deleteEnded(): Promise<void> {
    const { engine, lastUse } = this.#parts;
    const { state } = engine;
    const { now } = engine.writer.context();
    const isOver = (key: Key): boolean => {
      if (key.kind === 'key') return false;
      const is = keyState(state, key, now);
      return is === 'revoked' || (is === 'expired' && expiryMs(key) <= now - keptMs);
    };
    const ended = [...state.keys.values()].filter(isOver);
    if (ended.length === 0) return;
    await endSessions(engine, ended);
    lastUse.prune(state);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Whether a principal sees a session, and may end it: their own, and with the right `people` those of all. */
  #isVisible({ accountId, personId, rights }: Principal, key: Key, ofAll: boolean): boolean {
    if (key.kind !== 'session' || key.accountId !== accountId) return false;
    return (ofAll && rights.has('people')) || (personId !== '' && key.person === personId);
  }

  #sessionOf({ id, accountId, expires, label, kind, person: personId }: Key, { rights, projects }: Grant): Session {
    const { engine, tiles, fileBytesMax, publicUrl } = this.#parts;
    const person = engine.state.persons.get(personId);
    return {
      id,
      account: engine.state.accounts.get(accountId)?.name ?? '',
      person: person === undefined ? null : shownPerson(person),
      rights: [...rights],
      projects: projects === undefined ? null : [...projects],
      expires: expires === '' ? null : expires,
      label: kind === 'key' ? label : '',
      tiles,
      files: engine.files !== undefined,
      fileBytesMax,
      publicUrl: publicUrl?.startsWith('/') === false ? publicUrl : null,
    };
  }
}

/** The valid session of a browser, by both of its secrets. */
export function sessionIn(
  { engine, shard, cookie }: ConsoleParts,
  { [sessionHeader]: text, cookie: sent }: Client['headers'],
  now: number,
): Key | undefined {
  const own = typeof text === 'string' ? textOfShard(shard, text) : undefined;
  return own === undefined ? undefined : authenticateSession(engine.state, own, cookie.valuesIn(sent), now).key;
}

/** Of a session, in the audit log. */
const fieldsOf = ({ id: session, accountId: account, person }: Key) => ({ session, account, person });

const shownPerson = ({ id, name, color, role }: Person) => ({ id, name, color, role });

const noKey: Key = {
  ...{ id: '', accountId: '', digest: '', created: '', revoked: '', expires: '', access: 'write', projects: [] },
  ...{ label: '', replacedBy: '', rate: '', kind: 'key', person: '' },
};
