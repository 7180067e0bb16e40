// tier: normal
/** Batches: names, conditions, limits and refusals. What a batch does is a part of the model (model.test.ts). */
import t from 'tap';
import { type Answer, type Ask, type Shown, startForRequests, startMapwright } from '../support/mapwright.ts';
import type { ResourceName } from './contract.ts';
import { makeWorld, type World } from './world.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly as?: string;
  readonly if_match?: string;
}

interface Result {
  readonly status: number;
  readonly body: Shown | null;
}

const send = (world: World, operations: unknown, ask?: Ask): Promise<Answer> =>
  world.mapwright.post(`/projects/${world.projectId}/batch`, { operations }, ask);

const resultsOf = (answer: Answer): Result[] => (answer.shown as unknown as { results: Result[] }).results;

/** The path of a collection as an operation names it. */
const below = (world: World, name: ResourceName): string => world.at(name).slice(`/projects/${world.projectId}`.length);

t.test('a batch whose results exceed their size limit gets 413 and changes nothing', async (t) => {
  const popups = Array.from({ length: 100 }, (_, i) => ({ title: `popup ${i} é` }));
  const operationsOf = (artboard: string): Operation[] => [
    { method: 'PATCH', path: '/', body: { name: 'changed' } },
    { method: 'POST', path: '/popups', body: { title: 'new' } },
    { method: 'PATCH', path: `/artboards/${artboard}`, body: { name: 'changed' } },
    { method: 'PATCH', path: `/artboards/${artboard}`, body: { name: 'again' } },
  ];
  const filled = async (batchResultsBytesMax?: number): Promise<[World, Operation[]]> => {
    const limits = batchResultsBytesMax === undefined ? {} : { limits: { batchResultsBytesMax } };
    const world = await makeWorld(await startMapwright(t, limits));
    const objects = Array.from({ length: 50 }, (_, i) => ({ type: 'spot', name: `spot ${i} é` }));
    await world.mapwright.patch(`/projects/${world.projectId}/artboards/${world.artboardId}`, { objects });
    await world.mapwright.patch(`/projects/${world.projectId}`, { popups });
    return [world, operationsOf(world.artboardId)];
  };
  const [free, operations] = await filled();
  const bytes = Buffer.byteLength((await send(free, operations)).text);

  const [exact, sameOperations] = await filled(bytes);
  t.equal(Buffer.byteLength((await send(exact, sameOperations)).text), bytes, 'as large as they may be');

  const [world, refused] = await filled(bytes - 1);
  const before = await world.bytes();
  const records = world.mapwright.lastRecord();
  for (const headers of [{}, { 'idempotency-key': 'k' }, { 'idempotency-key': 'k' }]) {
    const answer = await send(world, refused, { headers });
    t.match(answer, { status: 413, problem: { code: 'payload_too_large', index: 3 } });
    t.match(answer.problem.detail, new RegExp(`^Operation 3 of the batch: .* larger than ${bytes - 1} bytes`));
  }
  t.equal(await world.bytes(), before);
  t.equal(world.mapwright.lastRecord(), records, 'nothing was logged');
  t.equal((await send(world, refused.slice(0, 3))).status, 200);
});

t.test('the result of a project in a batch leaves out its members, so 1,000 changes of a large project fit', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const objects = Array.from({ length: 5000 }, () => ({ type: 'spot' }));
  await world.mapwright.patch(`/projects/${world.projectId}/artboards/${world.artboardId}`, { objects });
  const times = (path: string) =>
    Array.from({ length: 1000 }, (_, i) => ({ method: 'PATCH', path, body: { name: `name ${i}` } }));
  const changed = await send(world, times('/'));
  t.equal(changed.status, 200);
  t.ok(changed.text.length < 1_000_000, 'without what it holds');
  const before = await world.bytes();
  const refused = await send(world, times(`/artboards/${world.artboardId}`));
  t.match(refused, { status: 413, problem: { detail: /larger than 16777216 bytes/ } }, 'what an artboard holds counts');
  t.equal(await world.bytes(), before);
});

