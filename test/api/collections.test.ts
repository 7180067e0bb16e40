// tier: normal
/** Whole collections through their parent: an array replaces the collection in one record, or changes nothing. */
import t from 'tap';
import { type Answer, type Shown, startMapwright } from '../support/mapwright.ts';
import { contract, leastBody, type ResourceName } from './contract.ts';
import { makeWorld, memberNames, type World } from './world.ts';

// Without versions, which are records of their own.
const mapwright = await startMapwright(t);

/** Where each kind stands in its parent's body. */
const memberIn = (name: ResourceName) => {
  const parent = name === 'Object' ? contract.Artboard : contract.Project;
  return Object.keys(parent).find((member) => parent[member]?.of === name) as string;
};

/** The parent's path below the version prefix. */
const parentOf = (world: World, name: ResourceName) =>
  name === 'Object' ? `/projects/${world.projectId}/artboards/${world.artboardId}` : `/projects/${world.projectId}`;

const idsOf = (list: unknown): string[] => (list as Shown[]).map(({ id }) => id);
const namesOf = (list: unknown): unknown[] => (list as Shown[]).map(({ name }) => name);

/** Records that were logged meanwhile. */
async function recordsOf(work: () => Promise<unknown>): Promise<number> {
  const before = mapwright.lastRecord();
  await work();
  return mapwright.lastRecord() - before;
}

for (const name of memberNames) {
  t.test(`${name}: a PATCH of a whole collection creates, changes, reorders and deletes its members in one record`, async (t) => {
    const world = await makeWorld(mapwright);
    const member = memberIn(name);
    const parent = parentOf(world, name);
    const least = leastBody(name);
    const send = async (list: unknown): Promise<Answer> => mapwright.patch(parent, { [member]: list });
    const listed = async () => (await mapwright.get(world.at(name))).list;

    let shown: Shown[] = [];
    const set = async (list: unknown) => {
      const answer = (await send(list)).shown;
      shown = answer[member] as Shown[];
      t.strictSame(await listed(), shown, 'the list shows what was answered');
      t.strictSame((await mapwright.get(parent)).shown, answer, 'and so does the parent');
    };

    const records = await recordsOf(() => set(['a', 'b', 'c'].map((each) => ({ ...least, name: each }))));
    t.equal(records, 1, 'one request, one record');
    t.strictSame(namesOf(shown), ['a', 'b', 'c'], 'created in their order');
    const [a, b, c] = shown as [Shown, Shown, Shown];
    t.strictSame([...idsOf(shown)].sort(), idsOf(shown), 'identifiers ascend');
    t.strictSame({ ...b, id: '' }, { ...(await world.make(name, { name: 'b' })), id: '' }, 'defaults as in a create of one');

    await set([{ id: c.id }, { ...least, name: 'new' }, { id: a.id, name: 'A' }]);
    t.strictSame(namesOf(shown), ['c', 'new', 'A'], 'order, creation, partial update and deletion in one');
    t.strictSame(shown[0], c, 'an element of an identifier alone is kept as it is');
    t.strictSame(shown[2], { ...a, name: 'A' }, 'only what was sent changes');
    t.notOk(idsOf([a, b, c]).includes((shown[1] as Shown).id));
    t.equal((await mapwright.get(`${world.at(name)}/${b.id}`)).status, 404, 'what was left out is gone');

    await set([...shown].reverse());
    t.strictSame(namesOf(shown), ['A', 'new', 'c'], 'order alone, everything else written back');
    const another = await world.make(name, { name: 'later' });
    t.strictSame(namesOf(await listed()), ['A', 'new', 'c', 'later'], 'a new one comes last');
    shown = await listed();

    t.equal(await recordsOf(() => send(shown)), 0, 'the same once more is no change and no record');
    t.equal(
      await recordsOf(async () => mapwright.patch(parent, (await mapwright.get(parent)).shown)),
      0,
      'nor is the whole parent',
    );

    const before = await world.bytes();
    const refuse = async (list: unknown, pointer: string, what: string) => {
      const records = await recordsOf(async () => {
        const answer = await send(list);
        t.strictSame([answer.status, answer.pointers], [400, [`/${member}${pointer}`]], what);
      });
      t.equal(records, 0);
      t.equal(await world.bytes(), before, 'and nothing changed');
    };
    await refuse([{ id: b.id }], '/0/id', 'a deleted identifier');
    await refuse([{ id: 'x' }, ...shown], '/0/id', 'an unknown identifier');
    for (const id of ['', null, 5, {}, world.projectId]) await refuse([...shown, { id }], '/4/id', `no identifier: ${id}`);
    await refuse([...shown, { id: a.id }], '/4/id', 'the same identifier twice');
    await refuse(
      [
        { ...least, name: 'first' },
        { id: a.id, name: 'x' },
        { ...least, name: 5 },
      ],
      '/2/name',
      'a fault in the last',
    );
    await refuse([{ id: a.id, name: 5 }], '/0/name', 'a fault in one that is known');
    const elsewhere = await makeWorld(mapwright);
    await refuse([{ id: (await elsewhere.make(name)).id }], '/0/id', 'an identifier of another parent');

    if (name === 'Object') await refuse([{ name: 'no type' }], '/0/type', 'a new element needs what a create needs');
    const created = await mapwright.post(
      '/projects',
      name === 'Object' ? { artboards: [{ objects: [another] }] } : { [member]: [another] },
    );
    const at = name === 'Object' ? '/artboards/0/objects/0/id' : `/${member}/0/id`;
    t.strictSame([created.status, created.pointers], [400, [at]], 'no identifier on create');

    await set([]);
    t.strictSame(shown, [], 'an empty array empties it');
    t.equal((await mapwright.get(`${world.at(name)}/${another.id}`)).status, 404);
  });
}

