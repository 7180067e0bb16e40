/** A write that fails before its append leaves memory, log and locks unchanged; one that fails after it stops the engine. */
import t from 'tap';
import { BusyError, NoSpaceError, RecordTooLargeError, StoppedError } from '../../src/lib/errors.ts';
import { findProject } from '../../src/store/find.ts';
import { create, done, dump, member, project, update } from '../support/engine.ts';
import { deciding, type Held, held } from './held-journal.ts';

/** A world with one project in it. */
async function withProject(): Promise<Held & { id: string }> {
  const world = await held();
  const { engine, journal, accountId } = world;
  const id = await journal.settle(done(engine, create(project(accountId), { name: 'before', popups: [{}, {}] })));
  return { ...world, id };
}

type Tap = Pick<typeof t, 'equal' | 'ok'>;

/** The project can still be written to: no lock is held. */
async function goesOn(t: Tap, { engine, journal, accountId, id }: Held & { id: string }): Promise<void> {
  const write = done(engine, update(project(accountId, id), { name: 'after' }));
  t.equal(await journal.settle(write), id, 'the next write goes through');
  t.equal(engine.state.lsn, journal.records.length);
}

for (const refusal of [new NoSpaceError('full'), new BusyError('later'), new RecordTooLargeError('large')]) {
  t.test(`a ${refusal.name} from the journal changes nothing, and later writes succeed`, async (t) => {
    const world = await withProject();
    const { engine, journal, accountId, id } = world;
    const before = dump(engine.state);
    journal.refusal = refusal;
    await t.rejects(done(engine, update(project(accountId, id), { name: 'lost', popups: [] })), refusal);
    await t.rejects(done(engine, create(project(accountId))), refusal);
    t.equal(dump(engine.state), before);
    t.equal(journal.records.length, engine.state.lsn);
    t.notOk(engine.reader.read((state) => findProject(state, accountId, id)) instanceof Promise, 'reads go on');
    journal.refusal = undefined;
    await goesOn(t, world);
    t.strictSame(world.fatal, []);
  });
}

t.test('a body that cannot be encoded changes nothing', async (t) => {
  const world = await withProject();
  const { engine, journal, accountId, id } = world;
  const before = dump(engine.state);
  // No request can carry such a value: it stands for any fault of the encoder.
  const settings = {
    toJSON: () => {
      throw new TypeError('planted');
    },
  };
  await t.rejects(done(engine, create(project(accountId), { settings })), TypeError);
  await t.rejects(done(engine, update(project(accountId, id), { name: 'half', popups: [], settings })), TypeError);
  t.equal(dump(engine.state), before);
  t.equal(journal.records.length, engine.state.lsn);
  await goesOn(t, world);
});

t.test('a response that cannot be built releases the lock of its project', async (t) => {
  const world = await withProject();
  const { engine, accountId, id } = world;
  const show = () => {
    throw new Error('cannot show it');
  };
  await t.rejects(engine.writer.execute(update(project(accountId, id), { name: 'x' }), show), { message: 'cannot show it' });
  await goesOn(t, world);
});

t.test('a write with too many elements is refused before any of them is built', async (t) => {
  const world = await withProject();
  const { engine, accountId, id } = world;
  const before = dump(engine.state);
  const artboards = Array.from({ length: 251 }, () => ({ objects: Array.from({ length: 200 }, () => ({})) }));
  await t.rejects(done(engine, update(project(accountId, id), { artboards })), RecordTooLargeError, 'nested ones count');
  t.equal(dump(engine.state), before);
  await goesOn(t, world);
});

t.test('a record that cannot be applied stops the engine', async (t) => {
  const { engine, journal, accountId, id, fatal } = await withProject();
  const path = { accountId, projectId: 'gone', collection: 'popups', parentId: '' } as const;
  t.throws(() => engine.writer.commit([{ op: 'delete', path, ids: ['x'] }]), StoppedError);
  t.equal(fatal.length, 1, 'reported once');
  const appended = journal.records.length;
  await t.rejects(done(engine, update(project(accountId, id), { name: 'x' })), StoppedError);
  t.throws(() => engine.reader.read((state) => findProject(state, accountId, id)), StoppedError);
  await t.rejects(done(engine, create(member(accountId, id, 'popups'))), StoppedError);
  t.equal(journal.records.length, appended, 'nothing more is logged');
  t.equal(fatal.length, 1);
});

t.test('a write that waits for a lock when the engine stops is not executed', async (t) => {
  const { engine, journal, accountId, id } = await withProject();
  const popups = Array.from({ length: 20_000 }, () => ({}));
  const begun = deciding(engine);
  const first = done(engine, update(project(accountId, id), { popups }));
  await begun;
  const second = done(engine, update(project(accountId, id), { name: 'late' }));
  t.throws(() => engine.writer.commit([{ op: 'delete-project', accountId: 'nobody', projectId: 'x' }]), StoppedError);
  const appended = journal.records.length;
  await Promise.all([t.rejects(first, StoppedError), t.rejects(second, StoppedError)]);
  t.equal(journal.records.length, appended);
});
