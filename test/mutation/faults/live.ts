/** Faults of the network and of data sources. */
import { once } from 'node:events';
import net from 'node:net';
import type { Lookup, NameLookupOptions } from '../../../src/live/sources/name-lookup.ts';
import { type Fault, seam } from '../seam.ts';

const names = seam<typeof import('../../../src/live/sources/name-lookup.ts')>('network', 'src/live/sources/name-lookup');
const addresses = seam<typeof import('../../../src/live/sources/address-guard.ts')>('network', 'src/live/sources/address-guard');
const connections = seam<typeof import('../../../src/live/sources/source-connection.ts')>(
  'network',
  'src/live/sources/source-connection',
);
const redirects = seam<typeof import('../../../src/live/sources/source-redirect.ts')>(
  'network',
  'src/live/sources/source-redirect',
);
const bodies = seam<typeof import('../../../src/live/sources/response-body.ts')>('network', 'src/live/sources/response-body');
const json = seam<typeof import('../../../src/lib/json/json.ts')>('JSON', 'src/lib/json/json');
const rates = seam<typeof import('../../../src/lib/async/token-bucket.ts')>('rate limits', 'src/lib/async/token-bucket');
const sources = seam<typeof import('../../../src/live/sources/live-sources.ts')>('data sources', 'src/live/sources/live-sources');
const schedules = seam<typeof import('../../../src/live/sources/source-schedule.ts')>(
  'data sources',
  'src/live/sources/source-schedule',
);
const tracked = seam<typeof import('../../../src/live/sources/tracked-sources.ts')>(
  'data sources',
  'src/live/sources/tracked-sources',
);
const responses = seam<typeof import('../../../src/live/sources/response-store.ts')>(
  'data sources',
  'src/live/sources/response-store',
);
const freshness = seam<typeof import('../../../src/live/sources/source-freshness.ts')>(
  'data sources',
  'src/live/sources/source-freshness',
);
const runs = seam<typeof import('../../../src/live/runs/evaluation-runs.ts')>('evaluations', 'src/live/runs/evaluation-runs');

const results = seam<typeof import('../../../src/live/runs/public-evaluation.ts')>(
  'evaluations',
  'src/live/runs/public-evaluation',
);

/** Names are looked up otherwise. */
const onLookup = (change: (sound: Lookup) => Lookup): Fault =>
  names({
    NameLookup: ({ NameLookup }) =>
      class extends NameLookup {
        constructor(options?: NameLookupOptions) {
          super(options);
          Object.assign(this, { lookup: change(this.lookup) });
        }
      },
  });

const isName = (host: string): boolean => net.isIP(host.replace(/^\[(.*)\]$/, '$1')) === 0;