t.test('one PATCH of a project changes its artboards and their objects', async (t) => {
  const world = await makeWorld(mapwright);
  const at = `/projects/${world.projectId}`;
  const spot = (name: string) => ({ type: 'spot', name });
  const first = (
    await mapwright.patch(at, {
      artboards: [
        { name: '1', objects: [spot('a'), spot('b')] },
        { name: '2', objects: [spot('c')] },
      ],
    })
  ).shown;
  const [one, two] = first['artboards'] as [Shown, Shown];
  const [a, b] = one['objects'] as [Shown, Shown];
  const [c] = two['objects'] as [Shown];

  let second = first;
  const records = await recordsOf(async () => {
    const artboards = [
      { name: '0', objects: [spot('n')] },
      { id: two.id, objects: [spot('m'), { id: c.id, x: 7 }] },
      { id: one.id, width: 5 },
    ];
    second = (await mapwright.patch(at, { name: 'p', artboards })).shown;
  });
  t.equal(records, 1, 'one record');
  const [zero, ...rest] = second['artboards'] as [Shown, Shown, Shown];
  t.match(zero, { name: '0', objects: [{ name: 'n', type: 'spot' }] });
  t.strictSame(rest[1], { ...one, width: 5 }, 'objects that are not sent stay');
  t.strictSame(namesOf(rest[0]['objects']), ['m', 'c']);
  t.strictSame((rest[0]['objects'] as Shown[])[1], { ...c, x: 7 });
  t.strictSame((await world.project()).shown, second);

  const before = await world.bytes();
  const faults: [unknown, string][] = [
    [[{ id: one.id, objects: [{ id: c.id }] }], '/artboards/0/objects/0/id'],
    [[{ id: one.id, objects: [{ id: a.id }, { id: b.id }, { id: a.id }] }], '/artboards/0/objects/2/id'],
    [[{ objects: [{ id: a.id, type: 'spot' }] }], '/artboards/0/objects/0/id'],
    [[{ id: one.id }, { id: two.id, objects: [spot('ok'), { x: 1 }] }], '/artboards/1/objects/1/type'],
    [[{ id: one.id, objects: 5 }], '/artboards/0/objects'],
    [[{ id: a.id }], '/artboards/0/id'],
  ];
  for (const [artboards, pointer] of faults) {
    const answer = await mapwright.patch(at, { name: 'not this', popups: [{}], artboards });
    t.strictSame([answer.status, answer.pointers], [400, [pointer]], pointer);
  }
  t.equal(await world.bytes(), before);
});

t.test('each request that changes something writes exactly one record', async (t) => {
  const body = {
    artboards: [{ objects: [{ type: 'spot' }, { type: 'poly' }] }, {}],
    popups: [{}, {}],
    data_sources: [{}],
    variables: [{}],
    actions: [{}],
  };
  let id = '';
  const created = await recordsOf(async () => {
    ({ id } = (await mapwright.post('/projects', body)).shown);
  });
  t.equal(created, 1, 'create');
  t.equal(await recordsOf(() => mapwright.patch(`/projects/${id}`, {})), 0, 'a PATCH of nothing');
  t.equal(
    await recordsOf(() => mapwright.patch(`/projects/${id}`, { name: 'Untitled Project', settings: {} })),
    0,
    'or of what is so already',
  );
  t.equal(await recordsOf(() => mapwright.get(`/projects/${id}`)), 0, 'a GET');
  t.equal(await recordsOf(() => mapwright.patch(`/projects/${id}`, { name: 5 })), 0, 'a refusal');
  t.equal(await recordsOf(() => mapwright.delete(`/projects/${id}`)), 1, 'a delete of everything');
  t.equal(await recordsOf(() => mapwright.delete(`/projects/${id}`)), 0, 'a delete of nothing');
});