t.test('later operations of a batch refer to earlier results by their names in braces', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const results = resultsOf(
    await send(world, [
      { method: 'POST', path: '/artboards', body: { name: 'Floor' }, as: 'floor' },
      { method: 'POST', path: '/artboards/{floor}/objects', body: { type: 'spot', name: '{spot}' }, as: 'spot' },
      { method: 'POST', path: '/popups', body: { attachedTo: '{spot}', title: '{spot}' } },
      {
        method: 'PATCH',
        path: '/artboards/{floor}',
        body: { objects: [{ id: '{spot}' }, { type: 'poly', click_action_artboard_id: '{floor}' }] },
      },
      { method: 'DELETE', path: '/artboards/%7Bfloor%7D/objects/%7Bspot%7D' },
    ]),
  );
  const [floor, spot, popup, whole] = results.map(({ body }) => body as Shown);
  t.equal(popup?.['attachedTo'], spot?.id);
  t.equal(popup?.['title'], '{spot}', 'only where an identifier stands');
  t.equal(spot?.['name'], '{spot}');
  t.match(whole, { id: floor?.id, objects: [{ id: spot?.id }, { click_action_artboard_id: floor?.id }] });
  t.equal((await world.mapwright.get(`/projects/${world.projectId}/artboards/${floor?.id}/objects`)).list.length, 1);
});

