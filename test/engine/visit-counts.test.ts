/** Counts of visits between two records: bounds, failures, and what a record holds. */
import t from 'tap';
import { VisitCounts } from '../../src/engine/visits/visit-counts.ts';
import { MemoryFullError } from '../../src/lib/errors.ts';
import { projects } from '../../src/model/resources.ts';
import { applyRecord } from '../../src/store/apply.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { runLeaves } from '../../src/store/run-leaf.ts';
import { State } from '../../src/store/state.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { dayOf } from '../../src/store/visits.ts';
import { recordingLog } from '../support/engine.ts';

const id = (n: number): string => `019b76da-a800-7000-8000-${String(n).padStart(12, '0')}`;
const slugOf = (n: number): string => `0${String(n).padStart(26, '0')}`;
const created = '2026-01-01T00:00:00.000Z';
const visit = { opened: 1, searches: 0, places: [] as string[] };

const publication = (accountId: string, projectId: string, slug: string): Change => ({
  ...{ op: 'put-publication', accountId, projectId, created: true },
  head: {
    ...{ slug, origins: ['*'], projectVersion: 1, live: undefined },
    newest: { version: 1, digest: 'a'.repeat(64), published: created, jsonBytes: 9, bytes: 5, blob: 'b'.repeat(64), files: [] },
  },
});

function world(maps: number) {
  const state = new State(runLeaves);
  const records: Change[][] = [];
  const time = { now: Date.UTC(2026, 10, 30, 12), failing: false };
  const commit = (changes: readonly Change[]): number => {
    if (time.failing) throw new MemoryFullError('full');
    records.push([...changes]);
    applyRecord(state, state.lsn + 1, changes);
    return state.lsn;
  };
  applyRecord(state, 1, [{ op: 'put-account', account: { id: 'acc', name: 'acme', created } }]);
  for (let n = 0; n < maps; n++) {
    const value = projects.create(id(n), { user_id: 'acc', created }, { name: `map ${n}` });
    applyRecord(state, n + 2, [{ op: 'put-project', accountId: 'acc', value }, publication('acc', id(n), slugOf(n))]);
  }
  const { log, logged } = recordingLog();
  const counts = new VisitCounts({ state, writer: { commit, context: () => ({ now: time.now }) } } as never, { log });
  t.teardown(() => counts.close());
  const project = (n: number) => state.accounts.get('acc')?.projects.get(id(n)) as StoredProject;
  const today = () => dayOf(time.now);
  const read = (n = 0) => counts.daysOf(project(n), 0, 0xffff);
  return { state, records, time, counts, project, today, read, logged };
}

t.test('a record has what was counted since the one before, with what was stored', async (t) => {
  const { counts, project, records, read, today } = world(2);
  counts.add(project(0), { ...visit, places: [id(7)] });
  counts.add(project(0), { opened: 0, searches: 2, places: [id(7), id(8)] });
  counts.add(project(1), visit);
  const day = {
    day: today(),
    opened: 1,
    searches: 2,
    other: 0,
    places: new Map([
      [id(7), 2],
      [id(8), 1],
    ]),
  };
  t.strictSame(read(), [day], 'shown before it is stored');
  t.strictSame(counts.waiting, { maps: 2, places: 2 });
  const version = project(0).version;
  await counts.flush();
  t.equal(records.length, 1, 'one record for both maps of the account');
  t.strictSame(records[0]?.[0], { op: 'put-visits', accountId: 'acc', projectId: id(0), days: [day] });
  t.strictSame([read(), counts.waiting], [[day], { maps: 0, places: 0 }], 'and after');
  t.equal(project(0).version, version, 'no version changes');
  await counts.flush();
  t.equal(records.length, 1, 'nothing to store: no record');
  counts.add(project(0), { ...visit, places: [id(8)] });
  counts.close();
  t.strictSame(
    read(),
    [
      {
        ...day,
        opened: 2,
        places: new Map([
          [id(7), 2],
          [id(8), 2],
        ]),
      },
    ],
    'a stop stores what waits',
  );
  counts.add(project(0), visit);
  t.equal(read()[0]?.opened, 2, 'and counts no more');
});

t.test('a visit without anything leaves no trace', async (t) => {
  const { counts, project, records, read } = world(1);
  counts.add(project(0), { ...visit, opened: 0 });
  t.strictSame([read(), counts.waiting.maps], [[], 0]);
  await counts.flush();
  t.equal(records.length, 0);
});

t.test('a day ends at midnight in UTC', async (t) => {
  const { counts, project, time, read, today } = world(1);
  counts.add(project(0), visit);
  const first = today();
  time.now += 12 * 3_600_000;
  counts.add(project(0), visit);
  counts.add(project(0), visit);
  await counts.flush();
  t.strictSame(
    read().map(({ day, opened }) => [day, opened]),
    [
      [first, 1],
      [first + 1, 2],
    ],
  );
});

t.test('counts of a map that was made private are dropped, also when it is public again', async (t) => {
  const { state, counts, project, records, read } = world(1);
  const unpublish: Change = { op: 'delete-publication', accountId: 'acc', projectId: id(0) };
  counts.add(project(0), visit);
  await counts.flush();
  counts.add(project(0), visit);
  applyRecord(state, state.lsn + 1, [unpublish]);
  t.equal(project(0).visits, undefined, 'deleted with the publication');
  await counts.flush();
  t.strictSame([records.length, counts.waiting.maps], [1, 0], 'what waited is not stored');
  applyRecord(state, state.lsn + 1, [publication('acc', id(0), slugOf(5))]);
  counts.add(project(0), visit);
  applyRecord(state, state.lsn + 1, [unpublish, publication('acc', id(0), slugOf(6))]);
  t.strictSame(read(), [], 'another address begins without visits');
  counts.add(project(0), visit);
  t.equal(read()[0]?.opened, 1);
  t.equal(counts.waiting.maps, 1);
});

t.test('what cannot be stored stays in memory', async (t) => {
  const { counts, project, time, records, read, logged } = world(1);
  counts.add(project(0), visit);
  time.failing = true;
  await counts.flush();
  t.match(logged, [['warn', { account: 'acc' }, /cannot be stored now/]]);
  counts.add(project(0), visit);
  time.failing = false;
  await counts.flush();
  t.strictSame([records.length, read()[0]?.opened], [1, 2]);
});

t.test('what waits is bounded', async (t) => {
  const { counts, project, read } = world(1001);
  const some = (n: number): string[] => Array.from({ length: 101 }, (_, i) => id(n * 1000 + i));
  for (let n = 0; n <= 1000; n++) counts.add(project(n), { ...visit, places: some(n) });
  t.strictSame(counts.waiting, { maps: 1001, places: 100_000 }, '100 places of a map, 100,000 in all');
  t.strictSame([read(0)[0]?.other, read(1000)[0]?.other], [1, 101], 'the others are counted together');
  await counts.flush();
  t.strictSame(counts.waiting, { maps: 0, places: 0 });
});

t.test('maps beyond the bound are dropped, and the log says so', async (t) => {
  const { counts, project, records, logged } = world(20_001);
  for (let n = 0; n <= 20_000; n++) counts.add(project(n), visit);
  t.equal(counts.waiting.maps, 20_000);
  await counts.flush();
  t.match(logged, [['warn', { count: 1 }, /more than 20000 maps/]]);
  t.equal(records.length, 100, 'a record has at most 200 maps');
  t.equal(counts.waiting.maps, 0);
});
