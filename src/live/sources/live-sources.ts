/**
 * Fetches and keeps the responses of data sources: on request, and regularly while a watcher is active. The decisions are in
 * source-schedule.ts, the responses in response-store.ts; this file has the timers and the fetches.
 */

import type { Histogram } from '../../lib/observability/histogram.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { FetchCounters } from './fetch-counters.ts';
import { type FetchOptions, type FetchOutcome, fetchSource } from './fetch-source.ts';
import { FetchTurns } from './fetch-turns.ts';
import type { HostRules } from './host-rules.ts';
import { type FailingResponse, ResponseStore, type SourceResponse } from './response-store.ts';
import { freshSources, type SourcesState, stateOfSource, worseOf } from './source-freshness.ts';
import type { SourceName } from './source-map.ts';
import { SourceFailure, type SourceProblem } from './source-problem.ts';
import { hasUrl, hostOf, parseSource, type StoredSource, settingsKey } from './source-request.ts';
import {
  ended,
  isDue,
  isStale,
  isWatched,
  newSchedule,
  nextFetchAt,
  postponed,
  pushedAt,
  started,
  watched,
} from './source-schedule.ts';
import { dropFlight, type Flight, type Tracked, TrackedSources } from './tracked-sources.ts';

export type { SourceName } from './source-map.ts';
export type ProjectName = Pick<SourceName, 'accountId' | 'projectId'>;

export interface LiveSourcesOptions {
  readonly hosts: HostRules;
  /** Time limit of one fetch. */
  readonly timeoutMs: number;
  /** Size limit of one response, after decompression. */
  readonly responseBytesMax: number;
  /** Memory limit for the responses of one account. */
  readonly accountBytesMax: number;
  /** `host:port` of the server's own listeners, its peers and its database: refused even if `hosts` allows them. */
  readonly forbidden: () => readonly string[];
  readonly log: Log;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** Unix time in milliseconds. Default: `Date.now`. */
  readonly clock?: () => number;
  /** Default: {@link fetchSource}. */
  readonly fetch?: typeof fetchSource;
  readonly lookup?: NonNullable<FetchOptions['lookup']>;
}

/** A watched source whose fetches fail. */
export interface FailingSource {
  readonly name: SourceName;
  readonly code: string;
  /** Unix time of the first failure, in milliseconds. */
  readonly since: number;
}

export interface LiveSourcesStats {
  /** Number of fetches by outcome: `ok`, `unchanged`, or the code of the problem. */
  readonly fetches: ReadonlyMap<string, number>;
  /** Durations of fetches, in seconds. */
  readonly durations: Histogram;
  readonly running: number;
  /** Sources that are fetched regularly. */
  readonly watched: number;
  readonly failing: readonly FailingSource[];
  readonly responses: number;
  readonly responseBytes: number;
}

type Listener = (name: SourceName, pushed: boolean) => void;

export class LiveSources {
  readonly #options: LiveSourcesOptions;
  readonly #now: () => number;
  readonly #clock: () => number;
  readonly #store: ResponseStore;
  readonly #tracked = new TrackedSources();
  readonly #turns: FetchTurns;
  /** When sources were last watched with a refresh. */
  readonly #watched = new WeakMap<readonly StoredSource[], { readonly refreshMs: number; readonly at: number }>();
  readonly #counters = new FetchCounters();
  readonly #listeners = new Set<Listener>();
  readonly #flights = new Set<Flight>();
  #isClosed = false;

  constructor(options: LiveSourcesOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#clock = options.clock ?? Date.now;
    this.#turns = new FetchTurns(this.#now);
    this.#store = new ResponseStore(options.accountBytesMax);
  }

  /** The newest response of a source: a push, or a response to the settings that `source` has. */
  newest(name: SourceName, source: StoredSource): SourceResponse | undefined {
    return this.#store.newest(name, settingsKey(source));
  }

  /** The failures of an account, also of sources that are not watched. */
  failing(accountId: string): Iterable<FailingResponse> {
    return this.#store.failing(accountId);
  }

