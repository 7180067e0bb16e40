/** The search for dangling references: in slices, on one version, within the memory budget, and only of durable changes. */
import t from 'tap';
import type { Engine } from '../../src/engine/engine.ts';
import { type Dangling, danglingIn, findDangling } from '../../src/engine/write/integrity/dangling-references.ts';
import { newlyDangling } from '../../src/engine/write/integrity/integrity.ts';
import { sliceElements } from '../../src/model/bodies/check-body.ts';
import type { CollectionName } from '../../src/model/resource.ts';
import { viewProject } from '../../src/store/list/views.ts';
import type { Change } from '../../src/store/operations/operations.ts';
import type { StoredProject } from '../../src/store/stored-project.ts';
import { accountIn, create, done, member, openWorld, project, projectIn, remove, update } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';
import { type Held, held, isPending } from './held-journal.ts';

const nowhere = '01890000-0000-7000-8000-000000000000';
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

type Settled = Pick<Held, 'engine' | 'accountId'> & { readonly journal: Pick<Held['journal'], 'settle'> };

/** A project of which a search has some work to do: every object and popup refers to something. */
async function largeProject({ engine, journal, accountId }: Settled, objects: number): Promise<StoredProject> {
  const id = await journal.settle(done(engine, create(project(accountId), { artboards: [{}, {}] })));
  const made = projectIn(engine, accountId, id);
  const [shown, large] = idsIn(made, 'artboards') as [string, string];
  const spot = { type: 'spot', click_action_artboard_id: shown };
  await journal.settle(done(engine, update(member(accountId, id, 'artboards', large), { objects: many(objects, spot) })));
  const object = idsIn(made, 'objects', large).at(-1);
  await journal.settle(done(engine, update(project(accountId, id), { popups: many(1000, { attachedTo: object }) })));
  return made;
}

const idsIn = (made: StoredProject, name: CollectionName, parentId = ''): string[] =>
  Array.from(made.collection(name, parentId)?.capture() ?? [], ({ value }) => value.id);

/** Runs a search to its end, and what else there is to do in its pauses. */
function searched<T>(search: Generator<void, T>, meanwhile: (pause: number) => void = () => {}): { found: T; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = search.next();
    if (step.done === true) return { found: step.value, pauses };
    meanwhile(pauses);
  }
}

/** A search as a request makes it. */
const dangling = async (engine: Engine, accountId: string, projectId: string, limit: number) =>
  engine.reader.search(accountId, (state) => findDangling(state, accountId, projectId, limit));

const pointersOf = (found: readonly Dangling[]): string[] => found.map(({ pointer }) => pointer);

t.test('a search for dangling references in a large project yields after each slice', async (t) => {
  const world = await held();
  const made = await largeProject(world, 20_000);
  const { found, pauses } = searched(danglingIn(viewProject(made, undefined), 1000));
  t.strictSame(found, []);
  t.ok(pauses >= 20_000 / sliceElements, `${pauses} pauses`);

  const [, large] = idsIn(made, 'artboards') as [string, string];
  const path = { accountId: world.accountId, projectId: made.id, collection: 'artboards', parentId: '' } as const;
  const objects = { ...path, collection: 'objects', parentId: large } as const;
  const deletions: Change[] = [
    { op: 'delete', path, ids: idsIn(made, 'artboards').slice(0, 1) },
    { op: 'delete', path: objects, ids: idsIn(made, 'objects', large) },
  ];
  for (const [change, left] of [
    [deletions[0] as Change, 100],
    [deletions[1] as Change, 100],
    [{ op: 'delete', path, ids: [large] }, 100],
    [{ op: 'delete', path, ids: idsIn(made, 'artboards') }, 100],
  ] as const) {
    t.equal(searched(newlyDangling(made, [change])).found.length, left);
  }
  const gone = searched(
    newlyDangling(made, [...deletions, { op: 'delete', path: { ...path, collection: 'popups' }, ids: idsIn(made, 'popups') }]),
  );
  t.strictSame(gone.found, [], 'what refers goes as well');
  t.ok(gone.pauses >= 20_000 / sliceElements, `${gone.pauses} pauses`);
});

t.test('a search in long texts yields after a few thousand characters', async (t) => {
  const { engine, journal, accountId } = await held();
  const content = '<a href="/f/x">picture</a> '.repeat(20);
  const id = await journal.settle(done(engine, create(project(accountId), { popups: many(200, { content }) })));
  const made = projectIn(engine, accountId, id);
  const { pauses } = searched(danglingIn(viewProject(made, undefined), 1000));
  t.ok(pauses >= (200 * content.length) / 4000, `${pauses} pauses`);
});

