/**
 * Runs inside a server that is measured, through `node --import probe.js?socket=PATH`, and reports over that socket what only the process
 * itself knows: its memory, the time it has used, how long its collector and its event loop made others wait.
 */
import http from 'node:http';
import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

/** What a server's process says of itself. */
export interface Vitals {
  /** Resident set, in bytes. */
  readonly rssBytes: number;
  /** Values on V8's heap, garbage included, in bytes. */
  readonly heapBytes: number;
  /** Buffers outside of the heap, in bytes. */
  readonly externalBytes: number;
  /** Time of all threads on a core since the process began, in microseconds. */
  readonly cpuUs: number;
  /** Since the last `reset`: the longest single pause of the collector, and all of them together, in milliseconds. */
  readonly pauseMaxMs: number;
  readonly pausesMs: number;
  /** The longest pause of each kind of collection, in milliseconds. */
  readonly pauseMaxMsByKind: Readonly<Record<string, number>>;
  /** Since the last `reset`: how late the event loop was, in milliseconds. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

/** Grain of the event loop's delay, in milliseconds: it is what a delay of nothing shows as. */
export const delayGrainMs = 1;
/** Collections in a row that leave nothing, and the time between two in milliseconds: memory goes back to the system behind their backs. */
const collections = { count: 5, everyMs: 100 };

const kinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'mark-compact',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'scavenge',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental marking',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weak callbacks',
};

function watch() {
  let pauseMaxMsByKind: Record<string, number> = {};
  let pausesMs = 0;
  const delay = monitorEventLoopDelay({ resolution: delayGrainMs });
  delay.enable();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { kind = 0 } = (entry as { detail?: { kind?: number } }).detail ?? {};
      const name = kinds[kind] ?? String(kind);
      pauseMaxMsByKind[name] = Math.max(pauseMaxMsByKind[name] ?? 0, entry.duration);
      pausesMs += entry.duration;
    }
  }).observe({ entryTypes: ['gc'] });
  return {
    reset() {
      pauseMaxMsByKind = {};
      pausesMs = 0;
      delay.reset();
    },
    vitals(): Vitals {
      const { rss, heapUsed, external } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      return {
        rssBytes: rss,
        heapBytes: heapUsed,
        externalBytes: external,
        cpuUs: user + system,
        pauseMaxMs: Math.max(0, ...Object.values(pauseMaxMsByKind)),
        pausesMs,
        pauseMaxMsByKind,
        delayP99Ms: delay.percentile(99) / 1e6,
        delayMaxMs: delay.max / 1e6,
      };
    },
  };
}

async function collect(): Promise<void> {
  for (let i = 0; i < collections.count; i++) {
    globalThis.gc?.();
    await setTimeout(collections.everyMs);
  }
}

const socket = new URL(import.meta.url).searchParams.get('socket');
if (isMainThread && socket !== null) {
  const watched = watch();
  const answer = async (asked: string | undefined): Promise<Vitals> => {
    if (asked === '/collect') await collect();
    const vitals = watched.vitals();
    if (asked === '/reset') watched.reset();
    return vitals;
  };
  http
    .createServer((req, res) => {
      answer(req.url).then(
        (vitals) => res.end(JSON.stringify(vitals)),
        (error: unknown) => res.destroy(error as Error),
      );
    })
    .listen(socket)
    .unref();
}
