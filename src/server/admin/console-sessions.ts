/**
 * Sessions of the console: one-time codes, which live in memory, and the keys that they become. A key of a session is a key like any other:
 * durable, listed, audited, revocable. It expires after twelve hours; a day later it is deleted.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Principal } from '../../api/authorize.ts';
import type { NewSession, Session, Sessions } from '../../api/console/session-endpoints.ts';
import type { Engine } from '../../engine/engine.ts';
import { expiryMs } from '../../engine/key-state.ts';
import { createKey, deleteKeys, revokeKey } from '../../engine/keys.ts';
import { problems } from '../../http/problem.ts';
import { clientOf } from '../../http/request/addresses.ts';
import { OperationError } from '../../lib/errors.ts';
import { noSuchAccount } from '../../lib/text/similar-account.ts';
import type { Key } from '../../model/change.ts';
import { newKey } from '../../model/key.ts';
import type { AccountState } from '../../store/state.ts';
import type { AuditLog } from './audit-log.ts';
import type { Registry } from './registry.ts';

/** Restrictions of a session. */
export interface ConsoleOptions {
  /** Whether it can change nothing; default false. */
  readonly readOnly?: boolean;
  /** Identifiers of the projects that it can access; default (and if empty): all of the account. */
  readonly projects?: readonly string[];
  /** The project that the editor shows after sign-in: its identifier, or its name if no other project has it; default: the list of projects. */
  readonly open?: string;
}

/** A code that signs a browser in once. */
export interface ConsoleCode {
  readonly code: string;
  /** RFC 3339 */
  readonly expires: string;
  /** Identifier of the project to open; `undefined` for the list of projects. */
  readonly project: string | undefined;
}

interface PendingCode {
  readonly accountId: string;
  readonly readOnly: boolean;
  readonly projects: readonly string[];
  /** Unix time in milliseconds. */
  readonly untilMs: number;
  /** The same by `performance.now()`: a clock that is set back does not make the code live longer. */
  readonly untilMonotonicMs: number;
}

/** Wrong codes of one client: an IPv4 address, or the /64 of an IPv6 address. */
interface Failures {
  count: number;
  /** Unix time in milliseconds of the last one. */
  lastMs: number;
}

const label = 'console';
const sessionMs = 12 * 3_600_000;
/** Expiry and creation of a key are read from the clock one after the other. */
const toleranceMs = 1000;
const codeMs = 10 * 60_000;
const codeBytes = 16;
/** Base of the digit before them, which names the shard. */
const shardDigits = 36;
/** Pending codes at most; the oldest goes first. */
const codesMax = 1000;
const failuresMax = 10;
const blockedMs = 60_000;
/** Clients whose failures are counted at most; the oldest goes first. */
const clientsMax = 10_000;
/** Time after its end at which the key of a session is deleted, in milliseconds. */
const keptMs = 24 * 3_600_000;
const cleanupMs = 3_600_000;
/** Maximum number of projects of one key. */
const projectsMax = 100;
/** Identifiers in the message for a name that several projects have. */
const idsShown = 5;

interface Parts {
  readonly engine: Engine;
  readonly audit: AuditLog;
  readonly registry: Registry;
  /** The shard of a cluster, which codes name; 0 on one machine. */
  readonly shard: number;
  /** The option of the server. */
  readonly tiles: string | undefined;
  /** Called in the turn in which a key becomes invalid. */
  invalidateKeys(): void;
}

export class ConsoleSessions implements Sessions<Principal> {
  readonly #parts: Parts;
  /** By the digest of the code, in the order in which they were made. */
  readonly #codes = new Map<string, PendingCode>();
  /** By client: `clientOf` its address. */
  readonly #failures = new Map<string, Failures>();
  readonly #timer: NodeJS.Timeout;

  constructor(parts: Parts) {
    this.#parts = parts;
    // Keys that are left over do no harm, so a failure is only tried again.
    this.#timer = setInterval(() => void this.deleteEnded().catch(() => undefined), cleanupMs).unref();
  }

