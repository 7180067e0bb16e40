// tier: normal
/** Dangling references: `/problems` lists them and strict writes refuse them, compared with a naive search of the JSON. */
import t from 'tap';
import { type Answer, type Mapwright, type Shown, startMapwright } from '../support/mapwright.ts';
import { Chance } from '../support/random.ts';
import { seed, sized } from '../support/tier.ts';
import { leastBody, type ResourceName } from './contract.ts';
import type { Doc } from './model-resources.ts';
import { danglingIn, kindOf, references, resolve } from './naive-references.ts';
import { makeWorld, memberNames, type World } from './world.ts';

// Segments large enough that no write has to wait for the next one.
const mapwright = await startMapwright(t, { segmentBytes: 16 * 1024 * 1024 });
const nowhere = '01890000-0000-7000-8000-000000000000';

/** A dangling reference as it is answered. */
interface Problem {
  readonly pointer: string;
  readonly member: string;
  readonly resource: { readonly kind: string; readonly id: string; readonly path: string };
  readonly refers_to: { readonly kind: string; readonly id: string };
  readonly detail: string;
}

const problemsOf = async (projectId: string, query = ''): Promise<Problem[]> =>
  (await mapwright.get(`/projects/${projectId}/problems${query}`)).shown as unknown as Problem[];

const pointersOf = async (projectId: string): Promise<string[]> => (await problemsOf(projectId)).map(({ pointer }) => pointer);

/** A world with one of everything; the identifiers by kind. */
async function seeded(): Promise<{ world: World; ids: Record<ResourceName, string> }> {
  const world = await makeWorld(mapwright);
  const ids = { Project: world.projectId } as Record<ResourceName, string>;
  for (const name of memberNames) ids[name] = (await world.make(name)).id;
  return { world, ids };
}

