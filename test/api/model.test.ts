// tier: normal
/**
 * Random requests with restarts, snapshots and crashes, against a model of the API. Each response, and after each restart each GET, has
 * exactly the bytes of the model. A failure prints the seed and the path that replay it:
 * SEED=<seed> MAPWRIGHT_PATH=<path>.
 */

import t from 'tap';
import { projects, resourceOf } from '../../src/model/resources.ts';
import { bodyOf } from '../support/arbitrary.ts';
import fc from '../support/fast-check.ts';
import { Answer, type Mapwright, type Shown, startMapwright } from '../support/mapwright.ts';
import { seed, sized } from '../support/tier.ts';
import { leastBody, places, type ResourceName, resourceNames } from './contract.ts';
import { created, type Doc, listed, listsOf, Model, memberOf, mustBe, queryOf, scalarsOf, updated } from './model.ts';
import { BatchDraft, type Plan } from './model-batch.ts';

type Step = fc.AsyncCommand<Model, Mapwright>;
type Sent = Record<string, unknown>;

const resourceNamed = (name: ResourceName) =>
  [projects, ...Object.values(resourceOf)].find(({ title }) => title === name) ?? projects;
const asRead = (body: object): Sent => JSON.parse(JSON.stringify(body)) as Sent;

/** A step that always may be taken. */
function step(what: string, run: (model: Model, mapwright: Mapwright) => Promise<void>): Step {
  return { check: () => true, run, toString: () => what };
}

/** Where one resource is: its address, its list in the model, its place in it. */
interface Found {
  readonly collection: string;
  readonly list: Doc[];
  readonly at: number;
}

/** The list of a kind of resource in some project (and artboard), and a place in it; `undefined` where there is no parent for it. */
function find(model: Model, name: ResourceName, [first, second, third]: readonly number[]): Found | undefined {
  const project = name === 'Project' ? undefined : model.project(first as number);
  let list = model.projects;
  let collection = places[name][0];
  if (name !== 'Project') {
    if (project === undefined) return undefined;
    collection = collection.replace('<project_id>', project.id);
    let parent: [ResourceName, Doc] = ['Project', project];
    if (name === 'Object') {
      const artboards = project['artboards'] as Doc[];
      const artboard = artboards[(second as number) % Math.max(artboards.length, 1)];
      if (artboard === undefined) return undefined;
      collection = collection.replace('<artboard_id>', artboard.id);
      parent = ['Artboard', artboard];
    }
    const [member] = listsOf(parent[0]).find(([, of]) => of === name) as [string, ResourceName];
    list = parent[1][member] as Doc[];
  }
  return { collection, list, at: (third as number) % Math.max(list.length, 1) };
}

function take(what: string, model: Model, name: ResourceName, answer: Answer, doc: Doc): void {
  if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  model.adopt(name, doc, answer.shown);
  mustBe(what, answer.text, JSON.stringify(doc));
}

const picks = fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5));
const elements = { elements: 3 };

/** A write by itself, or as a batch of one; a project itself is neither made nor deleted by a batch. */
async function write(
  mapwright: Mapwright,
  key: string,
  method: 'POST' | 'PATCH' | 'DELETE',
  address: string,
  body: object | undefined,
  batched: boolean,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const [, project, path = '/'] = /^(\/projects\/[^/]+)(\/.*)?$/.exec(address) ?? [];
  if (!batched || project === undefined || (path === '/' && method !== 'PATCH'))
    return mapwright.ask(method, `/v1${address}`, { key, body, headers });
  const answer = await mapwright.post(`${project}/batch`, { operations: [{ method, path, body }] }, { key, headers });
  if (answer.status !== 200) return answer;
  const [result] = (answer.json as { results: { status: number; body: unknown }[] }).results;
  if (path !== '/') return new Answer(result?.status ?? 0, answer.headers, JSON.stringify(result?.body));
  // A batch shows a project without its collections.
  const whole = await mapwright.get(project, { key });
  const own = Object.entries(whole.shown).filter(([, value]) => !Array.isArray(value));
  mustBe('the result of PATCH /', JSON.stringify(result?.body), JSON.stringify(Object.fromEntries(own)));
  return new Answer(result?.status ?? 0, answer.headers, whole.text);
}

