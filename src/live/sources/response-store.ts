/**
 * The newest responses of data sources, in memory only. A fetched response belongs to the settings that it was fetched with (URL, method,
 * headers, body), because a publication keeps older settings than its project; a push belongs to the source.
 */
import type { Validator } from './fetch-source.ts';
import { SourceMap, type SourceName } from './source-map.ts';
import type { SourceProblem } from './source-problem.ts';

/** The newest response of a data source, as the API shows it. */
export interface SourceResponse {
  /** RFC 3339 time of the fetch's end, or of the push. */
  readonly at: string;
  /** HTTP status; `null` without a response, and for a push. */
  readonly status: number | null;
  /** Duration of the fetch; 0 for a push. */
  readonly ms: number;
  /** Size of `body`, in bytes. */
  readonly bytes: number;
  /** Whether `body` was pushed. */
  readonly pushed: boolean;
  /** Why the newest fetch failed. */
  readonly problem: SourceProblem | null;
  /** RFC 3339 time when `body` arrived, or when a fetch found it unchanged; `null` before the first. */
  readonly body_at: string | null;
  /** Seconds for which the source says that `body` may be used; `null` if it does not, and for a push. */
  readonly max_age: number | null;
  /** JSON text: that of the newest fetch or push that succeeded; `undefined` before the first. */
  readonly body: string | undefined;
}

/** A failure of the newest fetch with some settings of a data source. */
export interface FailingResponse {
  readonly name: SourceName;
  /** See `settingsKey`. */
  readonly settings: string;
  readonly problem: SourceProblem;
  /** RFC 3339 time of the first failure since the last good response. */
  readonly since: string;
  /** RFC 3339 time of the last good response, which stays in use; `null` if there is none. */
  readonly bodyAt: string | null;
}

/** The end of a fetch. */
export interface FetchEnd {
  readonly at: string;
  readonly status: number | null;
  readonly ms: number;
}

interface Body {
  readonly json: string;
  readonly bytes: number;
  /** RFC 3339 */
  readonly at: string;
  readonly validator: Validator | undefined;
  readonly maxAge: number | null;
  /** Orders the bodies of fetches and pushes. */
  readonly sequence: number;
}

/** What is kept for one data source and its settings, or for its push. */
interface Kept {
  readonly name: SourceName;
  readonly settings: string;
  end: FetchEnd;
  problem: SourceProblem | null;
  /** RFC 3339 time of the first failure since the last success; `undefined` after a success. */
  failedAt: string | undefined;
  body: Body | undefined;
  /** Orders the newest events of fetches and pushes. */
  sequence: number;
}

/** No hash of settings is empty. */
const pushSettings = '';

/** Settings per data source: those of the project, those of its publication, and two earlier ones. */
const settingsMax = 4;

/** Estimated memory of an entry without its body: names, hash, problem. */
const overheadBytes = 1024;

interface Account {
  bytes: number;
  /** By the age of their bodies, oldest first. */
  readonly kept: Set<Kept>;
}

export class ResponseStore {
  readonly #accountBytesMax: number;
  readonly #sources = new SourceMap<Map<string, Kept>>();
  readonly #accounts = new Map<string, Account>();
  #sequence = 0;

  /** @param accountBytesMax memory of the responses of one account, beyond which its oldest are deleted */
  constructor(accountBytesMax: number) {
    this.#accountBytesMax = accountBytesMax;
  }

