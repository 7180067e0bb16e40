/** The invariants of the engine, one test each, over a disk whose syncs the test controls. Refusals and failures: refusals.test.ts. */

import t from 'tap';
import { sliceElements } from '../../src/model/bodies/check-body.ts';
import { resourceOf } from '../../src/model/resources.ts';
import { findCollection } from '../../src/store/find.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { packMembers, unpackMembers } from '../../src/store/rows/member-rows.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import { create, done, dump, member, project, remove, update } from '../support/engine.ts';
import fc from '../support/fast-check.ts';
import { seed, sized } from '../support/tier.ts';
import { deciding, held, isPending, turns, until } from './held-journal.ts';

const named = (count: number, prefix = 'p') => Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}` }));

t.test('invariant 1: a write is acknowledged only after its record and every earlier record are durable', async (t) => {
  const { engine, journal, accountId } = await held();
  const before = journal.records.length;
  const writes = [0, 1, 2].map((n) => done(engine, create(project(accountId), { name: `${n}` })));
  await until(() => journal.records.length === before + 3);
  t.equal(journal.records.length, before + 3, 'all three are in the log while none is durable');
  for (const write of writes) t.ok(await isPending(write));
  journal.sync(before + 2);
  await Promise.all(writes.slice(0, 2));
  t.ok(await isPending(writes[2] as Promise<string>), 'the third is not');
  journal.sync();
  await writes[2];
});

t.test('invariant 1: a project is not locked during a sync, so its writes share one', async (t) => {
  const { engine, journal, accountId } = await held();
  const target = project(accountId, await journal.settle(done(engine, create(project(accountId)))));
  const before = journal.records.length;
  const writes = ['a', 'b'].map((name) => done(engine, update(target, { name })));
  await until(() => journal.records.length === before + 2);
  t.equal(journal.records.length, before + 2);
  t.ok(await isPending(Promise.any(writes)));
  journal.sync();
  await Promise.all(writes);
});

t.test('invariant 2: a search in slices waits until the changes that it has found are durable', async (t) => {
  const { engine, journal, accountId } = await held();
  const id = await journal.settle(done(engine, create(project(accountId), { popups: named(1) })));
  const popups = { accountId, projectId: id, collection: 'popups', parentId: '' } as const;
  const stored = engine.state.accounts.get(accountId)?.projects.get(id)?.collection('popups', '');
  const [popup] = Array.from(stored?.capture() ?? [], ({ value }) => value.id) as [string];
  const found = done(engine, update(member(accountId, id, 'popups', popup), { name: 'found' }));
  await until(() => journal.records.length > journal.durableLsn);
  const slow = engine.reader.search(accountId, function* (state) {
    const seen = findCollection(state, popups);
    for (const until = performance.now() + 50; performance.now() < until; );
    yield;
    return seen;
  });
  await turns();
  t.ok(slow instanceof Promise && (await isPending(slow)));
  await journal.settle(found);
  t.equal((await slow).value?.collection?.get(popup)?.value['name'], 'found');
});

t.test('invariant 3: one request is one record, and a restart recovers all of it or nothing', async (t) => {
  const { engine, journal, accountId } = await held();
  const body = { name: 'whole', popups: named(3), variables: named(2, 'v'), artboards: [{ objects: [{ type: 'spot' }] }] };
  const before = journal.records.length;
  const id = await journal.settle(done(engine, create(project(accountId), body)));
  t.equal(journal.records.length, before + 1);
  const afterCreate = dump(engine.state);
  const [kept] = engine.state.accounts.get(accountId)?.projects.get(id)?.collection('popups', '')?.capture() ?? [];
  const popups = [{ name: 'new' }, { id: kept?.value.id, title: 'kept' }];
  const after = { name: 'after', popups, variables: [], artboards: [{}] };
  await journal.settle(done(engine, update(project(accountId, id), after)));
  t.equal(journal.records.length, before + 2);
  t.equal(dump(journal.replayed(before + 1)), afterCreate, 'without the last record: nothing of it');
  t.equal(dump(journal.replayed()), dump(engine.state), 'with it: all of it');
});

t.test('invariant 5: log order is the order of decisions, also with a change that is built in slices', async (t) => {
  const { engine, journal, accountId } = await held();
  const busy = await journal.settle(done(engine, create(project(accountId))));
  const other = await journal.settle(done(engine, create(project(accountId))));
  const shown: string[] = [];
  const send = (id: string, body: object, what: string) =>
    engine.writer.execute(update(project(accountId, id), body), (state) => {
      shown.push(what);
      return state.lsn;
    });
  const before = journal.records.length;
  const begun = deciding(engine);
  const writes = [send(busy, { popups: named(20_000) }, 'large')];
  await begun;
  writes.push(send(busy, { name: 'second' }, 'small, same project'), send(other, { name: 'free' }, 'small, other project'));
  const lsns = (await journal.settle(Promise.all(writes))).map((outcome) => (outcome.outcome === 'done' ? outcome.shown : 0));
  t.strictSame(shown, ['small, other project', 'large', 'small, same project'], 'only the same project waits');
  t.strictSame(lsns, [before + 2, before + 3, before + 1], 'without gaps, each the newest when it was applied');
  const sizes = journal.records.slice(before).map((record) => decodeRecord(record).changes.length);
  t.strictSame(sizes, [1, Math.ceil(20_000 / sliceElements), 1], 'a large one is encoded a few members at a time');
  t.ok((journal.records[before + 1]?.byteLength ?? 0) > 100_000, 'the large one is the second record');
  t.equal(dump(journal.replayed()), dump(engine.state));
});

t.test(`invariant 6: every accepted value is read back unchanged from log and snapshot (seed ${seed})`, async (t) => {
  const odd = fc.constantFrom('constructor', 'toJSON', 'hasOwnProperty', 'then', '', '0', 'valueOf', '\u{1F5FA}', 'a/b~c');
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), odd, fc.constant('x'.repeat(70_000)));
  const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger()).map((n) => n + 0);
  const scalar = fc.oneof(text, number, fc.boolean(), fc.constant(null));
  const { open } = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('any'), { maxLength: 4 }), tie('open')),
    open: fc.dictionary(fc.oneof(fc.string(), odd), tie('any'), { maxKeys: 5 }),
  }));
  const variable = fc.record(
    { name: text, random_from: number, random_to: number, color_interpolation_colors: fc.array(text), data_path: open },
    { requiredKeys: [] },
  );
  const object = fc.record({ type: fc.constantFrom('spot', 'poly'), coords: fc.array(fc.record({ x: number, y: number })) });
  const artboards = fc.tuple(fc.record({ objects: fc.array(object) }));
  // As a reader of JSON gives it; an own `__proto__` is refused there.
  const body = fc
    .record({ settings: open, variables: fc.array(variable), artboards })
    .map((value) => JSON.parse(JSON.stringify(value)) as typeof value)
    .filter((value) => !JSON.stringify(value).includes('__proto__'));
  const { engine, journal, accountId } = await held();
  const replay = new State(runLeaves);
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const made = await journal.settle(engine.writer.execute(create(project(accountId), sent), (_, target) => target));
      if (made.outcome === 'missing' || made.outcome === 'stale') throw new Error(made.outcome);
      // A made-up body may break a rule (a `nodes` that is no array ...): what is refused needs no encoding.
      if (made.outcome === 'invalid' || made.shown.kind !== 'project') return;
      const { projectId } = made.shown;
      const stored = engine.state.accounts.get(accountId)?.projects.get(projectId);
      same(stored?.value['settings'], sent.settings, 'settings');
      const replayed = journal.goOn(replay).accounts.get(accountId)?.projects.get(projectId);
      same(replayed?.value, stored?.value, 'the project after a replay');
      for (const { name, parentId, collection } of stored?.collections() ?? []) {
        const live = [...collection.capture()].map(({ value }) => value);
        const again = [...(replayed?.collection(name, parentId)?.capture() ?? [])].map(({ value }) => value);
        const chunk = unpackMembers(resourceOf[name], packMembers(resourceOf[name], [...collection.capture()]));
        same(again, live, `${name} after a replay`);
        same(
          chunk.map(({ value }) => value),
          live,
          `${name} in a chunk`,
        );
      }
      await journal.settle(done(engine, remove(project(accountId, projectId))));
    }),
    { seed, numRuns: sized({ sample: 20, all: 60 }) },
  );
  t.pass('all were the same');
});

function same(found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: not the same`);
}