  /** Makes a code for an account. Throws {@link OperationError} if the account, or one of the projects, does not exist, or a name is not unique. */
  createCode(accountName: string, { readOnly = false, projects = [], open }: ConsoleOptions): ConsoleCode {
    const { engine, shard } = this.#parts;
    const now = engine.writer.context().now;
    const account = engine.state.accountNamed(accountName);
    if (account === undefined) throw noSuchAccount(accountName, [...engine.state.accounts.values()]);
    if (!Array.isArray(projects) || projects.length > projectsMax || projects.some((id) => typeof id !== 'string'))
      throw new OperationError(`The projects of a session must be a list of up to ${projectsMax} identifiers.`);
    const missing = projects.find((id) => !account.projects.has(id));
    if (missing !== undefined) throw new OperationError(`The account "${accountName}" has no project "${missing}".`, 'not_found');
    const project = open === undefined ? undefined : projectNamed(account, open);
    if (project !== undefined && projects.length > 0 && !projects.includes(project))
      throw new OperationError(`The session cannot open project "${open}", because it is restricted to other projects.`);
    const code = shard.toString(shardDigits) + randomBytes(codeBytes).toString('base64url');
    const untilMs = now + codeMs;
    const untilMonotonicMs = performance.now() + codeMs;
    this.#codes.set(digestOf(code), {
      accountId: account.id,
      readOnly,
      projects: [...new Set(projects)],
      untilMs,
      untilMonotonicMs,
    });
    for (const [digest, pending] of this.#codes)
      if (this.#codes.size > codesMax || !isTimely(pending, now)) this.#codes.delete(digest);
    return { code, expires: new Date(untilMs).toISOString(), project };
  }

  async exchange(code: string, address: string): Promise<NewSession | undefined> {
    const { engine, audit, registry } = this.#parts;
    const { now } = engine.writer.context();
    const digest = digestOf(code);
    const pending = this.#codes.get(digest);
    // Before anything that waits: of two requests with one code, one is wrong.
    this.#codes.delete(digest);
    if (pending === undefined || !isTimely(pending, now)) {
      // Only wrong codes are refused: 128 bits cannot be guessed, and clients may share an address.
      const client = clientOf(address);
      this.#refuseBlocked(client, now);
      this.#failed(client, now);
      return undefined;
    }
    const made = newKey();
    await registry.reserveKey(made.id);
    const { accountId, readOnly, projects } = pending;
    // Looked up after the wait, because a new key would create its account again. Without its projects, it would reach all of them.
    const account = engine.state.accounts.get(accountId);
    if (account === undefined || !projects.every((id) => account.projects.has(id))) return undefined;
    const expires = new Date(engine.writer.context().now + sessionMs).toISOString();
    const terms = { expires, access: readOnly ? 'read' : 'write', projects, label } as const;
    const created = await createKey(engine, account.name, terms, made);
    const { id, key, access } = created;
    await audit.changed('key.created', { key: id, account: account.id, access, projects, expires, label });
    void this.deleteEnded().catch(() => undefined);
    return { ...this.#sessionOf(id), key };
  }

  describe({ keyId }: Principal): Session {
    return this.#sessionOf(keyId);
  }

  async revoke({ keyId }: Principal): Promise<boolean> {
    const { engine, audit, invalidateKeys } = this.#parts;
    const present = engine.state.keys.get(keyId);
    if (present === undefined || !isSession(present)) return false;
    const revoking = revokeKey(engine, keyId);
    invalidateKeys();
    const { key } = await revoking;
    await audit.changed('key.revoked', { key: keyId, account: key.accountId });
    return true;
  }

  /** Deletes the keys of sessions that ended at least a day ago. Resolves when that is durable. */
  async deleteEnded(): Promise<void> {
    const { engine, registry } = this.#parts;
    const before = engine.writer.context().now - keptMs;
    const ended = [...engine.state.keys.values()].filter((key) => isSession(key) && endOf(key) <= before).map(({ id }) => id);
    if (ended.length === 0) return;
    await deleteKeys(engine, ended);
    await registry.free([], ended);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sessionOf(keyId: string): Session {
    const { engine, tiles = null } = this.#parts;
    const key = engine.state.keys.get(keyId) as Key;
    const { accountId, access, projects, expires } = key;
    return {
      id: keyId,
      account: engine.state.accounts.get(accountId)?.name ?? '',
      access,
      projects: projects.length === 0 ? null : projects,
      expires: expires === '' ? null : expires,
      revocable: isSession(key),
      tiles,
      files: engine.files !== undefined,
    };
  }

  #refuseBlocked(client: string, now: number): void {
    const failures = this.#failures.get(client);
    if (failures === undefined || failures.count < failuresMax || !isRecent(failures, now)) return;
    const leftMs = failures.lastMs + blockedMs - now;
    throw problems.tooManyRequests(
      `Too many wrong codes from your address. Retry in ${Math.ceil(leftMs / 1000)} s.`,
      Math.ceil(leftMs / 1000),
      'console_codes',
    );
  }

  #failed(client: string, now: number): void {
    const before = this.#failures.get(client);
    const count = before !== undefined && isRecent(before, now) ? before.count + 1 : 1;
    this.#failures.delete(client);
    this.#failures.set(client, { count, lastMs: now });
    if (this.#failures.size > clientsMax) this.#failures.delete(this.#failures.keys().next().value as string);
  }
}

const isTimely = ({ untilMs, untilMonotonicMs }: PendingCode, now: number): boolean =>
  now < untilMs && performance.now() < untilMonotonicMs;

/** Whether failures count; not after the clock was set back: clients would wait for as long. */
const isRecent = ({ lastMs }: Failures, now: number): boolean => now >= lastMs && now < lastMs + blockedMs;

const digestOf = (code: string): string => createHash('sha256').update(code).digest('base64url');

/** Whether the console made a key: others are neither revoked nor deleted here, even with the same label. */
function isSession(key: Key): boolean {
  const lifetimeMs = expiryMs(key) - Date.parse(key.created);
  return key.label === label && Math.abs(lifetimeMs - sessionMs) <= toleranceMs;
}

/** When a session ends, or ended: Unix time in milliseconds. */
const endOf = (key: Key): number => (key.revoked === '' ? expiryMs(key) : Date.parse(key.revoked));

/** The identifier of the project with this identifier, or of the only one with this name. Throws {@link OperationError} without one. */
function projectNamed({ name: accountName, projects }: AccountState, wanted: string): string {
  if (projects.has(wanted)) return wanted;
  const ids = [...projects.values()].filter(({ value }) => value['name'] === wanted).map(({ id }) => id);
  const [id] = ids;
  if (id === undefined) throw new OperationError(`The account "${accountName}" has no project "${wanted}".`, 'not_found');
  if (ids.length > 1)
    throw new OperationError(
      `The account "${accountName}" has ${ids.length} projects with the name "${wanted}". Give the id of one: ${ids.slice(0, idsShown).join(', ')}`,
    );
  return id;
}
