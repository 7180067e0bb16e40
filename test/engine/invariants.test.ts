/** The invariants of the engine, one test each, over a disk whose syncs the test controls. Refusals and failures: refusals.test.ts. */

import t from 'tap';
import { sliceElements } from '../../src/model/bodies/check-body.ts';
import { findCollection } from '../../src/store/find.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { create, done, dump, member, membersIn, project, update } from '../support/engine.ts';
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
  const [popup] = membersIn(engine, accountId, id, 'popups').map((value) => value.id) as [string];
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
  const [kept] = membersIn(engine, accountId, id, 'popups');
  const popups = [{ name: 'new' }, { id: kept?.id, title: 'kept' }];
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
