// tier: normal
/** Usage of an account: the running count equals the content, and the predicted growth equals the actual one. */

import t from 'tap';
import { limitAccount } from '../../src/engine/accounts.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { boundsOf, quotaGrowth, unbounded, usageOf } from '../../src/engine/write/quotas.ts';
import { projects as projectResource, versions as versionsResource } from '../../src/model/resources.ts';
import { pack } from '../../src/model/stored.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import { packMembers } from '../../src/store/rows/member-rows.ts';
import type { AccountState } from '../../src/store/state.ts';
import { accountIn, create, done, member, openWorld, project, remove, update } from '../support/engine.ts';
import fc from '../support/fast-check.ts';
import { temporaryFolder } from '../support/process.ts';
import { sized } from '../support/tier.ts';

const accountOf = (engine: Engine) => engine.state.accountNamed('ann') as AccountState;
const bounds = { ...unbounded, bytes: 1e9 };

/** Counted one by one, from the values: nothing that the program keeps of it is believed. */
function heldBy(account: AccountState): { members: number; versions: number; bytes: number } {
  let members = 0;
  let versions = 0;
  let bytes = 0;
  for (const held of account.projects.values()) {
    bytes += pack(projectResource.toRow(held.value)).byteLength;
    for (const { collection } of held.collections())
      for (const one of collection.capture()) {
        members++;
        if (collection.resource === versionsResource) versions++;
        bytes += packMembers(collection.resource, [one]).byteLength - 1;
      }
  }
  return { members, versions, bytes };
}

interface Step {
  readonly kind: 'project' | 'nested' | 'create' | 'update' | 'whole' | 'objects' | 'delete' | 'drop' | 'head';
  readonly at: number;
  readonly text: string;
  readonly order: readonly number[];
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('project', 'nested', 'create', 'create', 'update', 'whole', 'whole', 'objects', 'delete', 'drop', 'head'),
  at: fc.nat(),
  text: fc.string({ unit: 'binary', maxLength: 40 }),
  order: fc.array(fc.nat(6), { maxLength: 5 }),
});

/** Asks for one change of what there is; what cannot be is refused. */
async function perform(engine: Engine, { kind, at, text, order }: Step): Promise<void> {
  const account = accountOf(engine);
  const projects = [...account.projects.values()];
  const chosen = projects[at % Math.max(projects.length, 1)];
  const collection = at % 2 === 0 ? 'popups' : 'artboards';
  const ids = Array.from(chosen?.collection(collection, '')?.capture() ?? [], ({ value }) => value.id);
  const [projectId, id] = [chosen?.id ?? '', ids[at % Math.max(ids.length, 1)] ?? ''];
  const named = collection === 'popups' ? { title: text } : { name: text };
  const elements = [...new Set(order)].map((n) => (ids[n] === undefined ? named : { ...named, id: ids[n] }));
  const target = member(account.id, projectId, collection, id);
  const board = { name: text, objects: order.map((x) => ({ type: 'spot', name: text, x })) };
  const commands = {
    project: create(project(account.id), { name: text }),
    nested: create(project(account.id), { name: text, artboards: [board, board], popups: [{ title: text }] }),
    create: create(member(account.id, projectId, collection), named),
    update: update(target, named),
    whole: update(project(account.id, projectId), { [collection]: elements }),
    objects: update(member(account.id, projectId, 'artboards', id), { objects: board.objects }),
    delete: remove(target),
    drop: remove(project(account.id, projectId)),
    head: update(project(account.id, projectId), { name: text }),
  };
  await engine.writer.execute(commands[kind], () => undefined);
}

