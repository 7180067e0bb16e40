/** Signs people in with a provider of OpenID Connect: begins, checks what comes back, and makes the code that the page exchanges for a session. */
import fs from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import {
  callbackPath,
  type SignOn,
  type SignOnEnd,
  type SignOnStart,
  type SignOnWish,
} from '../../../api/console/oidc-endpoints.ts';
import { makePerson } from '../../../engine/change-persons.ts';
import { keyState } from '../../../engine/key-state.ts';
import { createLink } from '../../../engine/session-keys.ts';
import { problems } from '../../../http/problem.ts';
import { withoutSlash } from '../../../http/proxy.ts';
import type { Caller } from '../../../http/transport/transport.ts';
import { SettingsError } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/observability/logger.ts';
import { problemOfKeyName } from '../../admin/key-options.ts';
import type { ConsoleParts } from '../console-parts.ts';
import { handOutLink } from '../hand-out-link.ts';
import { sessionIn } from '../sessions.ts';
import { type Attempt, AttemptCookie, type AttemptFound, attemptMs } from './attempt-cookie.ts';
import { bound, type Decision, decideConnection, decidePerson, nameFor, personOf } from './decide-person.ts';
import { loadOpenidClient } from './load-openid-client.ts';
import { type DomainRule, domainRules, type OidcOptions } from './oidc-options.ts';
import { type Known, type Profile, Provider, ProviderError, type ProviderOptions } from './provider.ts';
import { type Failure, statusOf, textOf } from './sign-on-texts.ts';

/** Answers that are remembered so that none counts twice; the provider refuses a code that was used, too. */
const usedMax = 10_000;
const retryAfterS = 5;

interface SignOnParts extends ConsoleParts {
  readonly log: Log;
}

interface SignOnOptions {
  readonly provider: Provider;
  readonly cookie: AttemptCookie;
  /** Of the provider, for people. */
  readonly name: string;
  readonly rules: readonly DomainRule[];
}

/** What a server needs of its options. */
type Options = OidcOptions & { readonly publicUrl?: string };

/** What {@link openProvider} makes of options; `undefined` without an issuer. */
export type OpenedProvider = Omit<SignOnOptions, 'cookie'> & { readonly callback: URL };

/**
 * Loads the package and the secret. Rejects with {@link SettingsError} if one of them is missing.
 *
 * @param options that `checkOptions` accepts
 */
export async function openProvider(
  options: Options,
  more: Pick<ProviderOptions, 'timeoutMs' | 'clock'> = {},
): Promise<OpenedProvider | undefined> {
  const { oidcIssuer: issuer, oidcClient: client = '', oidcName, oidcDomains = [], publicUrl = '' } = options;
  if (issuer === undefined) return undefined;
  const callback = new URL(`${withoutSlash(publicUrl)}${callbackPath}`);
  const provider = new Provider({
    library: await loadOpenidClient(),
    issuer,
    client,
    secret: secretOf(options),
    callback,
    ...more,
  });
  return { provider, callback, name: oidcName ?? new URL(issuer).host, rules: domainRules(oidcDomains) };
}

function secretOf({ oidcSecret, oidcSecretFile: file }: OidcOptions): string {
  if (file === undefined) return oidcSecret ?? '';
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8').trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SettingsError(`The file ${file} with the client secret of single sign-on cannot be read: ${code}.`, { cause });
  }
  if (text === '') throw new SettingsError(`The file ${file} with the client secret of single sign-on is empty.`);
  return text;
}

export class SingleSignOn implements SignOn {
  readonly name: string;
  readonly #parts: SignOnParts;
  readonly #provider: Provider;
  readonly #cookie: AttemptCookie;
  readonly #rules: readonly DomainRule[];
  /** States of answers until they are over: Unix time in milliseconds, the oldest first. */
  readonly #used = new Map<string, number>();

  /** @param secret that all nodes of a cluster share; `undefined` on one machine */
  constructor(parts: SignOnParts, { provider, callback, name, rules }: OpenedProvider, secret: Uint8Array | undefined) {
    this.name = name;
    this.#parts = parts;
    this.#provider = provider;
    this.#cookie = new AttemptCookie(callback, secret);
    this.#rules = rules;
  }

