/** States that the server keeps by itself: places of each account, and what is dropped. */
import t, { type Test } from 'tap';
import { JsonCache } from '../../src/api/crud/json-cache.ts';
import { jsonOf } from '../../src/api/versions/version-endpoints.ts';
import { AutomaticVersions } from '../../src/engine/versions/automatic-versions.ts';
import type { Cause } from '../../src/engine/write/write.ts';
import { Deferred } from '../../src/lib/async/deferred.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { accountIn, create, done, openWorld, project, projectIn, recordingLog } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

const minuteMs = 60_000;
/** Most states of an account that wait. */
const places = 16;

async function world(t: Test) {
  const { engine, stored: files } = await openWorld(temporaryFolder(t));
  const { log, logged } = recordingLog();
  const time = { now: Date.now() };
  const json = jsonOf({ cache: new JsonCache(1024) });
  const automatic = new AutomaticVersions(engine, files, { log, clock: () => time.now, json });
  t.teardown(() => engine.close());
  time.now += 11 * minuteMs;
  const projects = async (name: string, count: number): Promise<StoredProject[]> => {
    const accountId = await accountIn(engine, name);
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await done(engine, create(project(accountId))));
    return ids.map((id) => projectIn(engine, accountId, id));
  };
  /** Takes all turns; call the result to give them back. */
  const occupy = (): (() => Promise<void>) => {
    const { promise, resolve } = new Deferred<void>();
    const turns = ['x', 'y'].map((account) => engine.versionTurns.run('storing', account, () => promise));
    return async () => {
      resolve();
      await Promise.all(turns);
    };
  };
  const change = (changed: StoredProject, cause: Partial<Cause> = {}) =>
    automatic.beforeCommit([{ op: 'put-project', accountId: changed.accountId, value: changed.value, created: false }], {
      ...{ by: '', replaces: false },
      ...cause,
    });
  const kept = (of: StoredProject): number => of.collection('versions', '')?.size ?? 0;
  return { automatic, time, logged, projects, occupy, change, kept };
}

t.test('states of one account that wait keep no state of another from being kept', async (t) => {
  const { automatic, projects, occupy, change, kept } = await world(t);
  const many = await projects('ann', places + 4);
  const [other] = (await projects('ben', 1)) as [StoredProject];
  const free = occupy();
  for (const each of many) change(each);
  change(other);
  t.equal(automatic.dropped, 4);
  await free();
  await automatic.idle();
  t.equal(kept(other), 1);
  t.strictSame(
    many.map(kept),
    many.map((_, i) => (i < places ? 1 : 0)),
  );
});

t.test('a state that is dropped is counted, and the next change keeps one', async (t) => {
  const { automatic, time, logged, projects, occupy, change, kept } = await world(t);
  const many = await projects('ann', places + 3);
  const [last] = many.slice(-1) as [StoredProject];
  const free = occupy();
  for (const each of many) change(each);
  t.equal(automatic.dropped, 3);
  t.match(logged, [['warn', { account: last.accountId, count: 1 }, /too many states wait/]], 'one line a minute');
  time.now += minuteMs;
  change(last);
  t.match(logged, [[], ['warn', { project: last.id, count: 3 }]], 'with the number since the line before');
  await free();
  await automatic.idle();
  t.equal(kept(last), 0);
  change(last);
  await automatic.idle();
  t.equal(kept(last), 1, 'it is the first change after the pause');
  change(last);
  await automatic.idle();
  t.equal(kept(last), 1);
  t.equal(automatic.dropped, 4);
});

t.test('one state of a project waits: the oldest', async (t) => {
  const { automatic, projects, occupy, change, kept } = await world(t);
  const [one] = (await projects('ann', 1)) as [StoredProject];
  const free = occupy();
  for (let i = 0; i < 3; i++) change(one, { replaces: true });
  t.equal(automatic.dropped, 2);
  await free();
  await automatic.idle();
  t.equal(kept(one), 1);
  change(one, { replaces: true });
  await automatic.idle();
  t.equal(kept(one), 2);
});
