// process: own
/** Names of published maps in the engine: who can have one, for how long it is kept, and what a restart, a snapshot and a crash leave of it. */
import t, { type Test } from 'tap';
import { deleteAccount } from '../../src/engine/accounts.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { memoryGrowth } from '../../src/engine/memory/change-estimate.ts';
import { freeUnusedNames, type NameRegistry } from '../../src/engine/projects/commit-named.ts';
import { publishProject, unpublishProject } from '../../src/engine/projects/publish-project.ts';
import { Deferred } from '../../src/lib/async/deferred.ts';
import { nameKeptMs, namesMax } from '../../src/model/references/public-name.ts';
import { noRegistry } from '../../src/server/admin/registry.ts';
import { projectNamed } from '../../src/store/find.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { accountIn, create, done, dump, openWorld, project, publishing, remove, update } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

interface Named {
  readonly accountId: string;
  readonly projectId: string;
}

async function world(t: Test) {
  const folder = temporaryFolder(t);
  let now = Date.UTC(2026, 11, 1);
  const clock = () => now;
  const opened: Engine[] = [];
  const open = async (): Promise<Engine> => {
    const { engine } = await openWorld(folder, { clock });
    opened.push(engine);
    return engine;
  };
  t.teardown(() => opened.at(-1)?.close());
  const engine = await open();
  const make = async (account: string): Promise<Named> => {
    const accountId = await accountIn(engine, account);
    return { accountId, projectId: await done(engine, create(project(accountId))) };
  };
  const [one, two] = [await make('ann'), await make('ann')];
  return {
    ...{ engine, one, two, other: await make('bob') },
    async reopen(): Promise<Engine> {
      await opened.at(-1)?.close();
      return await open();
    },
    pass(ms: number): void {
      now += ms;
    },
  };
}

const name = (engine: Engine, { accountId, projectId }: Named, wanted: string, registry: NameRegistry = noRegistry) =>
  publishProject(engine, {
    ...{ ...publishing, accountId, projectId, json: () => ['{"name":"map"}'] },
    naming: { name: wanted, registry },
  });
const unpublish = (engine: Engine, named: Named) => unpublishProject(engine, { ...named, allows: () => true });
const leadsTo = ({ state }: Engine, wanted: string) => projectNamed(state, wanted)?.id;
const nameOf = ({ state }: Engine, { accountId, projectId }: Named) => state.names.ofProject(accountId, projectId);
const taken = { name: 'NameTakenError' };

t.test('a name leads to one map, and no other map can have it', async (t) => {
  const { engine, one, two, other } = await world(t);
  t.match(await name(engine, one, 'lindenhof'), { outcome: 'done' });
  t.equal(leadsTo(engine, 'lindenhof'), one.projectId);
  const { nextLsn } = engine.journal;
  for (const each of [two, other]) await t.rejects(name(engine, each, 'lindenhof'), taken);
  t.equal(engine.journal.nextLsn, nextLsn, 'nothing was written');
  t.equal(engine.state.publications.size, 1, 'nor published');
  await name(engine, one, 'lindenhof');
  t.equal(engine.journal.nextLsn, nextLsn, 'the same name again is no change');
  await name(engine, one, 'harbour');
  t.equal(engine.journal.nextLsn, nextLsn + 1, 'a change of the name is one record');
  t.strictSame([leadsTo(engine, 'lindenhof'), leadsTo(engine, 'harbour')], [undefined, one.projectId]);
  t.equal(engine.state.publicationsVersion, nextLsn, 'an answer that the old name leads nowhere waits for the record');
});

t.test('a name that was given up stays the account\u2019s for a year', async (t) => {
  for (const giveUp of [
    (engine: Engine, named: Named) => name(engine, named, ''),
    (engine: Engine, named: Named) => name(engine, named, 'another'),
    unpublish,
    (engine: Engine, { accountId, projectId }: Named) => done(engine, remove(project(accountId, projectId))),
  ]) {
    const { engine, one, two, other, pass } = await world(t);
    await name(engine, one, 'lindenhof');
    const { nextLsn } = engine.journal;
    await giveUp(engine, one);
    t.equal(engine.journal.nextLsn, nextLsn + 1, 'in the same record');
    t.strictSame([leadsTo(engine, 'lindenhof'), engine.state.publicationsVersion], [undefined, nextLsn]);
    const until = new Date(engine.writer.context().now + nameKeptMs).toISOString();
    t.match(engine.state.names.get('lindenhof'), { projectId: '', until });
    pass(nameKeptMs - 1);
    await t.rejects(name(engine, other, 'lindenhof'), taken);
    await name(engine, two, 'lindenhof');
    t.equal(leadsTo(engine, 'lindenhof'), two.projectId, 'another map of the account can have it');
    await unpublish(engine, two);
    pass(nameKeptMs);
    await name(engine, other, 'lindenhof');
    t.equal(leadsTo(engine, 'lindenhof'), other.projectId, 'then any account');
    t.notOk(engine.state.names.of(one.accountId).has('lindenhof'));
  }
});

