/**
 * Live maps: the newest evaluation of each published map that somebody watches. It is made anew when the refresh has passed or a response
 * has arrived, at most once a second, however many watch. Only memory: a restart evaluates again.
 */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { LivePublication } from '../model/publication.ts';
import type { StoredProject } from '../store/stored-project.ts';
import { newestVersion, type Publication } from '../store/stored-publication.ts';
import type { EvaluationRuns } from './runs/evaluation-runs.ts';
import type { PublicEvaluation } from './runs/evaluation-task.ts';
import type { LiveSources, ProjectName } from './sources/live-sources.ts';
import type { StoredSource } from './sources/source-request.ts';

/** How long the first request after a start waits for the data sources, in milliseconds. */
const firstWaitMs = 3000;
/** Time between two evaluations of a map, at least, in milliseconds. */
const pauseMs = 1000;
/** Memory of all results, in bytes: those that were not read for the longest time are dropped. */
const resultsBytesMax = 64 * 1024 * 1024;

/** The public result of an evaluation. */
export interface LiveResult extends PublicEvaluation {
  /** Whether all data sources had a response. */
  readonly isComplete: boolean;
}

/** A project that is public and live. */
export interface LivePublished {
  readonly project: StoredProject;
  readonly publication: Publication;
  readonly live: LivePublication;
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
    const { project, publication, live } = published;
    const key = keyOf({ accountId: project.accountId, projectId: project.id });
    const present = this.#maps.get(key);
    const map = present?.lsn === publication.lsn ? present : newMap(publication.lsn, live);
    this.#maps.delete(key);
    this.#maps.set(key, map);
    const name = { accountId: project.accountId, projectId: project.id };
    this.#options.sources.watch(name, await map.dataSources, live.refresh * 1000);
    if (map.newest !== undefined && !isDue(map, live.refresh * 1000, performance.now())) return map.newest;
    map.running ??= this.#evaluate(map, published, key).finally(() => {
      map.running = undefined;
    });
    try {
      return await map.running;
    } catch (error) {
      // A result that is a little old is better than none.
      if (map.newest === undefined) throw error;
      return map.newest;
    }
  }

  /** The data sources of a live map as published, which may differ from those of its project. */
  async dataSources({ publication, live }: LivePublished): Promise<readonly StoredSource[]> {
    for (const map of this.#maps.values()) if (map.lsn === publication.lsn) return await map.dataSources;
    return await dataSourcesIn(live.rules);
  }

  /** Number of maps with a result in memory. */
  get size(): number {
    return this.#maps.size;
  }

  close(): void {
    this.#stopListening();
    this.#maps.clear();
  }

  async #evaluate(map: LiveMap, { project, publication, live }: LivePublished, key: string): Promise<LiveResult> {
    const { sources, runs, clock } = this.#options;
    const name = { accountId: project.accountId, projectId: project.id };
    const waitMs = map.newest === undefined ? firstWaitMs : 0;
    const { responses, complete } = await sources.fresh(name, await map.dataSources, { maxAgeMs: live.refresh * 1000, waitMs });
    map.evaluatedMs = performance.now();
    map.hasNewResponse = false;
    const now = new Date(clock()).toISOString();
    const { version, content } = newestVersion(publication);
    const made = await runs.run(key, {
      kind: 'publication',
      ...{ map: content(), rules: live.rules, responses, seed: now, now, secret: live.secret, version },
    });
    const isSame = map.newest?.digest === made.digest && map.newest.isComplete === complete;
    // Equal content keeps its bytes and its time: a visitor who has it gets a 304.
    if (!isSame) map.newest = { ...made, isComplete: complete };
    this.#dropOldest();
    return map.newest as LiveResult;
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
  return { lsn, dataSources, newest: undefined, evaluatedMs: 0, hasNewResponse: false, running: undefined };
}

const unzip = promisify(gunzip);

async function dataSourcesIn(rules: Uint8Array): Promise<readonly StoredSource[]> {
  return (JSON.parse((await unzip(rules)).toString()) as { data_sources: StoredSource[] }).data_sources;
}

const keyOf = ({ accountId, projectId }: ProjectName): string => `${accountId}/${projectId}`;
