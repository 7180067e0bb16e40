/**
 * Configuration of Stryker for `npm run test:stryker`: the tests of one pure folder, without the rest of the program. The bundle of the
 * tests has all mutants; a variable of the environment selects one of them.
 */
const rooms = {
  geo: { mutate: ['src/lib/geo/*.ts'], tests: ['lib/geo', 'lib/polygon'] },
  change: { mutate: ['src/lib/change/*.ts'], tests: ['lib/change', 'console/settings-patch'] },
};

const name = process.env.ROOM ?? 'geo';
const room = rooms[name];
if (room === undefined) throw new Error(`there is no room "${name}", only ${Object.keys(rooms).join(', ')}`);
const sources = room.tests.map((test) => `test/${test}.test.ts`);

// Tests end at the first failure.
process.env.TAP_BAIL = '1';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: room.mutate,
  testRunner: 'command',
  buildCommand: `esbuild ${sources.join(' ')} --bundle --packages=external --platform=node --format=esm --outdir=bundled --outbase=test`,
  commandRunner: { command: room.tests.map((test) => `node bundled/${test}.test.js`).join(' && ') },
  concurrency: 1,
  ignorePatterns: ['**', '!package.json', '!src/**/*.ts', '!test/**/*.ts'],
  tempDirName: 'dist/stryker',
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `dist/stryker-${name}.json` },
  disableTypeChecks: false,
  timeoutMS: 60_000,
};