export const liveFaults = {
  'a name keeps its first addresses': onLookup((sound) => {
    const known = new Map<string, ReturnType<Lookup>>();
    return (name, signal) => {
      const found = known.get(name) ?? sound(name, signal);
      known.set(name, found);
      return found;
    };
  }),
  'a look-up does not end with its fetch': onLookup((sound) => async (name, signal) => {
    const found = sound(name, new AbortController().signal);
    found.catch(() => undefined);
    const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason));
    return await Promise.race([found, aborted]);
  }),
  'addresses of names are not checked': addresses.withArguments('guardedAddresses', (url, options, signal) => {
    const { hosts } = options;
    const allowing = Object.create(hosts, {
      allows: { value: (...of: Parameters<typeof hosts.allows>) => isName(of[0]) || hosts.allows(...of) },
    });
    return [url, { ...options, hosts: allowing }, signal];
  }),
  'only the first address of a name is checked': addresses({
    guardedAddresses:
      ({ guardedAddresses }) =>
      async (url, options, signal) => {
        const found = (await options.lookup?.(url.hostname, signal)) ?? [];
        await guardedAddresses(url, { ...options, lookup: async () => found.slice(0, 1) }, signal);
        return found;
      },
  }),
  'only the first addresses of a fetch are checked': addresses({
    guardedAddresses: ({ guardedAddresses }) => {
      const begun = new WeakSet<AbortSignal>();
      return async (url, options, signal) => {
        if (begun.has(signal)) return (await options.lookup?.(url.hostname, signal)) ?? [];
        begun.add(signal);
        return await guardedAddresses(url, options, signal);
      };
    },
  }),
  'listeners on all addresses are on none': addresses.withArguments('guardedAddresses', (url, options, signal) => [
    url,
    { ...options, forbidden: () => options.forbidden().filter((entry) => !/^(0\.0\.0\.0|\[::\]):/.test(entry)) },
    signal,
  ]),
  'each connection leads to the address that was wanted': connections.withArguments(
    'connectPinned',
    (url, wanted, signal, connect = net.connect) => [
      url,
      wanted,
      signal,
      (options) => Object.defineProperty(connect(options), 'remoteAddress', { value: wanted[0] }),
    ],
  ),
  'every redirect comes from http': redirects.withArguments('redirectTarget', (redirect) => [
    { ...redirect, url: new URL(redirect.url.href.replace(/^https:/, 'http:')) },
  ]),
  'a redirect stays at the origin of its source': redirects.withResult('redirectTarget', (target, { url }) =>
    Object.defineProperty(target, 'origin', { value: url.origin }),
  ),
  'compressed responses have no limit': bodies.withArguments('readBody', (response, bytesMax, signal) => [
    response,
    'content-encoding' in response.headers ? Number.POSITIVE_INFINITY : bytesMax,
    signal,
  ]),
  'problems of JSON quote the document': json({
    parsingJson: (sound) =>
      function* parse(bytes, options) {
        const parsed = yield* sound.parsingJson(bytes, options);
        if (parsed.failure === undefined) return parsed;
        const { unquoted: _, ...quoting } = parsed;
        return quoting;
      },
  }),
  'a rate limit delays nothing': rates.withMethods('TokenBucket', () => ({ waitMs: () => 0 })),

  'each viewer has a list of data sources of its own': sources.withMethods('LiveSources', ({ watch }) => ({
    watch(project, stored, refreshMs) {
      watch.call(this, project, [...stored], refreshMs);
    },
  })),
  'a data source is watched with half the refresh': schedules.withArguments('watched', (schedule, refreshMs, now) => [
    schedule,
    refreshMs / 2,
    now,
  ]),
  'a push ends no fetch': tracked({ dropFlight: () => () => undefined }),
  'deleted data sources stay tracked': tracked.withMethods('TrackedSources', () => ({
    delete: () => undefined,
    deleteProject: () => undefined,
    deleteAccount: () => undefined,
  })),
  'a data source fails since its newest response': responses.withMethods('ResponseStore', ({ failing }) => ({
    *failing(accountId) {
      for (const each of failing.call(this, accountId))
        yield { ...each, since: this.newest(each.name, each.settings)?.at ?? each.since };
    },
  })),
  'the newest fetch of a data source has succeeded': freshness.withArguments('stateOfSource', (answer, ...others) => [
    answer && { ...answer, problem: null },
    ...others,
  ]),
  'every data source is fetched': freshness.withArguments('stateOfSource', (answer, _, oldestMs) => [answer, true, oldestMs]),
  'of two states the other is the worse one': freshness.withResult('worseOf', (worse, a, b) =>
    a.sources !== b.sources ? worse : worse === a ? b : a,
  ),
  'evaluations have the same inputs': runs.withMethods('EvaluationRuns', ({ run }) => ({
    run(of, make) {
      return run.call(this, (of.inputs === undefined ? of : { ...of, inputs: '{}' }) as never, make as never) as never;
    },
  })),
  'every evaluation is usable': results.withArguments('publicEvaluation', (made, task, icons) => [made, task, icons, false]),
} as const satisfies Readonly<Record<string, Fault>>;