  /** Memory of all responses, in bytes, estimated. */
  get bytes(): number {
    return [...this.#accounts.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Number of responses and failures that are kept. */
  get count(): number {
    return [...this.#accounts.values()].reduce((sum, { kept }) => sum + kept.size, 0);
  }

  /** The newest response of a source under these settings; a push counts under all of them. */
  newest(name: SourceName, settings: string): SourceResponse | undefined {
    const source = this.#sources.get(name);
    const fetched = source?.get(settings);
    const push = source?.get(pushSettings);
    const event = later(fetched, push);
    if (event === undefined) return undefined;
    const body = later(fetched?.body, push?.body);
    const { end, problem } = event;
    return {
      ...{ ...end, bytes: body?.bytes ?? 0, pushed: body !== undefined && body === push?.body, problem },
      ...{ body_at: body?.at ?? null, max_age: body?.maxAge ?? null, body: body?.json },
    };
  }

  /** The failures of an account, by the settings of the fetch. A push after the failure ends it. */
  *failing(accountId: string): Generator<FailingResponse> {
    for (const { name, settings, problem, failedAt, body, sequence } of this.#accounts.get(accountId)?.kept ?? []) {
      // Nothing was sent, or there is nothing to ask.
      if (problem === null || failedAt === undefined || problem.code === 'busy' || problem.code === 'no_url') continue;
      const push = this.#sources.get(name)?.get(pushSettings);
      if (push !== undefined && push.sequence > sequence) continue;
      yield { name, settings, problem, since: failedAt, bodyAt: later(body, push?.body)?.at ?? null };
    }
  }

  /** Whether a push is kept. */
  isPushed(name: SourceName): boolean {
    return this.#sources.get(name)?.has(pushSettings) === true;
  }

  validator(name: SourceName, settings: string): Validator | undefined {
    return this.#sources.get(name)?.get(settings)?.body?.validator;
  }

  push(name: SourceName, json: string, at: string): void {
    this.keepBody(
      name,
      pushSettings,
      { at, status: null, ms: 0 },
      { json, bytes: Buffer.byteLength(json), validator: undefined, maxAge: null },
    );
  }

  keepBody(name: SourceName, settings: string, end: FetchEnd, body: Omit<Body, 'sequence' | 'at'>): void {
    const sequence = ++this.#sequence;
    this.#keep({ name, settings, end, problem: null, failedAt: undefined, body: { ...body, at: end.at, sequence }, sequence });
  }

  /** Notes that the body is still current. @param maxAge `null` if the source said nothing about it this time */
  renew(name: SourceName, settings: string, end: FetchEnd, maxAge: number | null): void {
    const body = this.#sources.get(name)?.get(settings)?.body;
    if (body !== undefined) this.keepBody(name, settings, end, { ...body, maxAge: maxAge ?? body.maxAge });
  }

  /** Notes that a fetch failed; an earlier body stays, and stays as old as it is. */
  keepFailure(name: SourceName, settings: string, end: FetchEnd, problem: SourceProblem): void {
    const kept = this.#sources.get(name)?.get(settings);
    const sequence = ++this.#sequence;
    const failedAt = kept?.failedAt ?? end.at;
    if (kept === undefined) this.#keep({ name, settings, end, problem, failedAt, body: undefined, sequence });
    else Object.assign(kept, { end, problem, failedAt, sequence });
  }

  /** Forgets all responses of a source; `false` if there were none. */
  forget(name: SourceName): boolean {
    const deleted = this.#sources.delete(name);
    for (const settings of deleted) for (const kept of settings.values()) this.#uncount(kept);
    return deleted.length > 0;
  }

  forgetProject(project: Pick<SourceName, 'accountId' | 'projectId'>): void {
    for (const settings of this.#sources.deleteProject(project)) for (const kept of settings.values()) this.#uncount(kept);
  }

  forgetAccount(accountId: string): void {
    this.#sources.deleteAccount(accountId);
    this.#accounts.delete(accountId);
  }

  #keep(kept: Kept): void {
    const { name, settings } = kept;
    let source = this.#sources.get(name);
    const earlier = source?.get(settings);
    if (earlier !== undefined) this.#delete(earlier);
    source = this.#sources.get(name) ?? new Map<string, Kept>();
    this.#sources.set(name, source.set(settings, kept));
    const account = this.#accounts.get(name.accountId) ?? { bytes: 0, kept: new Set<Kept>() };
    this.#accounts.set(name.accountId, account);
    account.kept.add(kept);
    account.bytes += costOf(kept);
    const fetched = [...source.values()].filter((each) => each.settings !== pushSettings);
    // Settings that never had an answer go first: a publication may need the last good answer of others.
    const least = fetched.find(({ body }) => body === undefined) ?? fetched[0];
    if (fetched.length > settingsMax) this.#delete(least as Kept);
    for (const oldest of account.kept) {
      if (account.bytes <= this.#accountBytesMax) break;
      this.#delete(oldest);
    }
  }

  #delete(kept: Kept): void {
    const source = this.#sources.get(kept.name);
    source?.delete(kept.settings);
    if (source?.size === 0) this.#sources.delete(kept.name);
    this.#uncount(kept);
  }

  #uncount(kept: Kept): void {
    const { accountId } = kept.name;
    const account = this.#accounts.get(accountId);
    if (account?.kept.delete(kept) !== true) return;
    account.bytes -= costOf(kept);
    if (account.kept.size === 0) this.#accounts.delete(accountId);
  }
}

/** Strings with characters beyond Latin-1 take two bytes each; UTF-8 has at least as many bytes as a string has characters. */
const costOf = ({ body }: Kept): number => overheadBytes + (body === undefined ? 0 : body.bytes);

function later<T extends { readonly sequence: number }>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.sequence > b.sequence ? a : b;
}
