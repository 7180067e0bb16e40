/**
 * The provider of OpenID Connect: the only file that talks to it. Its answers have limits of time and size, redirects are not followed, and
 * nothing that it writes leaves this file unchecked.
 */

import type { Configuration, CustomFetch } from 'openid-client';
import { isLoopbackHost } from '../../../lib/draw/loopback-host.ts';
import type { OpenidClient } from './load-openid-client.ts';

export interface ProviderOptions {
  readonly library: OpenidClient;
  /** As the operator wrote it. */
  readonly issuer: string;
  readonly client: string;
  readonly secret: string;
  /** Whole URL to which the provider sends browsers back. */
  readonly callback: URL;
  /** Time limit of one request to the provider, in milliseconds; default 10 s. */
  readonly timeoutMs?: number;
  /** Milliseconds, of any clock that does not go back. */
  readonly clock?: () => number;
}

/** Why the provider signed nobody in, for people: `away`: no answer; `denied`: they did not agree, or may not; `refused`: by an error; `issuer`: an answer of another provider; `invalid`: an answer that is not right. */
export type ProviderFailure = 'away' | 'denied' | 'refused' | 'issuer' | 'invalid';

/** `details` are for the log. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly failure: ProviderFailure;
  readonly details: Readonly<Record<string, string>>;

  constructor(failure: ProviderFailure, details: Readonly<Record<string, string>>, cause?: unknown) {
    super(`${failure}: ${Object.values(details).join(', ')}`, { cause });
    this.failure = failure;
    this.details = details;
  }
}

/** What binds an answer to the browser that began. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Who somebody is for the provider. */
export interface Known {
  readonly issuer: string;
  readonly subject: string;
  /** What it says about them; asked when it is needed. */
  profile(): Promise<Profile>;
}

export interface Profile {
  /** With ASCII letters in lower case; '' for none. */
  readonly email: string;
  readonly isVerified: boolean;
  /** '' for none. */
  readonly name: string;
}

const timeoutMsDefault = 10_000;
/** Longest answer of the provider, in bytes: discovery, keys, tokens, claims. */
const answerBytesMax = 512 * 1024;
/** Time for which its discovery document is used, in milliseconds. */
const freshMs = 3_600_000;
/** Requests to the token endpoint at a time: more would only wait for it. */
const exchangesMax = 32;
/** Difference of the clocks, in seconds. */
const clockToleranceS = 30;
/** Longest identifier that is stored; OpenID Connect allows 255 characters. */
const subjectLengthMax = 255;
/** Characters of its texts in the log. */
const loggedMax = 200;

