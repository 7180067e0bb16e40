/**
 * Sign-in links of the console: made by a command, or by a signed-in user for others. A user hands on no more than they have: neither
 * rights, nor projects, nor time.
 */
import type { Principal } from '../../api/authorize.ts';
import type { Links, LinkWish, ListedLink, NewLink } from '../../api/console/link-endpoints.ts';
import { endMs } from '../../engine/key-state.ts';
import { createLink, deleteLink, type Issued, type LinkTerms } from '../../engine/sign-in-links.ts';
import { problems } from '../../http/problem.ts';
import { OperationError } from '../../lib/errors.ts';
import type { FieldError } from '../../lib/field-error.ts';
import { noSuchAccount } from '../../lib/text/similar-account.ts';
import { durationMs, momentMs } from '../../lib/text/time.ts';
import { newKey } from '../../model/key.ts';
import type { AccountState } from '../../store/state.ts';
import { problemOfKeyName } from '../admin/key-options.ts';
import { pathWithCode } from './console-code.ts';
import { type ConsoleParts, isVisible, restrictionsOf, validOf } from './console-sessions.ts';

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
  /** Path of the console with the code. */
  readonly path: string;
  /** RFC 3339 */
  readonly expires: string;
}

/** Label of what a command makes. */
const label = 'console';
/** How long a link of a command works, in milliseconds. */
const commandMs = 10 * 60_000;
const defaultMs = 24 * 3_600_000;
const longestMs = 30 * 24 * 3_600_000;
/** Links of one account that users made, and the sessions of these, at most; also those that ended within a day. */
const linksMax = 500;
/** Maximum number of projects of one key. */
const projectsMax = 100;
/** Identifiers in the message for a name that several projects have. */
const idsShown = 5;

