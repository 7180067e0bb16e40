/**
 * Which files of tests a tier runs, in what order, and which of them share a process. Files are named as `api/lists`, folders as `api/`.
 */
import type { Tier } from './tier.ts';

/** Twins of other files, measurements, and what takes minutes: `npm run test:all` alone has these. */
const onlyAll: readonly string[] = [
  // The same tests again for another way in; the contract has such twins in every run.
  'api/model-local',
  // The benchmark, which measures for seconds.
  ...['hostile', 'http', 'paced', 'pages', 'scale'].map((name) => `bench/${name}`),
  // Minutes in a browser; what a person does first is in the others.
  ...['bad-input', 'cards', 'hostile'].map((name) => `console/${name}`),
  // Every command in the documents, every flag, whole packages and releases.
  ...['accounts', 'bundle', 'demo', 'readme', 'usage', 'verify'].map((name) => `cli/${name}`),
  ...['contributing', 'openapi', 'package', 'release'].map((name) => `repo/${name}`),
  'viewer/pictures',
  // Kills, hostile clients and damage, for minutes.
  ...['backup/kill', 'backup/server', 'engine/kill-large', 'http/soak-hostile', 'linearizability/process'],
  ...['api/searches', 'server/alarms', 'golden/'],
  // Several nodes and databases, for many seconds each; cluster/nodes and cluster/journal stay in every run.
  ...[
    'cache-full',
    'database-connection',
    'database-full',
    'doctor-cluster',
    'faults',
    'move',
    'node-metrics',
    'operate',
    'publish',
    'start',
  ].map((name) => `cluster/${name}`),
  ...['claims', 'processes'].map((name) => `cluster/shards/${name}`),
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
  ...['engine/leaf-cache', 'engine/quotas'],
  ...['batch', 'duplicate', 'fields', 'filters', 'routes'].map((name) => `api/${name}`),
  ...['backup', 'commands', 'config', 'doctor', 'keys', 'transfer'].map((name) => `cli/${name}`),
  ...['server/key-usage', 'data/', 'repo/lint'],
  // Rules of resources and of memory, which the contract and the model show on each version of Node.
  ...['bodies', 'collections', 'idempotency', 'large-projects', 'quotas'].map((name) => `api/${name}`),
  ...['serve', 'init', 'completion', 'publish'].map((name) => `cli/${name}`),
  // What runs in a browser, whatever Node serves it.
  ...['viewer/', 'console/'],
  ...['server/memory', 'server/old-copy', 'server/replaced-folder', 'server/keys', 'server/audit-log', 'cluster/'],
  ...['backup/folder', 'backup/large-records', 'engine/cleanup', 'engine/keys', 'store/selection', 'wal/large-records'],
];

/**
 * Single tests that `npm run test:all` alone has, since each costs about a second or more: other tests of these files show the same subject.
 * A file that is named on the command line, or run without the runner (as planted bugs do), has all of its tests.
 */