t.test('names survive restarts and snapshots, and go with their account', async (t) => {
  const { engine, one, two, other, reopen } = await world(t);
  await name(engine, one, 'lindenhof');
  await name(engine, two, 'harbour');
  await name(engine, two, 'quay');
  await name(engine, other, 'station');
  const before = dump(engine.state);
  const again = await reopen();
  t.equal(dump(again.state), before, 'from the log');
  await again.snapshot();
  const third = await reopen();
  t.equal(dump(third.state), before, 'from a snapshot');
  t.strictSame([nameOf(third, one), nameOf(third, two), nameOf(third, other)], ['lindenhof', 'quay', 'station']);
  await done(third, update(project(other.accountId, other.projectId), { name: 'changed' }));
  await unpublish(third, two);
  await third.snapshot();
  const next = dump(third.state);
  const fourth = await reopen();
  t.equal(dump(fourth.state), next, 'from a snapshot that another one precedes');
  await deleteAccount(fourth, 'ann');
  t.strictSame(
    [...fourth.state.names.values()].map((each) => each.name),
    ['station'],
  );
  await name(fourth, other, 'lindenhof');
  t.equal(leadsTo(fourth, 'lindenhof'), other.projectId, 'names of a deleted account are free');
});

t.test('an account has a limited number of names, of which those that have expired do not count', async (t) => {
  const { engine, one, two, pass } = await world(t);
  const { accountId } = one;
  const until = new Date(engine.writer.context().now + 1000).toISOString();
  const given = Array.from({ length: namesMax - 1 }, (_, n): Change => {
    return { op: 'put-name', accountId, name: `name-${n}`, projectId: '', until };
  });
  t.ok(memoryGrowth(engine.state, given) > namesMax * 100, 'they take memory');
  engine.writer.commit(given);
  t.equal(memoryGrowth(engine.state, given), 0);
  await name(engine, one, 'lindenhof');
  await t.rejects(name(engine, two, 'harbour'), { name: 'TooManyNamesError' });
  await name(engine, two, 'name-7');
  t.equal(nameOf(engine, two), 'name-7', 'one of those that it has');
  pass(1000);
  const freed: string[] = [];
  await name(engine, two, 'harbour', { ...noRegistry, freeMapNames: async (names) => void freed.push(...names) });
  t.strictSame([...engine.state.names.of(accountId).keys()].sort(), ['harbour', 'lindenhof', 'name-7'], 'these were forgotten');
  t.equal(freed.length, namesMax - 2, 'also where they were reserved');
});

t.test('a name that another shard has is taken, and one whose place is taken meanwhile is not overwritten', async (t) => {
  const { engine, one, other } = await world(t);
  const elsewhere = { ...noRegistry, reserveMapName: async () => false };
  const { nextLsn } = engine.journal;
  await t.rejects(name(engine, one, 'lindenhof', elsewhere), taken);
  t.equal(engine.journal.nextLsn, nextLsn);
  const gate = new Deferred<void>();
  const slow = { ...noRegistry, reserveMapName: () => gate.promise.then(() => true) };
  const waiting = name(engine, one, 'lindenhof', slow);
  await name(engine, other, 'lindenhof');
  gate.resolve();
  await t.rejects(waiting, taken);
  t.equal(leadsTo(engine, 'lindenhof'), other.projectId);
});

t.test('an owner frees what is reserved and not used', async (t) => {
  const { engine, one, two, pass } = await world(t);
  await name(engine, one, 'lindenhof');
  await name(engine, two, 'harbour');
  await name(engine, two, '');
  const freed: string[] = [];
  const registry = {
    ...{ ...noRegistry, freeMapNames: async (names: readonly string[]) => void freed.push(...names) },
    reservedMapNames: async () => ['lindenhof', 'harbour', 'unwritten'],
  };
  await freeUnusedNames(engine, registry);
  t.strictSame(freed.splice(0), ['unwritten']);
  pass(nameKeptMs);
  await freeUnusedNames(engine, registry);
  t.strictSame(freed, ['harbour', 'unwritten']);
});

t.test('a name of a record is given up only by the account that has it', async (t) => {
  const { engine, one, other } = await world(t);
  await name(engine, other, 'lindenhof');
  const { accountId } = one;
  engine.writer.commit([{ op: 'put-name', accountId, name: 'lindenhof', projectId: '', until: '' }]);
  t.equal(leadsTo(engine, 'lindenhof'), other.projectId);
});