t.test('a batch with one invalid operation changes nothing, and the error has the index of the operation', async (t) => {
  const world = await makeWorld(await startMapwright(t));
  const { mapwright } = world;
  const popup = await world.make('Popup');
  const etag = String((await mapwright.get(`${world.at('Popup')}/${popup.id}`)).headers.etag);
  await mapwright.patch(`${world.at('Popup')}/${popup.id}`, { name: 'newer' });
  const before = await world.bytes();
  const records = mapwright.lastRecord();
  const sound = { method: 'POST', path: '/popups', body: {} };
  const refusals: [operation: unknown, status: number, pointer?: string][] = [
    [{ method: 'PATCH', path: '/popups/none', body: {} }, 404],
    [{ method: 'DELETE', path: `/variables/${popup.id}` }, 404],
    [{ method: 'POST', path: '/artboards/none/objects', body: { type: 'spot' } }, 404],
    [{ method: 'PATCH', path: `/popups/${popup.id}`, body: { name: 'x' }, if_match: etag }, 412],
    [{ method: 'DELETE', path: `/popups/${popup.id}`, if_match: '"other"' }, 412],
    [{ method: 'POST', path: '/popups', body: { titel: '' } }, 400, '/body/titel'],
    [{ method: 'POST', path: '/popups', body: { id: 'x' } }, 400, '/body/id'],
    [{ method: 'PATCH', path: `/popups/${popup.id}`, body: { id: 'other' } }, 400, '/body/id'],
    [{ method: 'PATCH', path: '/', body: { popups: [{ id: 'x' }] } }, 400, '/body/popups/0/id'],
    [{ method: 'POST', path: '/artboards', body: { objects: [{ type: 'spot', x: 'far' }] } }, 400, '/body/objects/0/x'],
    [{ method: 'POST', path: '/popups', body: { attachedTo: '{nobody}' } }, 400, '/body/attachedTo'],
    [
      { method: 'PATCH', path: '/', body: { artboards: [{ objects: [{ type: 'spot', click_action_artboard_id: '{later}' }] }] } },
      400,
      '/body/artboards/0/objects/0/click_action_artboard_id',
    ],
    [{ method: 'DELETE', path: '/popups/{nobody}' }, 400, '/path'],
    [{ method: 'DELETE', path: '/popups' }, 400, '/method'],
    [{ method: 'POST', path: `/popups/${popup.id}`, body: {} }, 400, '/method'],
    [{ method: 'DELETE', path: '/' }, 400, '/method'],
    [{ method: 'POST', path: '/', body: {} }, 400, '/method'],
    [{ method: 'GET', path: '/popups' }, 400, '/method'],
    [{ method: 'POST', path: '/popups' }, 400, '/body'],
    [{ method: 'POST', path: '/popups', body: [] }, 400, '/body'],
    [{ method: 'POST', path: '/popups', body: null }, 400, '/body'],
    [{ method: 'DELETE', path: `/popups/${popup.id}`, body: {} }, 400, '/body'],
    [{ method: 'DELETE', path: `/popups/${popup.id}`, as: 'a' }, 400, '/as'],
    [{ ...sound, as: 'a b' }, 400, '/as'],
    [{ ...sound, as: 'first' }, 400, '/as'],
    [{ ...sound, as: 5 }, 400, '/as'],
    [{ ...sound, if_match: 'no tag' }, 400, '/if_match'],
    [{ ...sound, body: {}, boddy: {} }, 400, '/boddy'],
    ...[
      'popups',
      '/popups/',
      '//popups',
      '/popups?strict=true',
      '/popup',
      '/data_sources',
      '/batch',
      '/artboards/x/popups',
      '/popups/%ff',
      '/..',
      '/__proto__',
      5,
      null,
    ].map((path) => [{ method: 'POST', path, body: {} }, 400, '/path'] as [unknown, number, string]),
    [5, 400, ''],
    [null, 400, ''],
    [[], 400, ''],
  ];
  for (const [operation, status, pointer] of refusals) {
    const what = JSON.stringify(operation);
    const answer = await send(world, [{ ...sound, as: 'first' }, sound, operation, { ...sound, as: 'later' }]);
    t.equal(answer.status, status, what);
    t.equal((answer.json as { index: number }).index, 2, what);
    if (pointer === undefined) t.match(answer.problem.detail, /Operation 2/);
    else t.strictSame(answer.pointers, [`/operations/2${pointer}`], what);
    if ((await world.bytes()) !== before) t.fail(`${what} changed something`);
  }
  const many = await send(world, [{ ...sound, body: { titel: '' } }, 5, { ...sound, path: 'x' }, { ...sound, body: { id: '' } }]);
  t.strictSame(many.pointers, ['/operations/0/body/titel', '/operations/1', '/operations/2/path', '/operations/3/body/id']);
  t.equal((many.json as { index: number }).index, 0, 'all faults are listed, with the index of the first');
  t.match(many.problem.detail, /^\/operations\/0\/body\/titel /);
  for (const body of [
    {},
    { operations: {} },
    { operations: [], more: 1 },
    { operations: Array.from({ length: 1001 }, () => sound) },
  ])
    t.equal((await mapwright.post(`/projects/${world.projectId}/batch`, body)).status, 400);
  t.equal((await mapwright.post('/projects/none/batch', { operations: [] })).status, 404);
  t.equal((await send(world, [sound], { headers: { 'if-match': '"other"' } })).status, 412, 'the project is another version');
  t.equal(await world.bytes(), before);
  t.equal(mapwright.lastRecord(), records, 'not one record');
  t.strictSame(resultsOf(await send(world, [])), [], 'nothing to do is done');
  t.equal(
    resultsOf(
      await send(
        world,
        Array.from({ length: 1000 }, () => sound),
      ),
    ).length,
    1000,
  );
});