t.test('usage counted per record equals a full count, also after a restart and a snapshot', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.nat(20), async (steps, from) => {
      const folder = temporaryFolder(t);
      const { engine } = await openWorld(folder);
      await accountIn(engine);
      const { writer } = engine;
      const commit = writer.commit.bind(writer);
      writer.commit = (changes: readonly Change[]) => {
        const account = accountOf(engine);
        if (account.usage === undefined) return commit(changes);
        const before = { ...usageOf(account, true), projects: account.projects.size };
        const growth = quotaGrowth(account, changes, engine.state.lsn + 1, bounds);
        const lsn = commit(changes);
        const after = { ...usageOf(account, true), projects: account.projects.size };
        const predicted = [growth.projects, growth.members, growth.bytes];
        const came = [after.projects - before.projects, after.members - before.members, (after.bytes ?? 0) - (before.bytes ?? 0)];
        if (changes.some(({ op }) => op === 'delete-project')) predicted.splice(1, 2, came[1] as number, came[2] as number);
        // Another order is no growth, whatever the places of members take.
        if (changes.some(({ op }) => op === 'order')) predicted[2] = came[2] as number;
        if (predicted.join() !== came.join()) throw new Error(`predicted ${predicted}, came ${came}: ${JSON.stringify(changes)}`);
        return lsn;
      };
      for (const [i, item] of steps.entries()) {
        if (i === from) usageOf(accountOf(engine), true);
        await perform(engine, item);
      }
      const expected = heldBy(accountOf(engine));
      const found = [{ ...usageOf(accountOf(engine), true) }];
      await engine.snapshot();
      await engine.close();
      for (let i = 0; i < 2; i++) {
        const again = await openWorld(folder);
        found.push({ ...usageOf(accountOf(again.engine), true) });
        await done(again.engine, create(project(accountOf(again.engine).id), {}));
        await done(
          again.engine,
          remove(project(accountOf(again.engine).id, [...accountOf(again.engine).projects.keys()].at(-1) ?? '')),
        );
        found.push({ ...usageOf(accountOf(again.engine), true) });
        await again.engine.snapshot();
        await again.engine.close();
      }
      for (const one of found)
        if (JSON.stringify(one) !== JSON.stringify(expected))
          throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
    }),
    { numRuns: sized({ sample: 1, all: 3 }) },
  );
  t.pass();
});

t.test('usage of a snapshot is counted without decoding members, and not counted without a quota', async (t) => {
  const folder = temporaryFolder(t);
  const { engine } = await openWorld(folder);
  const account = await accountIn(engine);
  const popups = Array.from({ length: 600 }, (_, i) => ({ title: `popup ${i}` }));
  const id = await done(engine, create(project(account), { popups }));
  t.equal(accountOf(engine).usage, undefined);
  await engine.snapshot();
  await engine.close();
  const { engine: again } = await openWorld(folder);
  const leaves = accountOf(again).projects.get(id)?.collection('popups', '')?.leaves ?? [];
  t.ok(leaves.length > 1);
  const { members, bytes } = usageOf(accountOf(again), true);
  t.strictSame([members, leaves.some(({ decoded }) => decoded)], [600, false]);
  t.strictSame({ members, versions: 0, bytes }, heldBy(accountOf(again)));
  await limitAccount(again, 'ann', { members: 601 });
  t.equal(accountOf(again).usage?.members ?? 600, 600);
  await done(again, create(member(account, id, 'popups'), {}));
  await t.rejects(
    again.writer.execute(create(member(account, id, 'popups'), {}), () => undefined),
    {
      name: 'QuotaError',
      quota: 'members',
      limit: 601,
      used: 601,
      growth: 1,
    },
  );
  await limitAccount(again, 'ann', { members: 'none' });
  await done(again, create(member(account, id, 'popups'), {}));
  t.equal(accountOf(again).usage, undefined, 'nor after it was lifted');
  await again.close();
});

t.test('quotas of an account override those of the server options', (t) => {
  const options = { projects: 3, members: 30, bytes: 300, versions: 40 };
  const set = { rate: 'default', projects: 'none', members: 5, bytes: 'default', versions: 'default' } as const;
  t.strictSame(boundsOf(set, options), { projects: Number.POSITIVE_INFINITY, members: 5, bytes: 300, versions: 40 });
  t.strictSame(boundsOf(undefined, options), options);
  t.end();
});
