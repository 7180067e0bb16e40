/**
 * Which files of tests a tier runs, in what order, and which of them share a process. Files are named as `api/lists`, folders as `api/`.
 */
import type { Tier } from './tier.ts';

/** Twins of other files, measurements, and what takes minutes: `npm run test:all` alone has these. */
const onlyAll: readonly string[] = [
  // The same tests again for another way in; bodies, contract and references have such a twin in every run.
  ...['fields', 'filters', 'model', 'roundtrip'].map((name) => `api/${name}-latest`),
  'api/model-direct',
  // The benchmark, which measures for seconds.
  ...['hostile', 'http', 'paced', 'scale'].map((name) => `bench/${name}`),
  // Every command in the documents, every flag, whole packages and releases.
  ...['accounts', 'bundle', 'demo-real', 'inspect', 'readme', 'usage'].map((name) => `cli/${name}`),
  ...['contributing', 'openapi', 'package', 'release'].map((name) => `repo/${name}`),
  // Kills, hostile clients and damage, for minutes.
  ...['backup/kill', 'backup/server', 'engine/kill-large', 'http/soak-hostile', 'linearizability/process'],
  ...['api/compat', 'api/searches', 'server/alarms', 'golden/'],
];

/**
 * What `npm run test:short` leaves out as well. It explores states, histories or chance with code that the other tests run too, and
 * says nothing about a version of Node that those would not.
 */
const notShort: readonly string[] = [
  ...['crash/', 'linearizability/', 'mutation/', 'fuzz/'],
  ...['engine/kill', 'backup/repair', 'wal/damage'],
  ...['snapshot/bad-rows', 'snapshot/damage', 'snapshot/incremental', 'snapshot/retention', 'snapshot/rot'],
  ...['conditions', 'etags', 'model', 'references', 'tenancy', 'transfer'].map((name) => `api/${name}`),
  ...['engine/decoded', 'engine/quotas'],
  ...['bodies', 'contract', 'references'].map((name) => `api/${name}-latest`),
  ...['batch', 'duplicate', 'fields', 'filters', 'quotas', 'routes'].map((name) => `api/${name}`),
  ...['backup', 'commands', 'config', 'doctor', 'keys', 'transfer'].map((name) => `cli/${name}`),
  ...['server/last-use', 'data/', 'repo/lint'],
];

/** Files and folders that a tier leaves out. */
export const leftOut: Readonly<Record<Tier, readonly string[]>> = {
  short: [...onlyAll, ...notShort],
  normal: onlyAll,
  all: [],
};

/**
 * Files that share a process, each line one of it. Loading the program costs more than many of the tests. None of these files changes the
 * process (its environment, its signals, its globals) or measures its memory. Twins set a variable, and share with twins that set the same.
 */
export const shared: readonly (readonly string[])[] = [
  ['lib/', 'store/collection', 'store/rank', 'store/projects', 'store/selection', 'store/state', 'model/', 'schemas/'],
  ['bodies', 'collections', 'fields', 'filters', 'json-cache', 'lists', 'own-values', 'roundtrip'].map((name) => `api/${name}`),
  ['batch', 'conditions', 'contract', 'duplicate', 'quotas', 'references', 'routes', 'docs'].map((name) => `api/${name}`),
  ['bodies', 'contract', 'fields', 'filters', 'references', 'roundtrip'].map((name) => `api/${name}-latest`),
  ['body', 'cors', 'front', 'json', 'messages', 'order', 'query', 'rate-limit', 'reply', 'router'].map((name) => `http/${name}`),
];

/** The longest files, which start first: a run does not wait for one that began last. */
export const slowest: readonly string[] = [
  ...[
    'mutation/seeds',
    'crash/crash-states',
    'bench/scale',
    'cli/accounts',
    'server/alarms',
    'engine/memory',
    'engine/keys',
    'engine/kill',
  ],
  ...['cli/commands', 'backup/server', 'repo/package', 'bench/http', 'cli/usage', 'cli/readme', 'api/events', 'cli/inspect'],
];