  /** Fetches a source, or waits for the fetch that runs. Never rejects: `problem` says why a fetch failed. */
  async fetchNow(name: SourceName, source: StoredSource): Promise<SourceResponse> {
    if (this.#isClosed) return this.#cancelled();
    return this.#start(this.#track(name, source));
  }

  /**
   * Keeps a response that a client sends. Throws a RangeError if it is larger than `responseBytesMax`.
   *
   * @param json valid JSON
   */
  push(name: SourceName, json: string): void {
    const { responseBytesMax } = this.#options;
    if (Buffer.byteLength(json) > responseBytesMax) throw new RangeError(`a response has at most ${responseBytesMax} bytes`);
    this.#store.push(name, json, this.#at());
    for (const tracked of this.#tracked.all(name)) {
      dropFlight(tracked);
      tracked.schedule = pushedAt(tracked.schedule, this.#now());
      tracked.failing = undefined;
      this.#arm(tracked);
    }
    this.#notify(name, true);
  }

  /** Forgets the responses of a source, and cancels its fetches; `false` if it had no response. */
  forget(name: SourceName): boolean {
    this.#tracked.delete(name);
    return this.#store.forget(name);
  }

  forgetProject(project: ProjectName): void {
    this.#tracked.deleteProject(project);
    this.#store.forgetProject(project);
  }

  forgetAccount(accountId: string): void {
    this.#tracked.deleteAccount(accountId);
    this.#store.forgetAccount(accountId);
  }

  /**
   * Fetches the sources whose newest response is older than `maxAgeMs`, and waits for all of them, at most `waitMs`; the fetches go on.
   * After failures a source is not fetched before the end of its pause.
   *
   * @returns the bodies by data source, and whether every source has one
   */
  async fresh(
    project: ProjectName,
    sources: readonly StoredSource[],
    { maxAgeMs, waitMs }: { readonly maxAgeMs: number; readonly waitMs: number },
  ): Promise<{ responses: Record<string, string>; complete: boolean }> {
    const flights: Promise<unknown>[] = [];
    for (const source of sources) {
      if (this.#isClosed || !hasUrl(source)) continue;
      const tracked = this.#track(nameOf(project, source), source);
      const { schedule } = tracked;
      if (isDue(schedule, maxAgeMs, this.#now())) flights.push(this.#start(tracked));
      else if (tracked.flight !== undefined && isStale(schedule, maxAgeMs, this.#now())) flights.push(tracked.flight.done);
    }
    if (flights.length > 0 && waitMs > 0) await atMost(Promise.all(flights), waitMs);
    const responses = this.bodies(project, sources);
    return { responses, complete: sources.every(({ id }) => Object.hasOwn(responses, String(id))) };
  }

  /** The newest bodies as they are, by data source; without those that have none. */
  bodies(project: ProjectName, sources: readonly StoredSource[]): Record<string, string> {
    const bodies = sources.flatMap((source) => {
      const name = nameOf(project, source);
      const body = this.newest(name, source)?.body;
      return body === undefined ? [] : [[name.sourceId, body] as const];
    });
    return Object.fromEntries(bodies);
  }

  /**
   * How fresh the newest bodies are for a map that shows them every `refreshMs`. An answer is stale after two refreshes and the time limit of a
   * fetch.
   */
  state(project: ProjectName, sources: readonly StoredSource[], refreshMs: number): SourcesState {
    const oldestMs = this.#clock() - 2 * refreshMs - this.#options.timeoutMs;
    return sources
      .map((source) => stateOfSource(this.newest(nameOf(project, source), source), hasUrl(source), oldestMs))
      .reduce(worseOf, freshSources);
  }

  /**
   * Fetches the sources every `refreshMs`, with growing pauses after failures, until one to two refreshes after the last call. A call with
   * the array of an earlier one within its refresh has no effect: thousands of viewers cost nothing.
   */
  watch(project: ProjectName, sources: readonly StoredSource[], refreshMs: number): void {
    const at = this.#now();
    const last = this.#watched.get(sources);
    if (last?.refreshMs === refreshMs && at - last.at < refreshMs) return;
    this.#watched.set(sources, { refreshMs, at });
    for (const source of sources) {
      if (this.#isClosed || !hasUrl(source)) continue;
      const tracked = this.#track(nameOf(project, source), source);
      tracked.schedule = watched(tracked.schedule, refreshMs, at);
      this.#arm(tracked);
    }
  }

  /**
   * Calls the listener after each new response.
   *
   * @returns a function that ends this
   */
  onResponse(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get stats(): LiveSourcesStats {
    const now = this.#now();
    const active = [...this.#tracked.all()].filter(({ schedule }) => isWatched(schedule, now));
    return {
      ...this.#counters,
      running: this.#turns.running,
      watched: active.length,
      failing: active.flatMap(({ name, failing }) => (failing === undefined ? [] : [{ name, ...failing }])),
      responses: this.#store.count,
      responseBytes: this.#store.bytes,
    };
  }

  /** Cancels all fetches, and waits for their end. Later calls fetch nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#tracked.all()) clearTimeout(timer);
    for (const { controller } of this.#flights) controller.abort();
    await Promise.all([...this.#flights].map(({ done }) => done));
  }

  #track(name: SourceName, source: StoredSource): Tracked {
    const tracked = this.#tracked.of(name, source, this.#now());
    // A source that was pushed to has its response, whatever its settings.
    if (tracked.schedule === newSchedule && this.#store.isPushed(name))
      tracked.schedule = pushedAt(tracked.schedule, this.#now());
    return tracked;
  }

  /** Sets the timer for the next fetch, or starts it. */
  #arm(tracked: Tracked): void {
    const now = this.#now();
    const at = this.#isClosed ? undefined : nextFetchAt(tracked.schedule, now);
    // Most calls are those of one more watcher, which change nothing.
    if (tracked.timer !== undefined && at === tracked.timerAt && at > now) return;
    clearTimeout(tracked.timer);
    tracked.timer = undefined;
    if (at === undefined) return;
    if (at <= now) {
      void this.#start(tracked);
      return;
    }
    tracked.timerAt = at;
    tracked.timer = setTimeout(() => {
      tracked.timer = undefined;
      this.#arm(tracked);
    }, at - now).unref();
  }

  /** Starts a fetch, unless one runs. The promise never rejects. */
  #start(tracked: Tracked): Promise<SourceResponse> {
    if (tracked.flight !== undefined) return tracked.flight.done;
    tracked.schedule = started(tracked.schedule);
    const controller = new AbortController();
    const run = async (): Promise<SourceResponse> => {
      const outcome = await this.#fetch(tracked, controller.signal);
      this.#flights.delete(flight);
      return this.#end(tracked, flight, outcome);
    };
    const flight: Flight = { done: Promise.resolve().then(run), controller, isDropped: false };
    tracked.flight = flight;
    this.#flights.add(flight);
    return flight.done;
  }

  async #fetch(tracked: Tracked, signal: AbortSignal): Promise<FetchOutcome> {
    const { accountId } = tracked.name;
    const { timeoutMs: waitMs } = this.#options;
    const host = hostOf(tracked.source);
    try {
      // Without a valid URL nothing is sent: the outcome is a problem.
      if (host === '') return await this.#fetchInTurn(tracked, signal);
      const turn = { accountId, host, waitMs, signal };
      return await this.#turns.run(turn, () => this.#fetchInTurn(tracked, signal));
    } catch (error) {
      if (error instanceof SourceFailure) return { kind: 'failed', status: null, ms: 0, problem: error.problem };
      throw error;
    }
  }

  async #fetchInTurn({ name, settings, source }: Tracked, signal: AbortSignal): Promise<FetchOutcome> {
    const parsed = parseSource(source);
    if ('problem' in parsed) return { kind: 'failed', status: null, ms: 0, problem: parsed.problem };
    const { hosts, forbidden, timeoutMs, responseBytesMax, lookup, fetch = fetchSource } = this.#options;
    return await fetch(parsed.request, {
      hosts,
      forbidden,
      timeoutMs,
      bytesMax: responseBytesMax,
      validator: this.#store.validator(name, settings),
      signal,
      ...(lookup === undefined ? {} : { lookup }),
    });
  }

  #end(tracked: Tracked, flight: Flight, outcome: FetchOutcome): SourceResponse {
    const { name, settings } = tracked;
    this.#counters.add(outcome);
    if (flight.isDropped || this.#isClosed) return this.#store.newest(name, settings) ?? this.#cancelled();
    tracked.flight = undefined;
    const isBusy = outcome.kind === 'failed' && outcome.problem.code === 'busy';
    tracked.schedule = isBusy
      ? postponed(tracked.schedule, this.#now())
      : ended(tracked.schedule, outcome.kind !== 'failed', this.#now());
    const end = { at: this.#at(), status: outcome.status, ms: outcome.ms };
    if (outcome.kind === 'body') this.#store.keepBody(name, settings, end, outcome);
    else if (outcome.kind === 'unchanged') this.#store.renew(name, settings, end, outcome.maxAge);
    else if (!isBusy || this.#store.newest(name, settings) === undefined)
      this.#store.keepFailure(name, settings, end, outcome.problem);
    if (!isBusy) this.#report(tracked, outcome);
    this.#arm(tracked);
    if (outcome.kind === 'body') this.#notify(name, false);
    const newest = this.#store.newest(name, settings) ?? failed(tooMany, end);
    // Nothing was sent: the rest is as it was known.
    return isBusy ? { ...newest, ...end, problem: outcome.problem } : newest;
  }

  /** Notes and logs when a watched source begins to fail, and when it succeeds again. */
  #report(tracked: Tracked, outcome: FetchOutcome): void {
    const { name, failing } = tracked;
    const fields = { project_id: name.projectId, data_source_id: name.sourceId };
    if (outcome.kind === 'failed') {
      const { code } = outcome.problem;
      tracked.failing = { code, since: failing?.since ?? this.#clock() };
      if (failing === undefined && isWatched(tracked.schedule, this.#now()))
        this.#options.log.warn({ ...fields, code }, 'a data source fails; its last response stays in use');
    } else if (failing !== undefined) {
      tracked.failing = undefined;
      this.#options.log.info(fields, 'a data source that failed responds again');
    }
  }

  #cancelled(): SourceResponse {
    return failed(cancelled, { at: this.#at(), status: null, ms: 0 });
  }

  /** The time of a response. */
  #at(): string {
    return new Date(this.#clock()).toISOString();
  }

  #notify(name: SourceName, pushed: boolean): void {
    for (const listener of this.#listeners) listener(name, pushed);
  }
}

const nameOf = ({ accountId, projectId }: ProjectName, source: StoredSource): SourceName => ({
  accountId,
  projectId,
  sourceId: String(source['id']),
});

const cancelled: SourceProblem = {
  code: 'cancelled',
  detail: 'The data source was deleted, or the server stops. Read the data source again.',
};

const tooMany: SourceProblem = {
  code: 'too_large',
  detail: 'The response is larger than the memory for the responses of the account. Ask the source for less.',
};

const failed = (
  problem: SourceProblem,
  end: { readonly at: string; readonly status: number | null; readonly ms: number },
): SourceResponse => ({
  ...end,
  bytes: 0,
  pushed: false,
  problem,
  body_at: null,
  max_age: null,
  body: undefined,
});

/** Resolves when the work is done, or after `waitMs`. The work never rejects. */
async function atMost(work: Promise<unknown>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    work,
    new Promise((resolve) => {
      timer = setTimeout(resolve, waitMs);
    }),
  ]);
  clearTimeout(timer);
}
