/**
 * The tests that take long. They explore states, histories or chance, at length, with code that the other tests run as well: they say
 * nothing of a version of Node that those would not say, so `npm run test:short` does without them. `npm test` runs all.
 */

/** Folders of `test`, which end in a slash, and files in them. */
export const long: readonly string[] = [
  // Crash states, histories, planted mistakes, hostile bytes.
  ...['crash/', 'linear/', 'seeds/', 'fuzz/', 'http/soak-hostile'],
  // Kills and damage, in every place.
  ...['engine/kill', 'engine/kill-large', 'backup/kill', 'backup/repair', 'backup/server', 'journal/damage'],
  ...['snapshot/bad-rows', 'snapshot/damage', 'snapshot/incremental', 'snapshot/retention', 'snapshot/rot', 'golden/'],
  // Against a model, by chance; and again for the other original.
  ...['conditions', 'etags', 'model', 'model-direct', 'references', 'tenancy', 'transfer'].map((name) => `api/${name}`),
  ...['engine/decoded', 'engine/quotas'],
  ...['bodies', 'contract', 'fields', 'filters', 'model', 'references', 'roundtrip'].map((name) => `api/${name}-latest`),
  // What a version can hardly change: every member, filter and route, in every way.
  ...['batch', 'compat', 'duplicate', 'fields', 'filters', 'quotas', 'routes', 'searches'].map((name) => `api/${name}`),
  // The command line, over and over; what is measured, described or drawn.
  ...['accounts', 'backup', 'commands', 'config', 'demo-real', 'doctor', 'inspect', 'keys'].map((name) => `cli/${name}`),
  ...['readme', 'transfer', 'usage'].map((name) => `cli/${name}`),
  ...['server/alarms', 'server/last-use', 'bench/', 'data/'],
  ...['contributing', 'lint', 'openapi', 'release'].map((name) => `house/${name}`),
];