const create = (name: ResourceName) =>
  fc.tuple(picks, bodyOf(resourceNamed(name), elements), fc.boolean(), fc.boolean()).map(([where, body, batched, once]) =>
    step(`create ${name} ${where}`, async (model, mapwright) => {
      const found = find(model, name, where);
      if (found === undefined) return;
      const doc = created(name, asRead(body));
      const headers = once ? { 'idempotency-key': `${model.givenOnce.length}` } : {};
      const ask = () => write(mapwright, model.key, 'POST', found.collection, body, batched, headers);
      const answer = await ask();
      if (once) model.givenOnce.push({ ask, text: answer.text });
      take(`create ${name}`, model, name, answer, doc);
      found.list.push(doc);
    }),
  );

const repeat = fc.nat(9).map((pick) =>
  step(`repeat ${pick}`, async ({ givenOnce }) => {
    const given = givenOnce[pick % Math.max(givenOnce.length, 1)];
    if (given === undefined) return;
    const { text, headers } = await given.ask();
    mustBe('repeated', `${text} ${headers['idempotency-replayed']}`, `${given.text} true`);
  }),
);

const update = (name: ResourceName) =>
  fc.tuple(picks, bodyOf(resourceNamed(name), elements), fc.nat(3), fc.nat(3)).map(([where, whole, few, way]) =>
    step(`update ${name} ${where}`, async (model, mapwright) => {
      const found = find(model, name, where);
      const current = found?.list[found.at];
      if (found === undefined || current === undefined) return;
      const body = few === 0 ? whole : Object.fromEntries(Object.entries(whole).slice(0, few));
      const doc = updated(name, current, asRead(body));
      const address = `${found.collection}/${current.id}`;
      const patch = (tag?: string) =>
        write(mapwright, model.key, 'PATCH', address, body, way === 1, tag === undefined ? {} : { 'if-match': tag });
      if (way === 3) mustBe('another version', `${(await patch('"another"')).status}`, '412');
      const answer = await patch(way < 2 ? undefined : (await mapwright.get(address, { key: model.key })).headers.etag);
      take(`update ${name}`, model, name, answer, doc);
      found.list[found.at] = doc;
    }),
  );

const remove = (name: ResourceName) =>
  fc.tuple(picks, fc.boolean()).map(([where, batched]) =>
    step(`delete ${name} ${where}`, async (model, mapwright) => {
      const found = find(model, name, where);
      const current = found?.list[found.at];
      if (found === undefined || current === undefined) return;
      const address = `${found.collection}/${current.id}`;
      const again = () => write(mapwright, model.key, 'DELETE', address, undefined, batched);
      mustBe('deleted', `${(await again()).status}`, '204');
      mustBe('deleted again', `${(await again()).status}`, '404');
      found.list.splice(found.at, 1);
    }),
  );

/** A project of another one, as a copy, or exported and imported. */
const copy = fc.tuple(picks, fc.boolean(), fc.boolean()).map(([where, imported, once]) =>
  step(`${imported ? 'export and import' : 'duplicate'} ${where}`, async (model, mapwright) => {
    const found = find(model, 'Project', where);
    const current = found?.list[found.at];
    if (found === undefined || current === undefined) return;
    const { key } = model;
    const address = `${found.collection}/${current.id}`;
    const document = imported ? (await mapwright.get(`${address}/export`, { key })).text : '';
    const headers = once ? { 'idempotency-key': `${model.givenOnce.length}` } : {};
    const ask = () =>
      imported
        ? mapwright.post('/projects/import', document, { key, headers })
        : mapwright.post(`${address}/duplicate`, { name: 'a copy' }, { key, headers });
    const answer = await ask();
    if (answer.status !== 200) throw new Error(`copy: ${answer.status} ${answer.text.slice(0, 300)}`);
    if (once) model.givenOnce.push({ ask, text: answer.text });
    const doc: Doc = { ...structuredClone(current), ...(imported ? {} : { name: 'a copy' }) };
    model.adoptCopy(doc, answer.shown);
    mustBe('copy', answer.text, JSON.stringify(doc));
    found.list.push(doc);
  }),
);

const actions: Readonly<Record<'objects' | 'others', readonly Plan['action'][]>> = {
  objects: ['create', 'create', 'place', 'move', 'move', 'move', 'delete', 'again'],
  others: ['create', 'create', 'create', 'place', 'place', 'place', 'delete', 'again'],
};