  async start({ project, binds }: SignOnWish, headers: IncomingHttpHeaders): Promise<SignOnStart> {
    const session = binds ? sessionIn(this.#parts, headers, this.#now) : undefined;
    if (binds && session === undefined) throw problems.unauthorized('ended');
    const checks = this.#provider.newChecks();
    try {
      const location = await this.#provider.address(checks);
      const attempt: Attempt = { ...checks, project, session: session?.id ?? '', until: this.#now + attemptMs };
      return { location, setCookie: this.#cookie.setting(attempt) };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#warn(error, undefined);
      const what = error.failure === 'away' ? 'does not answer' : 'is not set up as this server expects';
      throw problems.unavailable(
        `${this.name} ${what}. Try again later, or sign in with a link. The operator finds the reason in the log of the server.`,
        retryAfterS,
        'oidc_provider',
      );
    }
  }

  async finish(search: string, headers: IncomingHttpHeaders, caller: Caller): Promise<SignOnEnd> {
    const found = this.#cookie.find(headers.cookie, this.#now);
    const setCookie = this.#cookie.clearing;
    try {
      const result = await this.#finish(found, search);
      if (typeof result !== 'string') return { result, setCookie };
      this.#parts.log.info({ reason: result, request: caller.requestId }, 'a sign-in with the provider was refused');
      return { result: this.#failed(result), setCookie };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#warn(error, caller);
      return { result: this.#failed(error.failure), setCookie };
    }
  }

  /** The path of the console, or why there is none. */
  async #finish(found: AttemptFound, search: string): Promise<{ readonly path: string } | Failure> {
    if ('missing' in found) return found.missing;
    const { attempt } = found;
    if (new URLSearchParams(search).get('state') !== attempt.state) return 'other';
    if (!this.#isFirst(attempt)) return 'used';
    const known = await this.#provider.exchange(search, attempt);
    return attempt.session === '' ? await this.#signIn(known, attempt) : await this.#connect(known, attempt);
  }

  async #signIn(known: Known, { project }: Attempt): Promise<{ readonly path: string } | Failure> {
    const { engine } = this.#parts;
    const { state } = engine;
    // Only who is not known here is asked for more.
    const profile = personOf(state, known)?.removed === '' ? noProfile : await known.profile();
    // From here to the record in one turn.
    return await this.#carryOut(decidePerson(state, known, profile, this.#rules), known, profile, project);
  }

  async #connect(known: Known, { session, project }: Attempt): Promise<{ readonly path: string } | Failure> {
    const { state } = this.#parts.engine;
    const key = state.keys.get(session);
    const isValid = key?.kind === 'session' && keyState(state, key, this.#now) === 'valid';
    const person = isValid ? state.persons.get(key.person) : undefined;
    const decision = decideConnection(state, known, person);
    return await this.#carryOut(decision, known, noProfile, project, decision.kind === 'bind' ? session : '');
  }

  /** @param session of a person who connects the provider: nothing is bound yet */
  async #carryOut(
    decision: Decision,
    { issuer, subject }: Known,
    { email, name }: Profile,
    project: string,
    session = '',
  ): Promise<{ readonly path: string } | Failure> {
    if (decision.kind === 'refuse') return decision.reason;
    const { engine, audit, connections } = this.#parts;
    const { kind } = decision;
    const identity = { issuer, subject };
    const isName = (text: string): boolean => problemOfKeyName(text) === undefined;
    const known = kind === 'create' ? undefined : decision.person;
    const person =
      kind === 'create'
        ? makePerson(engine, decision.accountId, {
            ...{ name: nameFor(engine.state, decision.accountId, name, email, isName), email, role: decision.role },
            identities: [identity],
          })
        : kind === 'bind' && session === ''
          ? bound(decision.person, identity)
          : decision.person;
    const { id, accountId } = person;
    const link = await createLink(engine, person, 'provider', person === known ? [] : [{ op: 'put-person', person }]);
    // The page that comes back binds, with both halves of its session: a cookie alone may have been planted.
    if (session !== '') {
      for (const each of connections.keys()) if (!engine.state.keys.has(each)) connections.delete(each);
      connections.set(link.key.id, { session, identity });
    }
    const fields = { account: accountId, person: id };
    if (kind === 'create') await audit.changed('person.created', { ...fields, role: person.role, by: id });
    if (person !== known) await audit.changed('person.bound', { ...fields, issuer, by: id });
    return await handOutLink(this.#parts, link, id, project === '' ? undefined : project);
  }

  /** Whether an answer counts: each does once. */
  #isFirst({ state, until }: Attempt): boolean {
    const now = this.#now;
    for (const [each, over] of this.#used) {
      if (over > now && this.#used.size < usedMax) break;
      this.#used.delete(each);
    }
    if (this.#used.has(state)) return false;
    this.#used.set(state, until);
    return true;
  }

  #failed(failure: Failure): SignOnEnd['result'] {
    return { note: textOf(failure, this.name), status: statusOf(failure) };
  }

  #warn({ failure, details }: ProviderError, caller: Caller | undefined): void {
    const request = caller === undefined ? {} : { request: caller.requestId };
    this.#parts.log.warn({ failure, ...details, ...request }, 'the provider of single sign-on signed nobody in');
  }

  get #now(): number {
    return this.#parts.engine.writer.context().now;
  }
}

const noProfile: Profile = { email: '', isVerified: false, name: '' };