t.test('a search for dangling references shows one version although writes happen meanwhile', async (t) => {
  const world = await held();
  const { engine, journal, accountId } = world;
  const made = await largeProject(world, 2000);
  const [shown] = idsIn(made, 'artboards') as [string];
  const view = viewProject(made, undefined);
  let writes = Promise.resolve('');
  const { found, pauses } = searched(danglingIn(view, 1000), (pause) => {
    if (pause === 1) writes = done(engine, update(project(accountId, made.id), { popups: many(10, { attachedTo: nowhere }) }));
    if (pause === 2) writes = done(engine, remove(member(accountId, made.id, 'artboards', shown)));
  });
  await journal.settle(writes);
  t.ok(pauses > 4);
  t.strictSame(found, [], 'as it was');
  const after = searched(danglingIn(viewProject(made, undefined), 1000)).found;
  t.strictSame(
    pointersOf(after).slice(0, 2),
    [0, 1].map((i) => `/artboards/0/objects/${i}/click_action_artboard_id`),
  );
  t.equal(searched(danglingIn(viewProject(made, undefined), 3000)).found.length, 2010, 'contract');
});

t.test('other requests are answered while a search for dangling references runs', async (t) => {
  const world = await held();
  const { engine, journal, accountId } = world;
  const [one, other] = [await largeProject(world, 20_000), await largeProject(world, 300)];
  const order: string[] = [];
  const { now } = performance;
  t.teardown(() => {
    performance.now = now;
  });
  // Each look at the clock finds that the slice is over.
  let passed = 0;
  performance.now = () => {
    passed += 10;
    return now.call(performance) + passed;
  };
  const search = dangling(engine, accountId, one.id, 1000).then(() => order.push('the search'));
  const same = dangling(engine, accountId, other.id, 1000).then(() => order.push('another search'));
  const write = done(engine, update(project(accountId, one.id), { name: 'written' })).then(() =>
    order.push('a write to that project'),
  );
  await journal.settle(write);
  await Promise.all([search, same]);
  t.strictSame(
    order,
    ['a write to that project', 'the search', 'another search'],
    'and searches of an account come one after the other',
  );
});

t.test('a search reads packed members, and leaves them packed if the cache for decoded members is full', async (t) => {
  for (const decodedBytes of [Number.MAX_SAFE_INTEGER, 1]) {
    const { engine } = await openWorld(temporaryFolder(t), { decodedCacheBytes: decodedBytes });
    t.teardown(() => engine.close());
    const accountId = await accountIn(engine);
    const made = await largeProject({ engine, accountId, journal: { settle: (answer) => answer } }, 1000);
    await done(engine, remove(member(accountId, made.id, 'artboards', idsIn(made, 'artboards')[0])));
    const wanted = pointersOf(searched(danglingIn(viewProject(made, undefined), 1000)).found);
    t.equal(wanted.length, 1000);
    const leaves = [...made.collections()].flatMap(({ collection }) => collection.leaves);
    for (const leaf of leaves) leaf.pack();
    t.strictSame(pointersOf(searched(danglingIn(viewProject(made, undefined), 1000)).found), wanted);
    const stay = leaves.filter((leaf) => leaf.decoded).length;
    t.equal(stay, decodedBytes === 1 ? 0 : leaves.length);
  }
});

t.test('responses about references wait until the changes that they show are durable', async (t) => {
  const { engine, journal, accountId } = await held();
  const id = await journal.settle(
    done(engine, create(project(accountId), { popups: [{}], artboards: [{ objects: [{ type: 'spot' }] }] })),
  );
  const made = projectIn(engine, accountId, id);
  const [artboard] = idsIn(made, 'artboards') as [string];
  const [object] = idsIn(made, 'objects', artboard) as [string];
  const attached = { attachedTo: object };

  const deletion = done(engine, remove(member(accountId, id, 'objects', object, artboard)));
  const strict = (command: ReturnType<typeof create>) =>
    engine.writer.execute({ ...command, strict: { publicUrl: '' } }, () => 'made');
  const refused = strict(create(member(accountId, id, 'popups'), attached));
  const listed = dangling(engine, accountId, id, 10);
  t.ok(await isPending(Promise.race([refused, listed])), 'a refusal and a list wait for the deletion that they show');
  t.match(await journal.settle(refused), { outcome: 'invalid', fieldErrors: [{ pointer: '/attachedTo' }] });
  t.strictSame((await listed).value, []);
  await deletion;

  const gone = done(engine, remove(project(accountId, id)));
  const missing = dangling(engine, accountId, id, 10);
  t.ok(await isPending(missing), 'and so does a missing project');
  t.equal((await journal.settle(missing)).value, undefined);
  await gone;
});
