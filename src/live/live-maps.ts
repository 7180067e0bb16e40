/**
 * Live maps: the newest evaluation of each published map that has viewers. It is replaced when the refresh has passed or a response has
 * arrived, at most once a second, for any number of viewers. It is in memory only: a restart evaluates again.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { runCooperatively } from '../lib/async/cooperative.ts';
import { parsingJson } from '../lib/json/json.ts';
import type { LivePublication } from '../model/publication.ts';
import { askedSources } from './evaluate/asked-sources.ts';
import { isObject, listMember, type OpenObject, textMember } from './evaluate/open-json.ts';
import type { EvaluationRuns } from './runs/evaluation-runs.ts';
import type { PublicEvaluation } from './runs/evaluation-task.ts';
import { restated } from './runs/restated-evaluation.ts';
import type { LiveSources, ProjectName } from './sources/live-sources.ts';
import { worseOf } from './sources/source-freshness.ts';
import { type StoredSource, settingsKey } from './sources/source-request.ts';

/** How long the first request after a start waits for the data sources, in milliseconds: with the evaluation it waits about 3 s. */
const firstWaitMs = 2500;
/** Time between two evaluations of a map, at least, in milliseconds. */
const pauseMs = 1000;
/** Memory of all results, in bytes: those that were not read for the longest time are dropped. */
const resultsBytesMax = 64 * 1024 * 1024;

/** The public result of an evaluation. */
export interface LiveResult extends PublicEvaluation {
  /** Whether it is new, and all data sources that variables read had a response. */
  readonly isComplete: boolean;
}

/** A publication that is live. */
export interface LivePublished extends ProjectName {
  readonly live: LivePublication;
  /** LSN of the newest record about it. */
  readonly lsn: number;
  /** Number of its newest version. */
  readonly version: number;
  /** Reads the map of this version: JSON, compressed with gzip. */
  map(): Promise<Uint8Array>;
}

interface LiveMapsOptions {
  readonly sources: LiveSources;
  readonly runs: EvaluationRuns;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** What is known of one map, at one version of its publication. */
interface LiveMap {
  readonly lsn: number;
  readonly dataSources: Promise<readonly StoredSource[]>;
  newest: LiveResult | undefined;
  /** When the newest evaluation began, on the monotonic clock. */
  evaluatedMs: number;
  /** When the newest evaluation that succeeded began: RFC 3339. */
  evaluatedAt: string;
  /** Whether a response arrived since. */
  hasNewResponse: boolean;
  running: Promise<LiveResult> | undefined;
}

export class LiveMaps {
  readonly #options: LiveMapsOptions;
  /** By account and project; the map that was read last is the last one. */
  readonly #maps = new Map<string, LiveMap>();
  readonly #stopListening: () => void;