/** The problems that the server lists, which must be those in the JSON. */
async function compare(mapwright: Mapwright, projectId: string): Promise<void> {
  const { shown } = await mapwright.get(`/projects/${projectId}`);
  const listed = (await mapwright.get(`/projects/${projectId}/problems`)).shown as unknown as Problem[];
  const wanted = danglingIn(shown as Doc).map(({ pointer, name, id, member, names, value }) => {
    return { pointer, kind: kindOf(name), id, member, names: kindOf(names), value };
  });
  const found = listed.map(({ pointer, member, resource: { kind, id }, refers_to }) => {
    return { pointer, kind, id, member, names: refers_to.kind, value: refers_to.id };
  });
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`);
}

t.test('the resources declare 14 references', async (t) => {
  t.equal(references.length, 14);
});

for (const { name, member, names, list } of references) {
  const said = (id: string) => (list ? [id] : id);
  t.test(`${name}.${member}: /problems and strict writes check the reference to ${names}`, async (t) => {
    const { world, ids } = await seeded();
    const { projectId } = world;
    // Another one than itself: a variable may name one.
    const target = (await world.make(names)).id;
    const holder = await world.make(name, { [member]: said(target) });
    const address = `${world.at(name)}/${holder.id}`;
    const targetAt = `${world.at(names)}/${target}`;
    const { text: before } = await world.project();
    t.strictSame(await problemsOf(projectId), [], 'what is there is no problem');

    const refused = await mapwright.delete(`${targetAt}?strict=true`);
    t.match(refused, { status: 409, problem: { code: 'conflict' } }, 'it cannot be deleted strictly');
    t.equal(refused.problem.errors?.length, 1);
    t.equal(resolve(JSON.parse(before), refused.pointers[0] as string), target, 'the refusal points to what refers to it');
    t.match(refused.problem.errors?.[0]?.detail, target);

    for (const id of [nowhere, ids.Project, ids[names === 'Object' ? 'Artboard' : 'Object'], target.toUpperCase(), 'x']) {
      const strict = [
        await mapwright.post(`${world.at(name)}?strict=true`, { ...leastBody(name), [member]: said(id) }),
        await mapwright.patch(`${address}?strict=true`, { [member]: said(id) }),
      ];
      for (const answer of strict)
        t.strictSame([answer.status, answer.pointers], [400, [list ? `/${member}/0` : `/${member}`]], `to ${id}`);
    }
    t.equal((await world.project()).text, before, 'nothing was changed');

    for (const write of [
      () => mapwright.post(`${world.at(name)}?strict=true`, { ...leastBody(name), [member]: said(target) }),
      () => mapwright.patch(`${address}?strict=true`, { [member]: said('') }),
      () => mapwright.patch(`${address}?strict=true`, { [member]: said(target), name: 'named' }),
    ]) {
      t.equal((await write()).status, 200, 'to what is there, or to nothing');
    }

    t.equal((await mapwright.delete(targetAt)).status, 204, 'without a word about it, it goes');
    const listed = await problemsOf(projectId);
    t.equal(listed.length, 2);
    const document = (await world.project()).json;
    for (const { pointer, resource, refers_to, ...rest } of listed) {
      t.equal(resolve(document, pointer), target, 'the pointer resolves');
      t.equal(resolve(document, pointer.replace(list ? /\/\w+\/0$/ : /\/\w+$/, '/id')), resource.id);
      const answer = await mapwright.ask('GET', resource.path);
      t.strictSame(answer.shown[member], said(target), 'the address as well');
      t.match({ resource, refers_to, ...rest }, { member, resource: { kind: kindOf(name) } });
      t.strictSame(refers_to, { kind: kindOf(names), id: target });
    }
    await compare(mapwright, projectId);

    t.equal(
      (await mapwright.patch(`${address}?strict=true`, { name: 'again', [member]: said(target) })).status,
      200,
      'it was so before',
    );
    t.equal((await mapwright.patch(`${address}?strict=true`, { [member]: said(nowhere) })).status, 400, 'this was not');
    t.equal((await mapwright.patch(`${address}?strict=false`, { [member]: said(nowhere) })).status, 200);
    t.equal((await mapwright.delete(`${address}?strict=true`)).status, 204, 'nothing refers to what refers');
    t.equal((await problemsOf(projectId)).length, 1);
    t.equal((await mapwright.delete(`/projects/${projectId}?strict=true`)).status, 204, 'a project takes all of it along');
  });
}

t.test('a strict deletion of an artboard is refused with all references to its objects, in order', async (t) => {
  const { projectId, artboardId } = await makeWorld(mapwright);
  const root = `/projects/${projectId}`;
  const spots = { objects: [{ type: 'spot' }, { type: 'spot', click_action_artboard_id: artboardId }] };
  const other = (await mapwright.post(`${root}/artboards`, spots)).shown;
  const last = (await mapwright.post(`${root}/artboards`, spots)).shown;
  const [first, second] = other['objects'] as [Shown, Shown];
  const [kept] = last['objects'] as [Shown];
  await mapwright.patch(root, {
    popups: [{ attachedTo: second.id }, { attachedTo: kept.id }, { attachedTo: first.id }],
    actions: [{ object_id: first.id, create_object_target_artboard_id: other.id }],
  });
  t.strictSame(await pointersOf(projectId), []);

  const whole = await mapwright.delete(`${root}/artboards/${other.id}?strict=true`);
  const wanted = ['/popups/0/attachedTo', '/popups/2/attachedTo', '/actions/0/object_id'];
  t.strictSame([whole.status, whole.pointers], [409, [...wanted, '/actions/0/create_object_target_artboard_id']]);
  const alone = await mapwright.delete(`${root}/artboards/${artboardId}?strict=true`);
  t.strictSame(
    [alone.status, alone.pointers],
    [409, ['/artboards/1/objects/1/click_action_artboard_id', '/artboards/2/objects/1/click_action_artboard_id']],
  );

  t.equal((await mapwright.delete(`${root}/artboards/${other.id}`)).status, 204);
  t.strictSame(await pointersOf(projectId), [...wanted, '/actions/0/create_object_target_artboard_id']);
  t.equal((await mapwright.delete(`${root}/artboards/${artboardId}`)).status, 204);
  const all = ['/artboards/0/objects/1/click_action_artboard_id', ...wanted, '/actions/0/create_object_target_artboard_id'];
  t.strictSame(await pointersOf(projectId), all, 'in the order of the document');
  for (const restart of [() => mapwright.restart(), () => mapwright.server.snapshot().then(() => mapwright.crash())]) {
    await restart();
    t.strictSame(await pointersOf(projectId), all, 'and after a restart');
    t.equal((await mapwright.delete(`${root}/artboards/${last.id}?strict=true`)).status, 409);
  }
  t.equal((await mapwright.patch(`${root}?strict=true`, { popups: [], actions: [], artboards: [] })).status, 200, 'all at once');
  t.strictSame(await problemsOf(projectId), []);
});

t.test('texts that are no identifiers are reported as dangling references, shortened', async (t) => {
  const { world } = await seeded();
  const { id: foreign } = (await mapwright.post('/projects', {}, { key: await mapwright.newKey('bob') })).shown;
  const values = ['__proto__', 'constructor', 'toString', 'id', ' ', '\u0000', '\u{1f5fa}'.repeat(18), foreign, 'x'.repeat(36)];
  for (const value of values) {
    const { id } = await world.make('Popup', { attachedTo: value });
    const [problem, ...more] = await problemsOf(world.projectId);
    t.strictSame([problem?.resource.id, problem?.refers_to.id, more.length], [id, value, 0], JSON.stringify(value));
    t.equal((await mapwright.post(`${world.at('Popup')}?strict=true`, { attachedTo: value })).status, 400);
    await mapwright.delete(`${world.at('Popup')}/${id}`);
  }
  const long = '\u{1f5fa}'.repeat(50_000);
  await world.make('Popup', { attachedTo: long });
  const [problem] = await problemsOf(world.projectId);
  t.equal(problem?.refers_to.id, `${'\u{1f5fa}'.repeat(128)}\u2026`, 'what is much too long is cut');
  const refused = await mapwright.post(`${world.at('Popup')}?strict=true`, { attachedTo: long });
  t.strictSame([refused.status, refused.pointers], [400, ['/attachedTo']]);
  t.ok(refused.text.length < 1000, 'and not repeated');
});

t.test('identifiers in open structures are no references', async (t) => {
  const { world } = await seeded();
  const open = { object_id: nowhere, variable_id: nowhere, attachedTo: nowhere };
  await world.make('Action', { conditions: [open], style_color: { ...open, type: 'variable' } });
  await world.make('Variable', { data_path: { ...open, node_id: nowhere, nodes: [open] }, custom_value: nowhere });
  await world.make('DataSource', { headers: [open], url: nowhere });
  t.equal((await mapwright.patch(`/projects/${world.projectId}?strict=true`, { settings: open })).status, 200);
  t.strictSame(await problemsOf(world.projectId), []);
});

t.test('/problems has at most 1,000 entries and the tag of its project', async (t) => {
  const { projectId } = await makeWorld(mapwright);
  const at = `/projects/${projectId}/problems`;
  const many = Array.from({ length: 1100 }, () => ({ attachedTo: nowhere }));
  await mapwright.patch(`/projects/${projectId}`, { popups: many });
  const all = Array.from({ length: 1000 }, (_, i) => `/popups/${i}/attachedTo`);
  t.strictSame(await pointersOf(projectId), all, 'a thousand at most');
  t.strictSame(
    (await problemsOf(projectId, '?limit=3')).map(({ pointer }) => pointer),
    all.slice(0, 3),
  );
  for (const limit of ['0', '1001', '-1', 'all', '']) t.equal((await mapwright.get(`${at}?limit=${limit}`)).status, 400, limit);
  t.equal((await mapwright.get(`${at}?cursor=x`)).status, 400);

  const spelled = (await mapwright.ask('GET', `/v1${at.replace('-', '%2D')}?limit=1`)).json as Problem[];
  t.strictSame(spelled, await problemsOf(projectId, '?limit=1'), 'paths in it are spelled in one way');

  const tagOf = async () => (await mapwright.get(at)).headers.etag;
  const tag = await tagOf();
  t.equal(await tagOf(), tag);
  await mapwright.post('/projects', {});
  t.equal(await tagOf(), tag, 'another project is no matter');
  await mapwright.post(`/projects/${projectId}/artboards`, {});
  t.not(await tagOf(), tag);
  t.equal((await mapwright.get(`/projects/${nowhere}/problems`)).status, 404);
});

t.test('strict takes true or false, and only on writes', async (t) => {
  const { world, ids } = await seeded();
  for (const value of ['', '1', 'TRUE', 'yes', 'true ', 'true&strict=true']) {
    const query = `?strict=${encodeURIComponent(value).replace('%26', '&').replace('%3D', '=')}`;
    t.equal((await mapwright.post(`/projects${query}`, {})).status, 400, value);
    for (const name of memberNames) {
      t.equal((await mapwright.post(world.at(name) + query, leastBody(name))).status, 400);
      t.equal((await mapwright.patch(`${world.at(name)}/${ids[name]}${query}`, {})).status, 400);
      t.equal((await mapwright.delete(`${world.at(name)}/${ids[name]}${query}`)).status, 400);
    }
  }
  t.equal((await mapwright.get(`/projects/${world.projectId}?strict=true`)).status, 400, 'a read is neither');
  for (const name of memberNames) {
    t.equal((await mapwright.post(`${world.at(name)}?strict=true`, leastBody(name))).status, 200, `${name}: nothing to refuse`);
    t.equal((await mapwright.patch(`${world.at(name)}/${ids[name]}?strict=true`, {})).status, 200);
  }
  t.equal((await mapwright.post(`${world.at('Popup')}?strict=true`, { attachedTo: 5 })).status, 400, 'other faults come first');
  t.equal((await mapwright.patch(`${world.at('Popup')}/${nowhere}?strict=true`, { attachedTo: nowhere })).status, 404);
});

t.test('a strict refusal points to the references in the body', async (t) => {
  const { world } = await seeded();
  const root = `/projects/${world.projectId}`;
  const at = {
    artboards: [{ objects: [{ type: 'spot', click_action_artboard_id: nowhere }] }],
    popups: [{ attachedTo: nowhere }],
  };
  const both = ['/artboards/0/objects/0/click_action_artboard_id', '/popups/0/attachedTo'];
  const refused = (answer: Answer, pointers: string[], what: string) =>
    t.strictSame([answer.status, answer.pointers.sort()], [400, [...pointers].sort()], what);
  refused(await mapwright.post('/projects?strict=true', at), both, 'a project with content');

  const shown = (await mapwright.patch(root, { popups: ['a', 'b', 'c'].map((name) => ({ name })) })).shown;
  const [a, b, c] = shown['popups'] as [Shown, Shown, Shown];
  const [artboard] = shown['artboards'] as [Shown];
  const [object] = artboard['objects'] as [Shown];
  const bad = { attachedTo: nowhere };
  refused(
    await mapwright.patch(`${root}?strict=true`, {
      popups: [
        bad,
        { id: c.id },
        { attachedTo: object.id },
        { id: a.id, ...bad },
        { name: 'new' },
        bad,
        { id: b.id, title: 'x' },
        bad,
      ],
      artboards: [{}, { id: artboard.id, objects: [{ type: 'poly' }, { id: object.id, click_action_artboard_id: 'x' }] }],
    }),
    [0, 3, 5, 7].map((i) => `/popups/${i}/attachedTo`).concat('/artboards/1/objects/1/click_action_artboard_id'),
    'created among kept and changed ones, in another order',
  );
  t.strictSame((await world.project()).shown, shown, 'nothing was changed');

  await mapwright.patch(`${root}/popups/${b.id}`, { attachedTo: object.id });
  const objectsOf = `${root}/artboards/${artboard.id}`;
  refused(await mapwright.patch(`${objectsOf}?strict=true`, { objects: [] }), ['/objects'], 'an object left out of its artboard');
  const left = await mapwright.patch(`${root}?strict=true`, { artboards: [{ name: 'new' }, { id: artboard.id, objects: [] }] });
  refused(left, ['/artboards/1/objects'], 'of an artboard in its project');
  t.match(left.problem.detail, new RegExp(`${object.id}.*"attachedTo".*${b.id}`), 'both are named');
  refused(await mapwright.patch(`${root}?strict=true`, { artboards: [] }), ['/artboards'], 'or left out with its artboard');
  const back = { artboards: [], popups: [{ id: b.id, attachedTo: object.id }, { attachedTo: object.id }] };
  refused(
    await mapwright.patch(`${root}?strict=true`, back),
    ['/popups/0/attachedTo', '/popups/1/attachedTo'],
    'a reference in the body is reported there',
  );
  const turned = { artboards: [], popups: [{ id: a.id, attachedTo: object.id }] };
  refused(await mapwright.patch(`${root}?strict=true`, turned), ['/popups/0/attachedTo'], 'once, however it came about');
  t.equal((await mapwright.patch(`${root}?strict=true`, { artboards: [], popups: [{ id: a.id }] })).status, 200, 'gone together');
  t.strictSame(await problemsOf(world.projectId), []);
  const hundred = await mapwright.patch(`${root}?strict=true`, { popups: Array.from({ length: 150 }, () => bad) });
  t.equal(hundred.pointers.length, 100, 'a hundred at most');
});

t.test('concurrent strict writes and deletions leave no dangling reference', async (t) => {
  const chance = new Chance(seed);
  t.comment(`SEED=${chance.seed}`);
  const { world } = await seeded();
  const root = `/projects/${world.projectId}`;
  const statuses = new Map<number, number>();
  for (let round = 0; round < sized({ sample: 2, all: 12 }); round++) {
    const artboards = Array.from({ length: 3 }, () => ({ objects: Array.from({ length: 4 }, () => ({ type: 'spot' })) }));
    const shown = (await mapwright.patch(root, { artboards, popups: [], actions: [] })).shown['artboards'] as Shown[];
    const objects = shown.flatMap((artboard) => (artboard['objects'] as Shown[]).map(({ id }) => [artboard.id, id] as const));
    const writes = Array.from({ length: 60 }, () => {
      const [artboardId, id] = chance.pick(objects);
      const popups = { attachedTo: id };
      const made = [
        () => mapwright.post(`${root}/popups?strict=true`, popups),
        () => mapwright.post(`${root}/actions?strict=true`, { object_id: id, create_object_target_artboard_id: artboardId }),
        // One that is decided in slices.
        () => mapwright.patch(`${root}?strict=true`, { popups: Array.from({ length: 3000 }, () => popups) }),
        () => mapwright.delete(`${root}/artboards/${artboardId}/objects/${id}?strict=true`),
        () => mapwright.delete(`${root}/artboards/${artboardId}?strict=true`),
        () => mapwright.patch(`${root}/artboards/${artboardId}?strict=true`, { objects: [] }),
      ];
      return made[chance.pick([0, 0, 0, 1, 1, 3, 3, 3, 4, 5, round % 4 === 0 ? 2 : 0])] as () => Promise<Answer>;
    });
    for (const { status } of await Promise.all(writes.map((write) => write())))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    t.strictSame(await problemsOf(world.projectId), [], `round ${round}`);
    if (round % 4 === 3) await mapwright.crash();
  }
  t.strictSame([...statuses.keys()].sort(), [200, 204, 400, 404, 409], 'some were made, some refused');
});
