/** Large records are built in slices: the record and the recovered state are the same as without slices. */
import t from 'tap';
import { buildRecord, isLarge } from '../../src/engine/write/build-record.ts';
import { unbounded } from '../../src/engine/write/quotas.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { decodeRecord } from '../../src/store/operations/record.ts';
import { create, done, dump, member, membersIn, project, update } from '../support/engine.ts';
import { held } from './held-journal.ts';

const spots = (count: number) => Array.from({ length: count }, () => ({ type: 'spot' }));

t.test('a large record is encoded, and its project is built, in many slices', async (t) => {
  const { engine, journal, accountId } = await held();
  await journal.settle(done(engine, create(project(accountId), { artboards: [{ objects: spots(5000) }] })));
  const { changes, time } = decodeRecord(journal.records.at(-1) as Buffer);
  t.ok(isLarge(changes));
  t.ok(changes.length > 5000 / 256, `${changes.length} changes of a few members each`);
  const [head, artboards, ...objects] = changes as [Change, Change, ...(Change & { op: 'put' })[]];
  const put = objects.find(({ op }) => op === 'put') as Change & { op: 'put' };
  const values = objects.flatMap((change) => (change.op === 'put' ? change.values : []));
  const preparing = buildRecord(engine.state, { accountId, by: '' }, [head, artboards, { ...put, values }], time, unbounded);
  let slices = 1;
  let step = preparing.next();
  for (; step.done !== true; step = preparing.next()) slices++;
  t.ok(slices > (2 * 5000) / 256, `${slices} slices`);
  t.equal(step.value.project?.project.objectsVersion, engine.state.lsn + 1);
  t.strictSame(
    decodeRecord(Buffer.from(step.value.encoded)).changes,
    changes.filter(({ op }) => op !== 'start-run'),
  );
});

t.test('each large member is encoded in a slice of its own', async (t) => {
  const { engine, journal, accountId } = await held();
  const coords = Array.from({ length: 20_000 }, (_, i) => ({ x: i, y: 1 }));
  const objects = Array.from({ length: 3 }, () => ({ type: 'poly', coords }));
  Object.assign(journal, { recordBytesMax: Number.POSITIVE_INFINITY });
  await journal.settle(done(engine, create(project(accountId), { artboards: [{ objects }] })));
  const puts = decodeRecord(journal.records.at(-1) as Buffer).changes.filter(({ op }) => op === 'put');
  t.equal(puts.length, 4, 'the artboard, and each object by itself');
});

t.test('after a large create, add or partial update, a replay of the log gives the same state and order', async (t) => {
  const { engine, journal, accountId } = await held();
  const id = await journal.settle(
    done(
      engine,
      create(project(accountId), { artboards: [{ objects: spots(600) }], popups: Array.from({ length: 600 }, () => ({})) }),
    ),
  );
  const agree = (what: string): void => {
    t.equal(dump(journal.replayed()), dump(engine.state), what);
  };
  agree('a new project');
  const board = await journal.settle(done(engine, create(member(accountId, id, 'artboards'), { objects: spots(700) })));
  agree('an artboard in it');
  const ids = membersIn(engine, accountId, id, 'objects', board).map((object) => object.id);
  t.equal(ids.length, 700);
  const changed = ids.toReversed().map((each, i) => ({ id: each, x: i }));
  await journal.settle(
    done(engine, update(member(accountId, id, 'artboards', board), { objects: [...spots(300), ...changed.slice(50)] })),
  );
  agree('some deleted, some changed, some new, in another order');
  t.equal(journal.records.length, engine.state.lsn, 'one record each');
});