  constructor(options: LiveMapsOptions) {
    this.#options = options;
    this.#stopListening = options.sources.onResponse((name) => {
      const map = this.#maps.get(keyOf(name));
      if (map !== undefined) map.hasNewResponse = true;
    });
  }

  /** The result that a visitor gets now. Rejects with BusyError or OverrunError if there is none, and it cannot be made now. */
  async result(published: LivePublished): Promise<LiveResult> {
    const { live } = published;
    const map = this.#mapOf(published);
    this.#options.sources.watch(published, await map.dataSources, live.refresh * 1000);
    if (map.newest !== undefined && !isDue(map, live.refresh * 1000, performance.now())) return map.newest;
    map.running ??= this.#evaluate(map, published)
      .catch((error: unknown) => {
        // A response that is not in a result yet may not wait for the next refresh.
        map.hasNewResponse = true;
        if (map.newest === undefined) throw error;
        return this.#keep(map, map.newest);
      })
      .finally(() => {
        map.running = undefined;
      });
    return await map.running;
  }

  /** The data sources that a live map asks, as published: they may differ from those of its project. */
  async dataSources(published: LivePublished): Promise<readonly StoredSource[]> {
    return await this.#mapOf(published).dataSources;
  }

  /** Drops what is known of a map that is not public any more. */
  forget(name: ProjectName): void {
    this.#maps.delete(keyOf(name));
  }

  /** Number of maps with a result in memory. */
  get size(): number {
    return this.#maps.size;
  }

  close(): void {
    this.#stopListening();
    this.#maps.clear();
  }

  /** What is known of a map, which was read last then. Its rules are read once for each version. */
  #mapOf(published: LivePublished): LiveMap {
    const { lsn, live } = published;
    const key = keyOf(published);
    const present = this.#maps.get(key);
    const map = present?.lsn === lsn ? present : newMap(lsn, live);
    this.#maps.delete(key);
    this.#maps.set(key, map);
    return map;
  }

  async #evaluate(map: LiveMap, published: LivePublished): Promise<LiveResult> {
    const { sources, runs, clock } = this.#options;
    const { live, version } = published;
    const refreshMs = live.refresh * 1000;
    const dataSources = await map.dataSources;
    // Without viewers nothing was fetched.
    const wasIdle = performance.now() - map.evaluatedMs > 2 * refreshMs;
    const waitMs = map.newest === undefined || wasIdle ? firstWaitMs : 0;
    const { responses, complete } = await sources.fresh(published, dataSources, { maxAgeMs: refreshMs, waitMs });
    const state = sources.state(published, dataSources, refreshMs);
    map.evaluatedMs = performance.now();
    map.hasNewResponse = false;
    const now = new Date(clock()).toISOString();
    const { accountId, projectId } = published;
    const made = await runs.run({ kind: 'publication', accountId, projectId, version: published.lsn }, async () => ({
      kind: 'publication',
      ...{ map: await published.map(), rules: live.rules, responses, seed: now, now, secret: live.secret, version, state },
    }));
    // An error in place of the data changes nothing on a map that has had data.
    if (made.isUnusable && map.newest !== undefined) return await this.#keep(map, map.newest);
    map.evaluatedAt = now;
    // Equal content keeps its bytes and its time: a visitor who has it gets a 304.
    const result = map.newest?.digest === made.digest ? map.newest : made;
    map.newest = { ...result, isComplete: complete && !made.isUnusable };
    this.#dropOldest();
    return map.newest;
  }

  /** The newest result, because there is no newer one: a little old, and it says so, which is better than none. */
  async #keep(map: LiveMap, newest: LiveResult): Promise<LiveResult> {
    const state = worseOf(newest.state, { sources: 'stale', since: map.evaluatedAt });
    const result = state === newest.state ? newest : await restated(newest, state);
    map.newest = { ...result, isComplete: false, state };
    return map.newest;
  }

  #dropOldest(): void {
    let bytes = 0;
    for (const { newest } of this.#maps.values()) bytes += newest?.gzip.byteLength ?? 0;
    for (const [key, map] of this.#maps) {
      if (bytes <= resultsBytesMax) return;
      bytes -= map.newest?.gzip.byteLength ?? 0;
      this.#maps.delete(key);
    }
  }
}

/** Whether a map must be evaluated again. */
function isDue({ evaluatedMs, hasNewResponse }: LiveMap, refreshMs: number, nowMs: number): boolean {
  return nowMs - evaluatedMs >= (hasNewResponse ? pauseMs : refreshMs);
}

function newMap(lsn: number, { rules }: LivePublication): LiveMap {
  const dataSources = dataSourcesIn(rules);
  // The error is that of the request that awaits it.
  dataSources.catch(() => undefined);
  return { lsn, dataSources, newest: undefined, evaluatedMs: 0, evaluatedAt: '', hasNewResponse: false, running: undefined };
}

const unzip = promisify(gunzip);

/** The data sources that a map asks. A map may have tens of thousands, so they are read in slices. */
async function dataSourcesIn(rules: Uint8Array): Promise<readonly StoredSource[]> {
  const parsed = await runCooperatively(parsingJson(await unzip(rules), { isOwn: true }));
  if (parsed.failure !== undefined) throw new Error(`The rules of a published map cannot be read: ${parsed.failure}`);
  return await runCooperatively(asking(isObject(parsed.value) ? parsed.value : {}));
}

function* asking(rules: OpenObject): Generator<void, readonly StoredSource[]> {
  const sources = listMember(rules, 'data_sources').filter(isObject);
  const byId = sources.map((source) => ({ id: textMember(source, 'id'), source }));
  const asked = yield* askedSources(listMember(rules, 'variables').filter(isObject), byId);
  for (const { source } of asked) {
    // Kept with the object, for the calls that follow.
    settingsKey(source);
    yield;
  }
  return asked.map(({ source }) => source);
}

const keyOf = ({ accountId, projectId }: ProjectName): string => `${accountId}/${projectId}`;
