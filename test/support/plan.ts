/**
 * Which files of tests a tier runs, in what order, and which of them share a process. Files are named as `api/lists`, folders as `api/`.
 */
import type { Tier } from './tier.ts';

/** Twins of other files, measurements, and what takes minutes: `npm run test:all` alone has these. */
const onlyAll: readonly string[] = [
  // The same tests again for another way in; the contract has such twins in every run.
  ...['bodies', 'fields', 'filters', 'model', 'references', 'roundtrip'].map((name) => `api/${name}-latest`),
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
  'api/contract-latest',
  ...['batch', 'duplicate', 'fields', 'filters', 'quotas', 'routes'].map((name) => `api/${name}`),
  ...['backup', 'commands', 'config', 'doctor', 'keys', 'transfer'].map((name) => `cli/${name}`),
  ...['server/last-use', 'data/', 'repo/lint', 'cluster/postgres-support'],
];

/** Files and folders that a tier leaves out. */
export const leftOut: Readonly<Record<Tier, readonly string[]>> = {
  short: [...onlyAll, ...notShort],
  normal: onlyAll,
  all: [],
};

const files = (folder: string, names: string): string[] => names.split(' ').map((name) => `${folder}/${name}`);

/**
 * Files that share a process, each line one of it. Starting one and loading the program costs a second, more than many of the tests. None of
 * these files leaves a change of the process behind (its environment, its signals, its globals) or measures its memory. Twins set a variable,
 * and share with twins that set the same.
 */
export const shared: readonly (readonly string[])[] = [
  files('api', 'batch conditions contract duplicate quotas references routes docs openapi authorize'),
  files('api', 'bodies collections fields filters json-cache lists own-values roundtrip compressed large-projects'),
  files('api', 'idempotency etags tenancy model transfer'),
  files('api', 'bodies-latest contract-latest fields-latest filters-latest references-latest roundtrip-latest'),
  files('backup', 'folder large-records point repair restore'),
  files('cli', 'backup completion config demo doctor init keys'),
  files('cli', 'commands proxies serve terminal top transfer view'),
  files('client', 'browser changes lists readme requests retry size types'),
  files('cluster', 'postgres-support pg-pipeline tcp-proxy watched-folder'),
  files('engine', 'build-record cleanup dangling decoded feed full-of-log invariants keys making marker quotas refusals replay'),
  files('http', 'body cors front json messages order query rate-limit reply router suggest trace-context upgrade'),
  files('http', 'admission body-queue compression event-stream hostile kept-bodies pipelining'),
  files(
    'server',
    'answers audit-log control diagnostics direct-durable direct disk-full embed error-codes failed-start folder-lock front',
  ),
  files(
    'server',
    'failures host-schemas keys last-use log metrics-listener metrics misuse old-copy replaced-folder restoring stall stop',
  ),
  files('snapshot', 'bad-rows damage incremental retention rot run'),
  files('store', 'amended-rows large-members lazy packed-rows pressure'),
  files(
    'wal',
    'control damage format large-records log-reader memory-conformance recovery settle stall state-tables wal-faults wal-order',
  ),
  [
    ...['lib/', 'store/collection', 'store/rank', 'store/projects', 'store/selection', 'store/state', 'model/', 'schemas/'],
    ...['linearizability/wing-gong', 'bench/report', 'data/'],
    ...files('repo', 'client-types documents format grafana layers lockfile openapi reporter watching'),
  ],
];

/** The longest files, which start first: a run does not wait for one that began last. */
export const slowest: readonly string[] = [
  ...['mutation/seeds', 'crash/crash-states', 'bench/scale', 'cli/accounts', 'server/alarms', 'engine/kill'],
  ...['backup/server', 'repo/package', 'bench/http', 'cli/usage', 'cli/readme', 'api/events', 'cli/inspect'],
];