export const testsOnlyAll: Readonly<Record<string, readonly string[]>> = {
  'api/compressed': ['a list that is read while it is changed is one version of it'],
  'api/contract-local': ['the committed examples are valid, go in and come out'],
  'api/contract-in-memory': ['the committed examples are valid, go in and come out'],
  'api/duplicate': ['one version, whoever writes meanwhile'],
  'api/idempotency': ['a large answer, and one that is too large'],
  'api/large-projects': [
    'two at a time, and small writes of another account among them',
    'folded, and read from the snapshot',
    'followed live, from the log, and across it',
  ],
  'api/slow-readers': ['readers of ten thousand artboards hold a few hundred kilobytes each'],
  'backup/folder': ['an old backup that cannot be deleted fails no backup, and goes once it can'],
  'backup/restore': ['a backup is the folder as of its record, whatever the snapshots'],
  'cli/backup': [
    'the mistaken write is found and left out, while the server runs',
    'a damaged backup is refused before anything is made',
    'what is not theirs to touch, or to wait for, is refused',
  ],
  'cli/commands': ['every command that prints something speaks JSON'],
  'cli/completion': ['completion prints the script of the shell that is named, or of the one in $SHELL'],
  'cli/config': ['of any command, whatever that would ask for; of serve where none is named'],
  'cli/doctor': [
    'somebody else’s folder, and somebody else’s files',
    'backups',
    'modes and owners',
    'a clock that is behind what was written',
    'a disk without room, in memory',
    'a program that is none of ours on the port, while the server listens elsewhere',
  ],
  'cli/init': [
    'a server takes all that image and compose file set, and one key is made before it starts',
    'the health check of the image says whether the server serves',
  ],
  'cli/keys': ['create, list and revoke while the server does not run'],
  'cli/serve': [
    'a list may be given with commas, more than once, in the environment and in a file',
    'a second server on the folder is refused, by name of the first',
    'a folder with an account gets no key at its first start',
    'damage: exit 3, with file, offset and the command that shows more',
  ],
  'cli/terminal': ['nothing of it in a pipe'],
  'cli/transfer': [
    'one project as a file, and back',
    'one project through standard output and standard input',
    'a file that is too large for the server is refused once, in the words of the server',
  ],
  'console/editing': [
    'what the server refuses stays in the field, with the reason',
    'spots and polygons: drawn, dragged, reshaped, deleted, brought back',
    'deleted artboards come back with their objects, and references to them',
    'a reference is chosen from a list, or searched where there are many',
    'every key of the map',
    'members and choices beyond the contract',
    'artboards are moved in their list',
    'problems lead to their field',
    'a dropped picture becomes the background, drawn again',
  ],
  'console/publish': ['the public copy: made, out of date, made again, withdrawn'],
  'console/screens': [{}, { dark: true }, { width: 390 }].map(
    (looks) => `every screen follows the rules: ${JSON.stringify(looks)}`,
  ),
  'console/sign-in': [
    'a pasted key, and signing out',
    'signing out ends a session that the console made',
    'a session of certain projects edits them, and creates no others',
    'below a path of another server',
  ],
  'console/two-consoles': [
    'requests that cross: the version of each write is checked',
    'deleted by somebody else: discard, or create it again',
    'the whole project is deleted',
  ],
  'engine/cleanup': ['a folder in the place of the older snapshot is damage: it is set aside, and another takes its place'],
  'engine/leaf-cache': ['letting go at any moment makes no difference'],
  'http/compression': ['many at once, each gets its own'],
  'mutation/seeds': ['a state that fails, in a restart too, fails again when it alone is looked at'],
  'server/disk-full': [
    'a disk full of the log itself: a snapshot makes room, and the server does so by itself',
    'a server starts and is read on a disk without room for a spare',
  ],
  'server/embed': [
    'what never ends to load, where a host has every thread load it, is not loaded into ours',
    'what fails, where a host has every thread load it, is not loaded into ours',
  ],
  'server/failed-start': ['a folder in the place of an old snapshot: the server starts, with an alarm'],
  'server/failures': [
    'the thread that folds dies: told, counted and tried again by itself; nothing else notices',
    'no room for a spare: 507 before anything is decided, reads go on, writes resume by themselves',
    'no more threads can begin: without a segment 507, and why; writes resume by themselves',
  ],
  'server/folder-lock': [
    'the file "lock" deleted under a server: no second one gets in, also after rotations, and the file is made again',
  ],
  'server/log': ['--log-level and --log-pretty'],
  'server/metrics-listener': ['serve prints the address of --metrics-listen, and only that address has the metrics'],
  'server/old-copy': [
    'a run is started as well where the first write of a start is larger than a segment',
    'so has a backup that is restored',
  ],
  'server/replaced-folder': [
    'its symbolic link is switched: the server stops, and both folders open',
    'the folder is deleted: the server stops and says so',
    'the newest segment is deleted: no write after the next check is acknowledged',
  ],
  'server/restoring': [
    'a port that is taken is told before anything is read',
    'every path has an answer, and the same port has the server afterwards',
  ],
  'server/stall': [
    'a process whose disk does not answer ends after a second signal while a request waits, with all that was acknowledged',
    'an import whose large record waits alone for the disk is refused in time, and changes nothing',
  ],
  'server/stop': [
    'when a write fails the process ends too, and a restart has all that was acknowledged',
    'SIGINT: what is in flight ends, all is on the disk, exit 0',
    'when its thread ends the process ends too, and a restart has all that was acknowledged',
    'whoever is still reading a whole answer gets all of it',
  ],
  'snapshot/bad-rows': ['a member less than the index says', 'bytes that claim a million elements'],
  'snapshot/incremental': ['as much as there is: each snapshot is what memory held (seed 1)'],
  'snapshot/rot': [
    'nothing is changed when what is before it is not whole either',
    'in a running server: told, counted, and healed',
  ],
  'store/selection': ['texts that are alike for long'],
  'viewer/drawing': ['100,000 objects are drawn, found, marked and moved'],
  'viewer/element': [
    'the list is visible and can be searched',
    'fifty maps on one page all draw',
    'reduced motion: the view moves without animation',
    'without tiles: a grid, no credit, no request',
    'it leaves the page and returns; two scripts on one page',
    'a document that the page has itself',
    'a map without artboards says so',
    'missing pictures and tiles: the map is usable, and says so',
  ],
  'viewer/hostile': ['the payloads work: without both, some run'],
};

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
  files('api', 'batch conditions contract duplicate quotas references routes docs openapi authorize viewer'),
  files(
    'api',
    'bodies collections fields filters json-cache lists optional-members own-values roundtrip compressed large-projects',
  ),
  files('api', 'idempotency etags tenancy model transfer docs-browser preview publications'),
  files('backup', 'folder large-records point repair restore'),
  files('cli', 'api-client backup completion config doctor init keys'),
  files('cli', 'commands console proxies publish serve terminal transfer'),
  files('console', 'cards editing hostile project publish sign-in'),
  files('console', 'bad-input screens two-consoles'),
  files('viewer', 'blend document drawing element hostile pictures'),
  files('client', 'browser changes lists readme requests retry size types'),
  files('cluster', 'postgres-support pg-pipeline tcp-proxy watched-folder'),
  files(
    'engine',
    'build-record cleanup dangling leaf-cache feed disk-full invariants keys project-writer marker quotas refusals replay',
  ),
  files('http', 'body cors proxy json messages refusal-order query rate-limit reply router suggest trace-context upgrade'),
  files('http', 'admission body-queue compression event-stream hostile compressed-cache pipelining'),
  files(
    'server',
    'durable-responses audit-log control diagnostics local-api-durable local-api disk-full embed error-codes failed-start folder-lock proxy',
  ),
  files(
    'server',
    'console-sessions events failures host-schemas keys key-usage log metrics-listener metrics misuse old-copy publications replaced-folder restoring stall stop',
  ),
  files('snapshot', 'bad-rows damage incremental retention rot run'),
  files('store', 'patched-rows large-members lazy packed-rows pressure'),
  files(
    'wal',
    'op-channel damage format large-records log-reader memory-conformance recovery repair-tail stall state-tables wal-faults wal-order',
  ),
  [
    ...['lib/', 'store/collection', 'store/rank', 'store/projects', 'store/selection', 'store/state', 'model/', 'schemas/'],
    ...['linearizability/linear', 'linearizability/wing-gong', 'cluster/protocol', 'bench/report', 'data/'],
    ...files('repo', 'client-types documents format grafana layers lockfile openapi reporter watching'),
  ],
];

/** The longest files, which start first: a run does not wait for one that began last. */
export const slowest: readonly string[] = [
  ...['mutation/seeds', 'crash/crash-states', 'bench/scale', 'cli/accounts', 'server/alarms', 'engine/kill'],
  ...['backup/server', 'repo/package', 'bench/http', 'cli/usage', 'cli/readme', 'api/events', 'cli/verify'],
];
