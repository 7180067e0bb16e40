/** Invariant 4: a replay of the records gives the state in memory, at every LSN. */

import t from 'tap';
import type { CollectionName } from '../../src/model/resource.ts';
import { create, dump, member, project, remove, update } from '../support/engine.ts';
import fc from '../support/fast-check.ts';
import { seed, sized } from '../support/tier.ts';
import { type Held, held } from './held-journal.ts';

interface Step {
  readonly kind: 'create' | 'update' | 'delete' | 'whole' | 'project' | 'drop' | 'nested';
  readonly collection: CollectionName;
  /** Picks among what there is. */
  readonly at: number;
  readonly order: readonly number[];
}

const names = ['popups', 'variables', 'actions', 'data_sources', 'artboards'] as const;
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'create', 'update', 'delete', 'whole', 'whole', 'nested', 'project', 'drop'),
  collection: fc.constantFrom(...names),
  at: fc.nat(),
  order: fc.array(fc.nat(9), { maxLength: 6 }),
});

t.test(`invariant 4: a replay of the log gives the state in memory (seed ${seed})`, async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = await held();
      for (const item of steps) await perform(world, item);
      const { journal, engine } = world;
      if (dump(journal.replayed()) !== dump(engine.state)) throw new Error('the replay differs from memory');
    }),
    { seed, numRuns: sized({ sample: 40, all: 150 }) },
  );
  t.pass('all were the same');
});

/** Asks for one change of what there is; impossible ones are refused, which must leave no trace either. */
async function perform({ engine, journal, accountId }: Held, { kind, collection, at, order }: Step): Promise<void> {
  const projects = [...(engine.state.accounts.get(accountId)?.projects.keys() ?? [])];
  const projectId = projects[at % Math.max(projects.length, 1)] ?? '';
  const present = engine.state.accounts.get(accountId)?.projects.get(projectId);
  const ids = Array.from(present?.collection(collection, '')?.capture() ?? [], ({ value }) => value.id);
  const id = ids[at % Math.max(ids.length, 1)] ?? '';
  /** Some of the present ones in a new order, once each, and new ones where there are none. */
  const chosen = [...new Set(order)].map((n) =>
    ids[n] === undefined ? { name: `new ${n}` } : { id: ids[n], name: `${at % 3}` },
  );
  const objects = order.map((n) => ({ type: n % 2 === 0 ? 'spot' : 'poly', radius: n }));
  const artboard = [...(present?.collection('artboards', '')?.capture() ?? [])].at(0)?.value.id ?? '';
  const command = {
    create: () => create(member(accountId, projectId, collection), { name: `${at % 3}` }),
    update: () => update(member(accountId, projectId, collection, id), { name: `${at % 3}` }),
    delete: () => remove(member(accountId, projectId, collection, id)),
    whole: () => update(project(accountId, projectId), { [collection]: chosen }),
    nested: () => update(member(accountId, projectId, 'artboards', artboard), { objects }),
    project: () => create(project(accountId), { name: `${at}`, [collection]: [{}, {}], artboards: [{ objects }] }),
    drop: () => remove(project(accountId, at % 4 === 0 ? projectId : 'none')),
  }[kind]();
  await journal.settle(engine.writer.execute(command, () => undefined));
}
