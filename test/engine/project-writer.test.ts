/** Projects that are built in slices and created by one record: acknowledged when durable, and without a trace if refused. */
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { Target } from '../../src/engine/command.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { draftOf, duplicateProject, importProject } from '../../src/engine/projects/project-writer.ts';
import { BusyError, MemoryFullError, NoSpaceError, RecordTooLargeError } from '../../src/lib/errors.ts';
import type { State } from '../../src/store/state.ts';
import { create, done, dump, project, projectIn, remove, update } from '../support/engine.ts';
import { type Held, held, isPending, until } from './held-journal.ts';

/** A world with one project in it. */
async function withProject(): Promise<Held & { id: string }> {
  const world = await held();
  const { engine, journal, accountId } = world;
  const body = { name: 'source', artboards: [{ objects: [{ type: 'spot' }] }], popups: [{}, {}] };
  return { ...world, id: await journal.settle(done(engine, create(project(accountId), body))) };
}

const show = (_: State, written: Target): string => (written.kind === 'project' ? written.projectId : '');

/** Every way to make one; `undefined` when there is nothing to make it of. */
const ways: Record<string, (engine: Engine, accountId: string, id: string) => Promise<string | undefined>> = {
  duplicate: async (engine, accountId, projectId) => {
    const duplication = { accountId, projectId, by: '', body: {}, fieldErrors: [], shard: 0 };
    const made = await duplicateProject(engine, duplication, { show });
    return made.outcome === 'done' ? made.shown : undefined;
  },
  import: async (engine, accountId) => {
    const draft = draftOf(engine, { accountId, by: '' }, 1024 * 1024);
    const body = { name: 'source', artboards: [{ objects: [{ type: 'spot' }] }], popups: [{}, {}] };
    draft.write(Buffer.from(JSON.stringify({ format: 'mapwright-project', version: 1, project: body })));
    draft.end();
    const made = await importProject(engine, draft, { show });
    return made.outcome === 'done' ? made.shown : undefined;
  },
};

for (const [name, make] of Object.entries(ways)) {
  t.test(
    `${name}: a record larger than a segment is written as a large record, and one above the limit is refused`,
    async (t) => {
      const { engine, journal, accountId, id } = await withProject();
      const before = dump(engine.state);
      Object.assign(journal, { recordBytesMax: 100, preparedBytesMax: 200 });
      await t.rejects(make(engine, accountId, id), RecordTooLargeError);
      t.equal(dump(engine.state), before);
      Object.assign(journal, { preparedBytesMax: 1000 });
      const made = make(engine, accountId, id);
      await until(() => journal.records.length === 3);
      t.ok(await isPending(made), 'not acknowledged before it is durable');
      const { length } = journal.records;
      t.ok((journal.records.at(-1)?.byteLength ?? 0) > 200);
      t.not(await journal.settle(made), undefined);
      t.equal(journal.records.length, length, 'one record');
      t.equal(dump(journal.replayed()), dump(engine.state), 'adopted as it is applied');
    },
  );

  t.test(`${name}: the project is acknowledged when it is durable, and is the same after a restart`, async (t) => {
    const { engine, journal, accountId, id } = await withProject();
    const made = make(engine, accountId, id);
    await until(() => journal.records.length === 3);
    t.ok(await isPending(made), 'not before');
    t.equal(journal.records.length, 3, 'one record');
    t.equal(engine.state.lsn, 3);
    t.not(await journal.settle(made), undefined);
    t.equal(dump(journal.replayed()), dump(engine.state));
  });

  for (const refusal of [new NoSpaceError('full'), new RecordTooLargeError('large')]) {
    t.test(`${name}: a ${refusal.name} from the journal changes nothing`, async (t) => {
      const { engine, journal, accountId, id, fatal } = await withProject();
      const before = dump(engine.state);
      journal.refusal = refusal;
      await t.rejects(make(engine, accountId, id), refusal);
      t.equal(dump(engine.state), before);
      journal.refusal = undefined;
      t.not(await journal.settle(make(engine, accountId, id)), undefined);
      t.strictSame(fatal, []);
    });
  }

  t.test(`${name}: the project waits while the log is busy`, async (t) => {
    const { engine, journal, accountId, id } = await withProject();
    journal.refusal = new BusyError('later');
    const made = make(engine, accountId, id);
    await delay(150);
    t.equal(journal.records.length, 2);
    journal.refusal = undefined;
    while (journal.records.length === 2) await delay(10);
    t.not(await journal.settle(made), undefined);
  });

  t.test(`${name}: nothing is created if the account is deleted meanwhile`, async (t) => {
    const { engine, journal, accountId, id } = await withProject();
    journal.refusal = new BusyError('later');
    const made = make(engine, accountId, id);
    await delay(20);
    journal.refusal = undefined;
    engine.writer.commit([{ op: 'delete-account', accountId }]);
    t.equal(await journal.settle(made), undefined);
    t.equal(journal.records.length, 3);
  });

  t.test(`${name}: the request is refused before any work if memory is full`, async (t) => {
    const { engine, accountId, id } = await withProject();
    engine.memory.refuseUnlessFits = () => {
      throw new MemoryFullError('full');
    };
    await t.rejects(make(engine, accountId, id), MemoryFullError);
  });
}

t.test('a copy of a deleted project is refused only when the deletion is durable', async (t) => {
  const { engine, journal, accountId, id } = await withProject();
  const removed = done(engine, remove(project(accountId, id)));
  const copy = ways['duplicate']?.(engine, accountId, id) as Promise<string | undefined>;
  t.ok(await isPending(copy));
  t.equal(await journal.settle(copy), undefined);
  await removed;
});

t.test('a copy of a change that is not durable yet is acknowledged after that change', async (t) => {
  const { engine, journal, accountId, id } = await withProject();
  const changed = done(engine, update(project(accountId, id), { name: 'changed' }));
  const copy = ways['duplicate']?.(engine, accountId, id) as Promise<string>;
  await until(() => journal.records.length >= 3);
  journal.sync(3);
  await changed;
  await until(() => journal.records.length === 4);
  t.ok(await isPending(copy));
  journal.sync(4);
  t.equal(projectIn(engine, accountId, await copy).value['name'], 'changed');
});
