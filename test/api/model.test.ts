// tier: normal
/**
 * Random requests with restarts, snapshots and crashes, against a model of the API. Each response, and after each restart each GET, has
 * exactly the bytes of the model. A failure prints the seed and the path that replay it:
 * SEED=<seed> MAPWRIGHT_PATH=<path>.
 */

import t from 'tap';
import fc from '../support/fast-check.ts';
import { type Mapwright, startMapwright } from '../support/mapwright.ts';
import { seed, sized, tier } from '../support/tier.ts';
import { Model, mustBe } from './model.ts';
import { changeFile, changeVersion, copy, keepVersion, keyLabel, publish, restore, unpublish, upload } from './model-beside.ts';
import { Coverage } from './model-coverage.ts';
import { allNames, created, documentNames } from './model-resources.ts';
import {
  create,
  listPart,
  place,
  refuse,
  remove,
  repeat,
  replace,
  type Step,
  step,
  take,
  update,
  writeBack,
} from './model-steps.ts';

const keys = fc.boolean().map((revoke) =>
  step(revoke ? 'revoke a key' : 'make a key', async (model, mapwright) => {
    const name = model.key.slice(0, 20);
    const oldest = model.validKeys[0];
    if (!revoke) model.validKeys.push(await mapwright.server.createKey(name));
    else if (oldest !== undefined) {
      await mapwright.server.revokeKey(oldest.id);
      model.revokedKeys.push((model.validKeys.shift() as { key: string }).key);
    }
  }),
);

const again = (what: string, work: (mapwright: Mapwright) => Promise<unknown>) =>
  fc.constant(
    step(what, async (model, mapwright) => {
      const before = await model.tags();
      await work(mapwright);
      mustBe('the entity tags', (await model.tags()).join(), before.join());
      await model.compare();
    }),
  );

const writes = documentNames.flatMap((name) => [create(name), update(name), remove(name)]);
const upkeep = [
  again('restart', (mapwright) => mapwright.restart()),
  again('crash', (mapwright) => mapwright.crash()),
  again('snapshot, crash', async (mapwright) => {
    await mapwright.server.snapshot();
    await mapwright.crash();
  }),
];

const lists = allNames.map(listPart);
const beside = [
  ...[upload, upload, changeFile, changeFile, keepVersion, keepVersion, changeVersion, changeVersion],
  ...[restore, restore, restore],
  ...[publish, publish, unpublish, copy],
];
const many = [
  create('Project'),
  create('Artboard'),
  create('Object'),
  replace('Project'),
  replace('Project'),
  replace('Artboard'),
];
const places = Array.from({ length: 10 }, () => place);
const steps = fc.commands(
  [
    ...[...writes, ...writes, ...lists, ...beside, ...beside, ...many, ...many, ...places],
    ...[repeat, refuse, writeBack, keys, ...upkeep],
  ],
  { maxCommands: 60, size: 'max' },
);

/** How long a smaller failure is searched for. */
const shrinkingMs = 10_000;

/** An account of its own with something to work on: a step that finds nothing does nothing. */
async function begin(mapwright: Mapwright, account: string, coverage: Coverage): Promise<Model> {
  const { key } = await mapwright.server.createKey(account, { label: keyLabel });
  const model = new Model(mapwright, key, coverage);
  const first = {
    ...{ artboards: [{ objects: [{ type: 'poly' }, { type: 'spot' }] }, {}], popups: [{}, {}, {}] },
    ...{ data_sources: [{}, {}], variables: [{}, {}], actions: [{}, {}] },
  };
  const doc = created('Project', first);
  take('the first project', model, 'Project', await mapwright.post('/projects', first, { key }), doc);
  model.projects.push(doc);
  return model;
}

t.test('the responses equal a model of the API through random writes, snapshots, restarts and crashes', async (t) => {
  // A version that the server keeps by itself is a record at a time of its own.
  const mapwright = await startMapwright(t, { snapshotPauseMs: 0 });
  const coverage = new Coverage();
  const ask = mapwright.ask.bind(mapwright);
  mapwright.ask = (method, target, asked) => {
    coverage.asked(method, target);
    return ask(method, target, asked);
  };
  const path = process.env['MAPWRIGHT_PATH'];
  t.comment(`SEED=${seed}`);
  const models: Model[] = [];
  let failed: number | undefined;
  const run = async (taken: Iterable<Step>) => {
    // The accounts of the runs before are ballast that must survive everything too.
    const model = await begin(mapwright, `run ${models.length}`, coverage);
    models.push(model);
    await fc.asyncModelRun(() => ({ model, real: mapwright }), taken);
    await model.compare();
  };
  const property = fc.asyncProperty(steps, steps, async (...taken) => {
    if (failed !== undefined && performance.now() - failed > shrinkingMs) return;
    try {
      await run(taken.flatMap((some) => [...some]));
    } catch (error) {
      failed ??= performance.now();
      throw error;
    }
  });
  const explore = (seed: number, numRuns: number) =>
    fc.assert(property, { seed, numRuns, ...(path === undefined ? {} : { path }) });
  await explore(seed, sized({ sample: 6, all: 15 }));
  // What chance has left out so far.
  for (let round = 1; tier === 'all' && coverage.missed.length > 0 && round < 20; round++) await explore(seed + round, 2);
  t.comment(`${models.length} runs, ${mapwright.lastRecord()} records`);
  await mapwright.crash();
  for (const model of models) await model.compare();
  t.pass('what all runs left behind is still there');
  t.comment(coverage.summary);
  if (tier === 'all') t.strictSame(coverage.missed, [], 'each operation and each member was exercised');
});
