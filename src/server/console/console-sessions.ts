/**
 * Sessions of the console. A code of a sign-in link becomes a key, which is a key like any other: durable, listed, audited, revocable. It
 * expires after twelve hours, or with the key that made the link; a day later it is deleted.
 */
import type { Principal } from '../../api/authorize.ts';
import type { ListedLink } from '../../api/console/link-endpoints.ts';
import type { ListedSession, NewSession, Session, Sessions } from '../../api/console/session-endpoints.ts';
import type { TileSource } from '../../api/pages/map-tiles.ts';
import type { Engine } from '../../engine/engine.ts';
import { endMs, keyState, withMakers } from '../../engine/key-state.ts';
import { deleteKeys, revokeKey } from '../../engine/keys.ts';
import { linkOf, useLink } from '../../engine/sign-in-links.ts';
import type { Key } from '../../model/account.ts';
import { newKey } from '../../model/key.ts';
import type { AuditLog } from '../admin/audit-log.ts';
import type { KeyUsage } from '../admin/key-usage.ts';
import type { Registry } from '../admin/registry.ts';
import { textOfCode } from './console-code.ts';
import { WrongCodes } from './wrong-codes.ts';

const sessionMs = 12 * 3_600_000;
/** Time after its end at which the key of a session, or a link, is deleted, in milliseconds. */
const keptMs = 24 * 3_600_000;
const cleanupMs = 3_600_000;

/** What sessions and links need of the server. */
export interface ConsoleParts {
  readonly engine: Engine;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  readonly registry: Registry;
  /** The shard of a cluster, which codes name; 0 on one machine. */
  readonly shard: number;
  /** The options of the server. */
  readonly tiles: readonly TileSource[];
  readonly fileBytesMax: number;
  readonly publicUrl: string | undefined;
}

export class ConsoleSessions implements Sessions<Principal> {
  readonly #parts: ConsoleParts;
  readonly #wrong = new WrongCodes();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    // Keys that are left over do no harm, so a failure is only tried again.
    this.#timer = setInterval(() => void this.deleteEnded().catch(() => undefined), cleanupMs).unref();
  }

  async exchange(code: string, address: string): Promise<NewSession | undefined> {
    const { engine, audit, registry, shard } = this.#parts;
    const { now } = engine.writer.context();
    const text = textOfCode(shard, code);
    const link = text === undefined ? undefined : linkOf(engine.state, text, now);
    if (text === undefined || link === undefined) {
      this.#wrong.note(address, now);
      // Another request may have used it just now.
      await engine.journal.durable(engine.state.keysVersion);
      return undefined;
    }
    const made = newKey();
    await registry.reserveKey(made.id);
    const issued = await useLink(engine, text, sessionMs, made);
    if (issued === undefined) {
      await engine.journal.durable(engine.state.keysVersion);
      await registry.free([], [made.id]);
      return undefined;
    }
    await registry.free([], [link.id]);
    const { id: key, accountId: account, access, projects, expires, label, maker: by } = issued.key;
    await audit.changed('key.created', { key, account, access, projects, expires, label, link: link.id, by });
    void this.deleteEnded().catch(() => undefined);
    return { ...this.#sessionOf(issued.key), key: issued.text };
  }

  describe({ accountId, keyId }: Principal): Session {
    const key = this.#parts.engine.state.keys.get(keyId);
    // A request of this process that names its account has no key.
    return this.#sessionOf(key ?? { ...noKey, accountId });
  }

  /** Those that the principal may see and that are valid, the newest first. */
  async list(principal: Principal): Promise<ListedSession[]> {
    const { engine, lastUse } = this.#parts;
    const { state } = engine;
    const { now } = engine.writer.context();
    await engine.journal.durable(state.keysVersion);
    return validOf('session', state.keys, principal, now).map((key) => ({
      ...restrictionsOf(key, endMs(state.keys, key)),
      lastUse: lastUse.since(key) || null,
      current: key.id === principal.keyId,
    }));
  }

  async end(principal: Principal, id: string): Promise<boolean> {
    const { engine, audit } = this.#parts;
    const { keys } = engine.state;
    const present = keys.get(id);
    if (present?.kind !== 'session' || !isVisible(keys, present, principal)) return false;
    await revokeKey(engine, id);
    await audit.changed('key.revoked', { key: id, account: present.accountId, by: principal.keyId });
    return true;
  }

  /** Deletes keys of sessions, and links, that ended at least a day ago. Resolves when that is durable. */
  async deleteEnded(): Promise<void> {
    const { engine, registry, lastUse } = this.#parts;
    const { keys } = engine.state;
    const before = engine.writer.context().now - keptMs;
    const ended = [...keys.values()].filter((key) => key.kind !== 'key' && endMs(keys, key) <= before).map(({ id }) => id);
    if (ended.length === 0) return;
    await deleteKeys(engine, ended);
    lastUse.prune(keys);
    await registry.free([], ended);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sessionOf(key: Pick<Key, 'id' | 'accountId' | 'access' | 'projects' | 'expires' | 'label' | 'kind' | 'maker'>): Session {
    const { engine, tiles, fileBytesMax, publicUrl } = this.#parts;
    const { id, accountId, access, projects, expires, label, kind } = key;
    return {
      id,
      account: engine.state.accounts.get(accountId)?.name ?? '',
      access,
      projects: projects.length === 0 ? null : projects,
      expires: expires === '' ? null : expires,
      label,
      revocable: kind === 'session',
      tiles,
      files: engine.files !== undefined,
      fileBytesMax,
      publicUrl: publicUrl?.startsWith('/') === false ? publicUrl : null,
    };
  }
}

const noKey = { id: '', access: 'write', projects: [], expires: '', label: '', kind: 'key', maker: '' } as const;

/** Whether a principal may see a session or a link, and end it: all of the account if it may do everything there, otherwise what it made. */
export function isVisible(
  keys: ReadonlyMap<string, Key>,
  key: Key,
  { accountId, keyId, readOnly, projects }: Principal,
): boolean {
  if (key.accountId !== accountId) return false;
  if (!readOnly && projects === undefined) return true;
  return withMakers(keys, key)?.some(({ id }) => id === keyId) === true;
}

/** The valid keys of a kind that a principal may see, the newest first. */
export function validOf(kind: Key['kind'], keys: ReadonlyMap<string, Key>, principal: Principal, now: number): Key[] {
  return [...keys.values()]
    .filter((key) => key.kind === kind && isVisible(keys, key, principal) && keyState(keys, key, now) === 'valid')
    .sort((a, b) => (a.created < b.created ? 1 : -1));
}

/**
 * What a session or a link may do, as it is shown.
 *
 * @param end Unix time in milliseconds
 */
export function restrictionsOf(key: Key, end: number): ListedLink {
  const { id, label, access, projects, created, maker } = key;
  const expires = new Date(end).toISOString();
  return {
    id,
    label,
    access,
    projects: projects.length === 0 ? null : projects,
    created,
    expires,
    by: maker === '' ? null : maker,
  };
}