export class ConsoleLinks implements Links<Principal> {
  readonly #parts: ConsoleParts;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
  }

  /**
   * Makes a link for an account. Rejects with {@link OperationError} if the account, or one of the projects, does not exist, or a name is not
   * unique.
   */
  async createCode(accountName: string, { readOnly = false, projects = [], open }: ConsoleOptions): Promise<ConsoleCode> {
    const { engine, shard } = this.#parts;
    const account = engine.state.accountNamed(accountName);
    if (account === undefined) throw noSuchAccount(accountName, [...engine.state.accounts.values()]);
    if (!Array.isArray(projects) || projects.length > projectsMax || projects.some((id) => typeof id !== 'string'))
      throw new OperationError(`The projects of a session must be a list of up to ${projectsMax} identifiers.`);
    const missing = projects.find((id) => !account.projects.has(id));
    if (missing !== undefined) throw new OperationError(`The account "${accountName}" has no project "${missing}".`, 'not_found');
    const project = open === undefined ? undefined : projectNamed(account, open);
    if (project !== undefined && projects.length > 0 && !projects.includes(project))
      throw new OperationError(`The session cannot open project "${open}", because it is restricted to other projects.`);
    const access = readOnly ? 'read' : 'write';
    const expires = new Date(engine.writer.context().now + commandMs).toISOString();
    const terms = { accountId: account.id, access, label, projects: [...new Set(projects)], expires, maker: '' } as const;
    const { text } = await this.#create(terms);
    return { path: pathWithCode(shard, text, project), expires };
  }

  async list(principal: Principal): Promise<ListedLink[]> {
    const { engine } = this.#parts;
    const { keys } = engine.state;
    await engine.journal.durable(engine.state.keysVersion);
    const { now } = engine.writer.context();
    return validOf('link', keys, principal, now).map((key) => restrictionsOf(key, endMs(keys, key)));
  }

  async create(principal: Principal, wish: LinkWish): Promise<NewLink> {
    const { shard } = this.#parts;
    const terms = this.#termsOf(principal, wish);
    const { key, text } = await this.#create(terms);
    const [project] = terms.projects;
    const path = pathWithCode(shard, text, terms.projects.length === 1 ? project : undefined);
    return { ...restrictionsOf(key, Date.parse(key.expires)), path };
  }

  async remove(principal: Principal, id: string): Promise<boolean> {
    const { engine, audit, registry } = this.#parts;
    const { keys } = engine.state;
    const link = keys.get(id);
    if (link?.kind !== 'link' || !isVisible(keys, link, principal)) {
      await engine.journal.durable(engine.state.keysVersion);
      return false;
    }
    await deleteLink(engine, link);
    await registry.free([], [id]);
    await audit.changed('link.deleted', { link: id, account: link.accountId, by: principal.keyId });
    return true;
  }

  async #create(terms: LinkTerms): Promise<Issued> {
    const { engine, audit, registry } = this.#parts;
    const made = newKey();
    await registry.reserveKey(made.id);
    // From here to the record in one turn: the account, and the key that makes the link, may have ended meanwhile.
    const refusal = this.#refusalOf(terms);
    if (refusal !== undefined) {
      await registry.free([], [made.id]);
      throw refusal;
    }
    const issued = await createLink(engine, terms, made);
    const { accountId: account, access, projects, expires, label, maker: by } = terms;
    await audit.changed('link.created', { link: made.id, account, access, projects, expires, label, by });
    return issued;
  }

  #refusalOf({ accountId, maker }: LinkTerms): Error | undefined {
    const { keys, accounts } = this.#parts.engine.state;
    if (!accounts.has(accountId)) {
      return maker === '' ? new OperationError('The account was deleted.', 'not_found') : problems.unauthorized('refused');
    }
    if (maker === '') return undefined;
    if (!keys.has(maker)) return problems.unauthorized('refused');
    const made = [...keys.values()].filter((key) => key.accountId === accountId && key.maker !== '').length;
    return made < linksMax
      ? undefined
      : problems.conflict(
          `Your account has ${made} sign-in links and sessions of such links, and may have ${linksMax}. Delete links that were not used, or wait: sessions count for a day after their end.`,
        );
  }

  /** What a link may do. Throws a problem for values that are none. */
  #termsOf({ accountId, keyId, projects: own }: Principal, wish: LinkWish): LinkTerms {
    const { engine } = this.#parts;
    const { access = 'write', label: wanted = '' } = wish;
    const errors: FieldError[] = [];
    const present = engine.state.accounts.get(accountId)?.projects;
    const isPresent = (id: string): boolean => present?.has(id) === true;
    // An empty list would reach all projects.
    const reached = own && [...own].filter(isPresent);
    if (reached?.length === 0) throw problems.forbidden('The projects of this session were deleted: it makes no sign-in links.');
    const projects = [...new Set(wish.projects ?? reached ?? [])];
    const { length } = projects;
    if (length > projectsMax || wish.projects?.length === 0)
      errors.push({
        pointer: '/projects',
        detail: `must name 1 to ${projectsMax} projects, not ${length}; without it, the link reaches all that you reach`,
      });
    else
      projects.forEach((id, i) => {
        if (!isPresent(id)) errors.push({ pointer: `/projects/${i}`, detail: 'there is no such project' });
      });
    const expires = this.#expiryOf(keyId, wish.expires, errors);
    const detail = wanted === '' ? undefined : problemOfKeyName(wanted);
    if (detail !== undefined) errors.push({ pointer: '/label', detail });
    if (errors.length > 0) throw problems.validationFailed(errors);
    return { accountId, maker: keyId, access, projects, label: wanted, expires };
  }

  /** When a link ends: RFC 3339. */
  #expiryOf(keyId: string, wanted: string | undefined, errors: FieldError[]): string {
    const { engine } = this.#parts;
    const { keys } = engine.state;
    const { now } = engine.writer.context();
    const maker = keys.get(keyId);
    const until = maker === undefined ? Number.POSITIVE_INFINITY : endMs(keys, maker);
    const ms = wanted === undefined ? Math.min(now + defaultMs, until) : (afterMs(wanted, now) ?? momentMs(wanted));
    const detail =
      ms === undefined
        ? 'must be a duration such as 24h, or a time such as 2030-01-31T12:00:00Z'
        : ms <= now
          ? 'must be in the future'
          : ms > now + longestMs
            ? 'must be within 30 days'
            : ms > until
              ? `must not be after the end of the session that makes the link, ${new Date(until).toISOString()}`
              : undefined;
    if (detail !== undefined) errors.push({ pointer: '/expires', detail });
    return new Date(detail === undefined ? (ms as number) : now).toISOString();
  }
}

/** Unix time in milliseconds at the end of a duration from now; `undefined` for other texts. */
function afterMs(text: string, now: number): number | undefined {
  const ms = durationMs(text);
  return ms === undefined ? undefined : now + ms;
}

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