const plans = fc
  .constantFrom<Plan['name'][]>(
    'Object',
    'Object',
    'Object',
    'Object',
    'Artboard',
    'Artboard',
    'Popup',
    'DataSource',
    'Variable',
    'Action',
  )
  .chain((name) =>
    fc.record<Plan>({
      ...{ action: fc.constantFrom(...actions[name === 'Object' ? 'objects' : 'others']), name: fc.constant(name) },
      ...{ board: fc.nat(9), at: fc.nat(99), to: fc.nat(9), before: fc.option(fc.nat(99), { nil: undefined }) },
      id: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('server', 'fresh') }, { weight: 1, arbitrary: fc.constant('taken') }),
      body: bodyOf(resourceNamed(name), elements).map(asRead),
    }),
  );

/** A batch that chooses identifiers, places members and moves objects. */
const place = fc.tuple(picks, fc.array(plans, { minLength: 1, maxLength: 8 })).map(([where, planned]) =>
  step(`batch ${where} ${planned.map(({ action, name }) => `${action} ${name}`)}`, async (model, mapwright) => {
    const found = find(model, 'Project', where);
    const current = found?.list[found.at];
    if (found === undefined || current === undefined) return;
    const draft = new BatchDraft(current);
    for (const plan of planned) draft.add(plan);
    if (draft.operations.length === 0) return;
    const { key } = model;
    const address = `${found.collection}/${current.id}`;
    const doc = draft.judge(model, await mapwright.post(`${address}/batch`, { operations: draft.operations }, { key }));
    mustBe('after a batch', (await mapwright.get(address, { key })).text, JSON.stringify(doc));
    found.list[found.at] = doc;
  }),
);

/** The elements of a whole-collection write: some that are there, in any order, turned and changed a little, and some that are new. */
function elementsOf(of: ResourceName, present: readonly Doc[], plan: readonly [number, boolean, object][]): Sent[] {
  const unused = [...present];
  return plan.map(([pick, keep, body]) => {
    const [current] = keep && unused.length > 0 ? unused.splice(pick % unused.length, 1) : [];
    if (current === undefined) return { ...leastBody(of), ...asRead(body) };
    const held = listsOf(of).map(([member]) => [member, (current[member] as Doc[]).map(({ id }) => ({ id })).reverse()]);
    const changed = pick % 2 === 0 ? Object.entries(asRead(body)).slice(0, 2) : [];
    return { id: current.id, ...Object.fromEntries(pick % 3 === 0 ? held : []), ...Object.fromEntries(changed) };
  });
}

const replace = (parentName: 'Project' | 'Artboard') =>
  fc.constantFrom(...listsOf(parentName)).chain(([member, of]) => {
    const plan = fc.array(fc.tuple(fc.nat(9), fc.boolean(), bodyOf(resourceNamed(of), elements)), { maxLength: 6 });
    return fc.tuple(picks, plan).map(([where, wanted]) =>
      step(`replace ${member} ${where} with ${wanted.length}`, async (model, mapwright) => {
        const found = find(model, parentName, where);
        const current = found?.list[found.at];
        if (found === undefined || current === undefined) return;
        const body = { [member]: elementsOf(of, current[member] as Doc[], wanted) };
        const doc = updated(parentName, current, body);
        const answer = await mapwright.patch(`${found.collection}/${current.id}`, body, { key: model.key });
        take(`replace ${member}`, model, parentName, answer, doc);
        found.list[found.at] = doc;
      }),
    );
  });

/** Asks for a part of a list, by what one of its members is, perhaps in pages. */
const listPart = (name: ResourceName) => {
  const scalars = scalarsOf(name);
  const members = (maxLength: number) => fc.uniqueArray(fc.constantFrom(...scalars), { maxLength });
  return fc.tuple(picks, members(2), members(3), fc.nat(7), fc.nat(3)).map(([where, filters, sort, descends, limit]) =>
    step(`list ${name} ${where} by ${filters}, sorted by ${sort}`, async (model, mapwright) => {
      const found = find(model, name, where);
      const like = found?.list[found.at];
      if (found === undefined || like === undefined) return;
      const asked = {
        filters: Object.fromEntries(filters.map((member) => [member, memberOf(like, member)])),
        sort: sort.map((member, i) => ((descends >> i) % 2 === 0 ? member : `-${member}`)),
      };
      let next = `/v1${found.collection}?${queryOf(asked)}${limit === 0 ? '' : `&limit=${limit}`}`;
      const shown: Shown[] = [];
      while (next !== '') {
        const answer = await mapwright.ask('GET', next, { key: model.key });
        shown.push(...answer.list);
        next = /^<(.*)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1] ?? '';
      }
      mustBe(`list ${name} ${JSON.stringify(asked)}`, JSON.stringify(shown), JSON.stringify(listed(found.list, asked)));
    }),
  );
};