export class Provider {
  readonly #options: ProviderOptions;
  readonly #clock: () => number;
  #known: { readonly configuration: Configuration; readonly untilMs: number } | undefined;
  #discovering: Promise<Configuration> | undefined;
  #exchanges = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
  }

  /** New values for one attempt. */
  newChecks(): Checks {
    const { randomState, randomNonce, randomPKCECodeVerifier } = this.#options.library;
    return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  }

  /** The address at which the provider asks who somebody is. Rejects with {@link ProviderError}. */
  async address({ state, nonce, verifier }: Checks): Promise<string> {
    const { library, callback } = this.#options;
    const configuration = await this.#configuration();
    const url = library.buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: callback.href, scope: 'openid email profile', state, nonce },
      ...{ code_challenge: await library.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return url.href;
  }

  /**
   * Exchanges the answer for who somebody is. Rejects with {@link ProviderError}.
   *
   * @param search the query of the callback, as sent
   */
  async exchange(search: string, { state, nonce, verifier }: Checks): Promise<Known> {
    const { library, callback } = this.#options;
    if (this.#exchanges >= exchangesMax) throw new ProviderError('away', { reason: 'too many requests wait for the provider' });
    const configuration = await this.#configuration();
    const url = new URL(callback);
    url.search = search;
    this.#exchanges++;
    try {
      const tokens = await library.authorizationCodeGrant(configuration, url, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      });
      const claims = tokens.claims();
      const { issuer } = configuration.serverMetadata();
      if (claims === undefined || claims.iss !== issuer || claims.sub === '' || claims.sub.length > subjectLengthMax)
        throw new ProviderError('invalid', { reason: 'the ID token has no valid iss and sub' });
      const { sub: subject } = claims;
      const profile = async (): Promise<Profile> => {
        const isComplete = claims['email'] !== undefined && claims['email_verified'] !== undefined;
        const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
        if (isComplete || endpoint === undefined) return profileIn(claims);
        return profileIn({ ...claims, ...(await this.#userInfo(configuration, tokens.access_token, subject)) });
      };
      return { issuer, subject, profile };
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#exchanges--;
    }
  }

  /** Asks the provider for its discovery document, unless that is known. Rejects with {@link ProviderError}. */
  async check(): Promise<void> {
    await this.#configuration();
  }

  async #userInfo(configuration: Configuration, token: string, subject: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      return await this.#options.library.fetchUserInfo(configuration, token, subject);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** One request at a time asks for it. A document that cannot be renewed is used longer. */
  async #configuration(): Promise<Configuration> {
    const known = this.#known;
    if (known !== undefined && this.#clock() < known.untilMs) return known.configuration;
    this.#discovering ??= this.#discover().finally(() => {
      this.#discovering = undefined;
    });
    try {
      return await this.#discovering;
    } catch (error) {
      if (known !== undefined) return known.configuration;
      throw error;
    }
  }

  async #discover(): Promise<Configuration> {
    const { library, issuer, client, secret, timeoutMs = timeoutMsDefault } = this.#options;
    const url = new URL(issuer);
    const isPlain = url.protocol === 'http:';
    try {
      const found = await library.discovery(url, client, undefined, library.None(), {
        [library.customFetch]: this.#fetch,
        timeout: timeoutMs / 1000,
        execute: isPlain ? [library.allowInsecureRequests] : [],
      });
      const server = found.serverMetadata();
      // The library makes an exception for providers with many tenants. Each of them would count as this one.
      if (new URL(server.issuer).href !== url.href)
        throw new ProviderError('invalid', { reason: `its discovery document names the issuer ${shown(server.issuer)}` });
      if (server.authorization_endpoint === undefined || server.token_endpoint === undefined)
        throw new ProviderError('invalid', { reason: 'its discovery document lacks an authorization or a token endpoint' });
      checkBrowserAddress(server.authorization_endpoint, isPlain);
      const methods = server.token_endpoint_auth_methods_supported;
      const isBasic = methods === undefined || methods.includes('client_secret_basic');
      const authentication = isBasic ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret);
      const metadata = { [library.clockTolerance]: clockToleranceS };
      const configuration = new library.Configuration(server, client, metadata, authentication);
      configuration[library.customFetch] = this.#fetch;
      configuration.timeout = timeoutMs / 1000;
      if (isPlain) library.allowInsecureRequests(configuration);
      // Signatures are checked, too, although the token comes over TLS from the issuer.
      library.enableNonRepudiationChecks(configuration);
      this.#known = { configuration, untilMs: this.#clock() + freshMs };
      return configuration;
    } catch (error) {
      const { failure, details } = this.#failure(error);
      // Nobody has answered yet who could be another issuer.
      throw new ProviderError(failure === 'issuer' ? 'invalid' : failure, details, error);
    }
  }

  /** The global `fetch` with limits. The library follows no redirects. */
  readonly #fetch: CustomFetch = async (address, options) => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname))
      throw new ProviderError('invalid', { reason: `it names an address without TLS: ${shown(url.origin)}` });
    const { body, headers, method, signal } = options;
    const response = await fetch(url, { headers, method, redirect: 'manual', ...(body && { body }), ...(signal && { signal }) });
    const bytes = await readWithin(response);
    const hasBody = response.status >= 200 && ![204, 205, 304].includes(response.status);
    return new Response(hasBody ? bytes : null, { status: response.status, headers: response.headers });
  };

  #failure(error: unknown): ProviderError {
    if (error instanceof ProviderError) return error;
    const { cause, code = '', message = '' } = error as { cause?: unknown; code?: string; message?: string };
    if (cause instanceof ProviderError) return cause;
    const { library } = this.#options;
    if (error instanceof library.AuthorizationResponseError || error instanceof library.ResponseBodyError) {
      const details = { error: shown(error.error), description: shown(error.error_description ?? '') };
      return new ProviderError(error.error === 'access_denied' ? 'denied' : 'refused', details, error);
    }
    const details = { code: shown(code), reason: shown(reasonOf(error)) };
    if (/"iss"|issuer/.test(`${message} ${details.reason}`)) return new ProviderError('issuer', details, error);
    const isAway = code === 'OAUTH_TIMEOUT' || isNetworkError(error) || isNetworkError(cause) || isServerError(cause);
    return new ProviderError(isAway ? 'away' : 'invalid', details, error);
  }
}

/** The browser goes there: only a provider on this machine may have a plain address. */
function checkBrowserAddress(address: string, isPlain: boolean): void {
  const { protocol } = new URL(address);
  if (protocol !== 'https:' && !(isPlain && protocol === 'http:'))
    throw new ProviderError('invalid', { reason: 'its authorization endpoint has no https address' });
}

async function readWithin({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.byteLength;
    // Leaving the loop cancels the rest.
    if (length > answerBytesMax)
      throw new ProviderError('invalid', { reason: `an answer has more than ${answerBytesMax} bytes` });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function profileIn(claims: Readonly<Record<string, unknown>>): Profile {
  const { email, email_verified: isVerified, name } = claims;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    // Other letters stay: some become ASCII letters in lower case.
    email: text(email).replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    isVerified: isVerified === true,
    name: text(name),
  };
}

/** A text of the provider for the log. */
const shown = (text: string): string => text.replace(/\p{C}/gu, '?').slice(0, loggedMax);

/** `fetch` rejects with a TypeError for a connection that fails. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError'));

const isServerError = (cause: unknown): boolean => cause instanceof Response && cause.status >= 500;

/** What went wrong at the bottom. */
function reasonOf(error: unknown): string {
  const { cause, message = '' } = error as { cause?: unknown; message?: string };
  if (cause instanceof Response) return `${message}: ${cause.status}`;
  return cause instanceof Error ? `${message}: ${reasonOf(cause)}` : message;
}