t.test('a precondition in a batch is checked against the version before the operation, so an own change fails it', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const popup = await world.make('Popup');
  const if_match = String((await world.mapwright.get(`${world.at('Popup')}/${popup.id}`)).headers.etag);
  const patch = { method: 'PATCH', path: `/popups/${popup.id}`, if_match };
  t.equal(
    (
      await send(world, [
        { ...patch, body: { name: 'a' } },
        { ...patch, body: { name: 'b' } },
      ])
    ).status,
    412,
  );
  t.equal(
    (
      await send(world, [
        { ...patch, body: {} },
        { ...patch, body: { name: 'b' } },
      ])
    ).status,
    200,
  );
  const whole = String((await world.project()).headers.etag);
  t.equal((await send(world, [{ method: 'POST', path: '/popups', body: {} }], { headers: { 'if-match': whole } })).status, 200);
  t.equal((await send(world, [{ method: 'POST', path: '/popups', body: {} }], { headers: { 'if-match': whole } })).status, 412);
});

t.test('a strict batch is refused for references that dangle after its last operation', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const { mapwright } = world;
  const spot = await world.make('Object');
  const popup = await world.make('Popup', { attachedTo: spot.id });
  const before = await world.bytes();
  const strictly = (operations: Operation[]) => mapwright.post(`/projects/${world.projectId}/batch?strict=true`, { operations });
  const objects = below(world, 'Object');
  const remove = { method: 'DELETE', path: `${objects}/${spot.id}` };
  const make = { method: 'POST', path: objects, body: { type: 'spot' }, as: 'new' };
  const attach = { method: 'PATCH', path: `/popups/${popup.id}`, body: { attachedTo: '{new}' } };
  const create = { method: 'POST', path: '/popups', body: { attachedTo: 'nothing' } };
  const refused: [operations: Operation[], pointer: string][] = [
    [[make, remove], '/operations/1'],
    [[make, create], '/operations/1/body/attachedTo'],
    [[make, attach, { method: 'DELETE', path: `${objects}/{new}` }], '/operations/1/body/attachedTo'],
    [[{ ...attach, body: { attachedTo: 'nothing' } }], '/operations/0/body/attachedTo'],
    [[make, attach, { method: 'DELETE', path: `/artboards/${world.artboardId}` }], '/operations/1/body/attachedTo'],
    [[make, { method: 'DELETE', path: `/artboards/${world.artboardId}` }], '/operations/1'],
    [[make, { method: 'PATCH', path: '/', body: { artboards: [] } }], '/operations/1/body/artboards'],
    [[make, { method: 'PATCH', path: '/', body: { popups: [{}, create.body] } }], '/operations/1/body/popups/1/attachedTo'],
    [
      [
        { ...create, as: 'made' },
        { ...attach, path: '/popups/{made}', body: { title: 'later' } },
      ],
      '/operations/0/body/attachedTo',
    ],
  ];
  for (const [operations, pointer] of refused) {
    const answer = await strictly(operations);
    t.strictSame([answer.status, answer.pointers], [400, [pointer]], JSON.stringify(operations));
    t.equal((answer.json as { index: number }).index, Number(pointer.split('/')[2]));
  }
  t.equal(await world.bytes(), before);
  t.equal((await strictly([remove, make, attach])).status, 200, 'in the end everything points at something');
  t.strictSame((await mapwright.get(`/projects/${world.projectId}/problems`)).json, []);
});

t.test('a concurrent reader sees either all changes of a batch or none', async (t) => {
  const world = await makeWorld(await startForRequests(t));
  const { mapwright } = world;
  const popups = await Promise.all(Array.from({ length: 20 }, () => world.make('Popup')));
  let over = false;
  const write = async (): Promise<void> => {
    for (let i = 1; i <= 30; i++) {
      const operations = popups.map(({ id }) => ({ method: 'PATCH', path: `/popups/${id}`, body: { name: `${i}` } }));
      t.equal((await send(world, operations)).status, 200);
    }
    over = true;
  };
  const read = async (): Promise<void> => {
    while (!over) {
      const names = new Set((await mapwright.get(world.at('Popup'))).list.map(({ name }) => name));
      if (names.size !== 1) t.fail(`a list shows a part of a batch: ${[...names]}`);
    }
  };
  await Promise.all([write(), read(), read()]);
});