const refuse = picks.map((where) =>
  step(`refuse ${where}`, async (model, mapwright) => {
    const found = find(model, 'Project', where);
    const current = found?.list[found.at];
    if (found === undefined || current === undefined) return;
    const body = {
      name: 'refused',
      popups: [],
      variables: [{}],
      artboards: [{ objects: [{ type: 'spot' }, { type: 'round' }] }],
    };
    const answer = await mapwright.patch(`${found.collection}/${current.id}`, body, { key: model.key });
    mustBe('refused', `${answer.status} ${answer.pointers}`, '400 /artboards/0/objects/1/type');
  }),
);

const writeBack = picks.map((where) =>
  step(`write back ${where}`, async (model, mapwright) => {
    const found = find(model, 'Project', where);
    const current = found?.list[found.at];
    if (found === undefined || current === undefined) return;
    const before = mapwright.lastRecord();
    take(
      'write back',
      model,
      'Project',
      await mapwright.patch(`${found.collection}/${current.id}`, current, { key: model.key }),
      current,
    );
    mustBe('records', String(mapwright.lastRecord()), String(before));
  }),
);

const keys = fc.boolean().map((revoke) =>
  step(revoke ? 'revoke a key' : 'make a key', async (model, mapwright) => {
    const name = model.key.slice(0, 20);
    const oldest = model.validKeys[0];
    if (!revoke) model.validKeys.push(await mapwright.server.createKey(name));
    else if (oldest !== undefined) {
      await mapwright.server.revokeKey(oldest.id);
      model.revokedKeys.push((model.validKeys.shift() as { key: string }).key);
    }
  }),
);

const again = (what: string, work: (mapwright: Mapwright) => Promise<unknown>) =>
  fc.constant(
    step(what, async (model, mapwright) => {
      await work(mapwright);
      await model.compare();
    }),
  );

const writes = resourceNames.flatMap((name) => [create(name), update(name), remove(name)]);
const upkeep = [
  again('restart', (mapwright) => mapwright.restart()),
  again('crash', (mapwright) => mapwright.crash()),
  again('snapshot, crash', async (mapwright) => {
    await mapwright.server.snapshot();
    await mapwright.crash();
  }),
];

t.test('the responses equal a model of the API through random writes, snapshots, restarts and crashes', async (t) => {
  // A version that the server keeps by itself is a record at a time of its own.
  const mapwright = await startMapwright(t, { snapshotPauseMs: 0 });
  const path = process.env['MAPWRIGHT_PATH'];
  t.comment(`SEED=${seed}`);
  const models: Model[] = [];
  const many = [
    create('Project'),
    create('Artboard'),
    create('Object'),
    replace('Project'),
    replace('Project'),
    replace('Artboard'),
  ];
  const lists = resourceNames.map(listPart);
  const steps = fc.commands(
    [
      ...writes,
      ...lists,
      ...many,
      ...many,
      ...many,
      ...Array.from({ length: 12 }, () => place),
      copy,
      copy,
      repeat,
      refuse,
      writeBack,
      keys,
      ...upkeep,
    ],
    {
      maxCommands: 60,
      size: 'max',
    },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      // Every run has an account of its own; those of the runs before are ballast that must survive everything too.
      const account = `run ${models.length}`;
      const model = new Model(mapwright, await mapwright.newKey(account));
      models.push(model);
      // Something to work on from the start: a step that finds nothing does nothing.
      const first = { artboards: [{ objects: [{ type: 'poly' }, { type: 'spot' }] }, {}], popups: [{}, {}, {}] };
      const doc = created('Project', first);
      take('the first project', model, 'Project', await mapwright.post('/projects', first, { key: model.key }), doc);
      model.projects.push(doc);
      await fc.asyncModelRun(() => ({ model, real: mapwright }), taken);
      await model.compare();
    }),
    { seed, numRuns: sized({ sample: 3, all: 15 }), ...(path === undefined ? {} : { path }) },
  );
  t.comment(`${models.length} runs, ${mapwright.lastRecord()} records`);
  await mapwright.crash();
  for (const model of models) await model.compare();
  t.pass('what all runs left behind is still there');
});
