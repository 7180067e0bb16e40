/** Random requests for the resources of a project's document: each is carried out by the server and by the model, and judged. */

import { bodyOf } from '../support/arbitrary.ts';
import fc from '../support/fast-check.ts';
import { Answer, type Mapwright, type Shown } from '../support/mapwright.ts';
import { Chance } from '../support/random.ts';
import { leastBody, type ResourceName } from './contract.ts';
import { listPath, type Model, mustBe } from './model.ts';
import { BatchDraft, type Plan } from './model-batch.ts';
import {
  bodyOfPatch,
  type Condition,
  created,
  type Doc,
  documentNames,
  isObject,
  linked,
  listed,
  listsOf,
  memberOf,
  operatorsOf,
  part,
  queryOf,
  resourceNamed,
  type Sent,
  scalarsOf,
  updated,
} from './model-resources.ts';
import { danglingIn, newIn } from './naive-references.ts';

export type Step = fc.AsyncCommand<Model, Mapwright>;

const asRead = (body: object): Sent => JSON.parse(JSON.stringify(body)) as Sent;

/** A step that always may be taken. */
export function step(what: string, run: (model: Model, mapwright: Mapwright) => Promise<void>): Step {
  return { check: () => true, run, toString: () => what };
}

/** Where one resource is: its address, its list in the model, its place in it. */
export interface Found {
  readonly collection: string;
  readonly list: Doc[];
  readonly at: number;
  /** The project that it is in; `undefined` for a project itself. */
  readonly project: Doc | undefined;
}

/** The list of a kind of resource in some project (and artboard), and a place in it; `undefined` where there is no parent for it. */
export function find(model: Model, name: string, [first, second, third]: readonly number[]): Found | undefined {
  const found = (collection: string, list: Doc[], project?: Doc): Found => {
    return { collection, list, at: (third as number) % Math.max(list.length, 1), project };
  };
  if (name === 'Project') return found('/projects', model.projects);
  const project = model.project(first as number);
  if (project === undefined) return undefined;
  const at = `/projects/${project.id}`;
  const inProject = listsOf('Project').find(([, of]) => of === name)?.[0];
  if (inProject !== undefined) return found(listPath(at, name), project[inProject] as Doc[], project);
  const { files, versions } = model.beside(project);
  if (name === 'Version') return found(listPath(at, name), versions, project);
  if (name === 'File')
    return found(
      listPath(at, name),
      files.map(({ doc }) => doc),
      project,
    );
  const artboards = project['artboards'] as Doc[];
  const artboard = artboards[(second as number) % Math.max(artboards.length, 1)];
  return artboard && found(listPath(`${at}/artboards/${artboard.id}`, name), artboard['objects'] as Doc[], project);
}

export function take(what: string, model: Model, name: string, answer: Answer, doc: Doc): void {
  if (answer.status !== 200) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  model.adopt(name, doc, answer.shown);
  model.coverage.shown(name, doc);
  mustBe(what, answer.text, JSON.stringify(doc));
}

export const picks = fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5));
const elements = { elements: 3 };

/** How a write is sent: by itself, in a batch of one, or with a response of a part, or of nothing. */
type Way = 'whole' | 'batch' | 'fields' | 'minimal' | 'strict';
const ways = fc.constantFrom<Way[]>('whole', 'whole', 'batch', 'fields', 'minimal', 'strict', 'strict');

interface Write {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly address: string;
  readonly body?: object;
  readonly way?: Way;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a write. The answer has the whole resource, in whichever way it was sent. */
export async function write(mapwright: Mapwright, key: string, request: Write): Promise<Answer> {
  const { method, address, body, way = 'whole', headers = {} } = request;
  const [, project, path = '/'] = /^(\/projects\/[^/]+)(\/.*)?$/.exec(address) ?? [];
  if (way === 'batch' && project !== undefined && (path !== '/' || method === 'PATCH')) return inBatch(mapwright, key, request);
  const isShown = method !== 'DELETE';
  const query = way === 'strict' ? '?strict=true' : way === 'fields' && isShown ? '?fields=name' : '';
  const prefer = way === 'minimal' && isShown ? { prefer: 'return=minimal' } : {};
  const answer = await mapwright.ask(method, `/v1${address}${query}`, { key, body, headers: { ...headers, ...prefer } });
  if (!isShown) return answer;
  if (way === 'minimal' && answer.status === 204) {
    const place = method === 'POST' ? String(answer.headers['location']).replace(/^\/v1/, '') : address;
    const whole = await mapwright.get(place, { key });
    mustBe('a tag', `${answer.headers['etag']} ${answer.text}`, `${whole.headers['etag']} `);
    return whole;
  }
  if (way !== 'fields' || answer.status !== 200) return answer;
  const whole = await mapwright.get(method === 'POST' ? `${address}/${answer.shown.id}` : address, { key });
  mustBe('a part', answer.text, JSON.stringify(part(whole.shown, ['name'])));
  return whole;
}

/** A write as a batch of one; a project itself is neither made nor deleted by a batch. */
async function inBatch(mapwright: Mapwright, key: string, { method, address, body, headers = {} }: Write): Promise<Answer> {
  const [, project, path = '/'] = /^(\/projects\/[^/]+)(\/.*)?$/.exec(address) as unknown as [string, string, string?];
  const { 'content-type': type, 'if-match': tag, ...others } = headers;
  const operation = { method, path, body, ...(type === mergePatch && { merge: true }), ...(tag && { if_match: tag }) };
  const answer = await mapwright.post(`${project}/batch`, { operations: [operation] }, { key, headers: others });
  if (answer.status !== 200) return answer;
  const [result] = (answer.json as { results: { status: number; body: unknown }[] }).results;
  if (path !== '/') return new Answer(result?.status ?? 0, answer.headers, JSON.stringify(result?.body));
  // A batch shows a project without its collections.
  const whole = await mapwright.get(project, { key });
  const own = Object.entries(whole.shown).filter(([, value]) => !Array.isArray(value));
  mustBe('the result of PATCH /', JSON.stringify(result?.body), JSON.stringify(Object.fromEntries(own)));
  return new Answer(result?.status ?? 0, answer.headers, whole.text);
}

const mergePatch = 'application/merge-patch+json';

/** A change of the model, before the server has carried it out. */
interface Change {
  /** The project as it is. */
  root(): Doc | undefined;
  apply(): void;
  undo(): void;
}

/** Another value of a resource. */
const put = ({ list, at, project }: Found, current: Doc, doc: Doc): Change => ({
  root: () => project ?? list[at],
  apply: () => list.splice(at, 1, doc),
  undo: () => list.splice(at, 1, current),
});

/** Sends a write that may be strict. Returns `undefined` if it was refused, as it must be if it makes a reference dangle. */
async function carriedOut(model: Model, change: Change, way: Way, send: () => Promise<Answer>): Promise<Answer | undefined> {
  const danglingNow = () => danglingIn(change.root() ?? { ...created('Project', {}) });
  const before = danglingNow();
  change.apply();
  const made = change.root() === undefined ? [] : newIn(before, danglingNow());
  const answer = await send();
  if (way !== 'strict' || made.length === 0) return answer;
  mustBe(
    'a strict refusal',
    `${[400, 409].includes(answer.status)} ${answer.pointers.length}`,
    `true ${Math.min(made.length, 100)}`,
  );
  change.undo();
  const root = change.root();
  if (root !== undefined && root.id !== '') await model.expect(`/projects/${root.id}`, root);
  return undefined;
}

export const create = (name: string) =>
  fc.tuple(picks, bodyOf(resourceNamed(name), elements), ways, fc.boolean(), fc.nat()).map(([where, plain, way, once, links]) =>
    step(`create ${name} ${where} ${way}`, async (model, mapwright) => {
      const found = find(model, name, where);
      if (found === undefined) return;
      const { ids, urls } = model.targets(found.project);
      const body = linked(name, asRead(plain), ids, urls, new Chance(links));
      const doc = created(name, body);
      const isRepeated = once && (way === 'whole' || way === 'batch');
      const headers = isRepeated ? model.newIdempotencyKey() : {};
      const ask = () => write(mapwright, model.key, { method: 'POST', address: found.collection, body, way, headers });
      const change: Change = {
        root: () => found.project ?? (found.list.includes(doc) ? doc : undefined),
        apply: () => found.list.push(doc),
        undo: () => found.list.pop(),
      };
      const answer = await carriedOut(model, change, way, ask);
      if (answer === undefined) return;
      if (isRepeated) model.givenOnce.push({ ask, text: answer.text });
      take(`create ${name}`, model, name, answer, doc);
    }),
  );

export const repeat = fc.nat(9).map((pick) =>
  step(`repeat ${pick}`, async ({ givenOnce }) => {
    const given = givenOnce[pick % Math.max(givenOnce.length, 1)];
    if (given === undefined) return;
    const { text, headers } = await given.ask();
    mustBe('repeated', `${text} ${headers['idempotency-replayed']}`, `${given.text} true`);
  }),
);

const someOf = (whole: Sent, few: number): Sent => (few === 0 ? whole : Object.fromEntries(Object.entries(whole).slice(0, few)));

/** A merge patch: some members become `null`, and of open structures one that is there. */
function patchOf(body: Sent, current: Doc, few: number): Sent {
  const patch = Object.entries(body).map(([member, value], i) => {
    const there = isObject(memberOf(current, member)) ? Object.keys(memberOf(current, member) as Sent) : [];
    const removed = there.slice(0, 1).map((name) => [name, null]);
    return [member, i % 3 === 0 ? null : isObject(value) ? { ...value, ...Object.fromEntries(removed) } : value];
  });
  return Object.fromEntries(few === 3 && patch.length < 3 ? [...patch, ['id', null]] : patch);
}

export const update = (name: string) =>
  fc
    .tuple(picks, bodyOf(resourceNamed(name), elements), fc.nat(3), ways, fc.nat(3), fc.nat())
    .map(([where, whole, few, way, kind, links]) =>
      step(`update ${name} ${where} ${way}`, async (model, mapwright) => {
        const found = find(model, name, where);
        const current = found?.list[found.at];
        if (found === undefined || current === undefined) return;
        const isPatch = kind === 2;
        const { ids, urls } = model.targets(found.project ?? current);
        const some = someOf(asRead(whole), few);
        const body = isPatch ? patchOf(some, current, few) : linked(name, some, ids, urls, new Chance(links));
        const real = isPatch ? bodyOfPatch(name, current, body) : body;
        const address = `${found.collection}/${current.id}`;
        const patch = (tag?: string) => {
          const headers = { ...(isPatch && { 'content-type': mergePatch }), ...(tag !== undefined && { 'if-match': tag }) };
          return write(mapwright, model.key, { method: 'PATCH', address, body, way, headers });
        };
        if (real === undefined) return mustBe('an invalid patch', `${(await patch()).status}`, '400');
        if (kind === 3) mustBe('another version', `${(await patch('"another"')).status}`, '412');
        const tag = kind === 3 ? (await mapwright.get(address, { key: model.key })).headers.etag : undefined;
        const doc = updated(name, current, real);
        const change = put(found, current, doc);
        const answer = await carriedOut(model, change, way, () => patch(tag));
        if (answer !== undefined) take(`update ${name}`, model, name, answer, doc);
      }),
    );

export const remove = (name: string) =>
  fc.tuple(picks, ways).map(([where, way]) =>
    step(`delete ${name} ${where} ${way}`, async (model, mapwright) => {
      const found = find(model, name, where);
      const current = found?.list[found.at];
      if (found === undefined || current === undefined) return;
      const again = () => write(mapwright, model.key, { method: 'DELETE', address: `${found.collection}/${current.id}`, way });
      const change: Change = {
        root: () => found.project,
        apply: () => found.list.splice(found.at, 1),
        undo: () => found.list.splice(found.at, 0, current),
      };
      const answer = await carriedOut(model, change, way, again);
      if (answer === undefined) return;
      mustBe('deleted', `${answer.status}`, '204');
      mustBe('deleted again', `${(await again()).status}`, '404');
      for (const [, of] of listsOf(name)) {
        const { status } = await mapwright.get(listPath(`${found.collection}/${current.id}`, of), { key: model.key });
        mustBe('a list of what is deleted', `${status}`, '404');
      }
      if (name === 'Project') model.forget(current);
      else model.beside(found.project as Doc).gone.push(current.id);
    }),
  );

const actions: Readonly<Record<'objects' | 'others', readonly Plan['action'][]>> = {
  objects: ['create', 'create', 'place', 'move', 'move', 'move', 'delete', 'again'],
  others: ['create', 'create', 'create', 'place', 'place', 'place', 'delete', 'again'],
};

const members = documentNames.filter((name) => name !== 'Project');

const plans = fc.constantFrom('Object', 'Object', 'Object', 'Artboard', ...members).chain((name) =>
  fc.record<Plan>({
    ...{ action: fc.constantFrom(...actions[name === 'Object' ? 'objects' : 'others']), name: fc.constant(name) },
    ...{ board: fc.nat(9), at: fc.nat(99), to: fc.nat(9), before: fc.option(fc.nat(99), { nil: undefined }) },
    id: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('server', 'fresh') }, { weight: 1, arbitrary: fc.constant('taken') }),
    body: bodyOf(resourceNamed(name), elements).map(asRead),
  }),
);

/** A batch that chooses identifiers, names results, places members and moves objects. */
export const place = fc.tuple(picks, fc.array(plans, { minLength: 1, maxLength: 8 })).map(([where, planned]) =>
  step(`batch ${where} ${planned.map(({ action, name }) => `${action} ${name}`)}`, async (model, mapwright) => {
    const found = find(model, 'Project', where);
    const current = found?.list[found.at];
    if (found === undefined || current === undefined) return;
    const draft = new BatchDraft(current);
    for (const plan of planned) draft.add(plan);
    if (draft.operations.length === 0) return;
    const { key } = model;
    const address = `${found.collection}/${current.id}`;
    const before = mapwright.lastRecord();
    const doc = draft.judge(model, await mapwright.post(`${address}/batch`, { operations: draft.operations }, { key }));
    if (mapwright.lastRecord() > before + 1) throw new Error('a batch is more than one record');
    mustBe('after a batch', (await mapwright.get(address, { key })).text, JSON.stringify(doc));
    found.list[found.at] = doc;
  }),
);

/** The elements of a whole-collection write: some that are there, in any order, turned and changed a little, and some that are new. */
function elementsOf(of: string, present: readonly Doc[], plan: readonly [number, boolean, object][]): Sent[] {
  const unused = [...present];
  return plan.map(([pick, keep, body]) => {
    const [current] = keep && unused.length > 0 ? unused.splice(pick % unused.length, 1) : [];
    if (current === undefined) return { ...leastBody(of as ResourceName), ...asRead(body) };
    const held = listsOf(of).map(([member]) => [member, (current[member] as Doc[]).map(({ id }) => ({ id })).reverse()]);
    const changed = pick % 2 === 0 ? Object.entries(asRead(body)).slice(0, 2) : [];
    return { id: current.id, ...Object.fromEntries(pick % 3 === 0 ? held : []), ...Object.fromEntries(changed) };
  });
}

export const replace = (parentName: string) =>
  fc.constantFrom(...listsOf(parentName)).chain(([member, of]) => {
    const plan = fc.array(fc.tuple(fc.nat(9), fc.boolean(), bodyOf(resourceNamed(of), elements)), { maxLength: 6 });
    return fc.tuple(picks, plan, fc.boolean(), fc.nat()).map(([where, wanted, isStrict, links]) =>
      step(`replace ${member} ${where} with ${wanted.length}`, async (model, mapwright) => {
        const found = find(model, parentName, where);
        const current = found?.list[found.at];
        if (found === undefined || current === undefined) return;
        const { ids, urls } = model.targets(found.project ?? current);
        const list = elementsOf(of, current[member] as Doc[], wanted);
        const body = { [member]: list.map((element) => linked(of, element, ids, urls, new Chance(links))) };
        const doc = updated(parentName, current, body);
        const change = put(found, current, doc);
        const way = isStrict ? 'strict' : 'whole';
        const address = `${found.collection}/${current.id}`;
        const send = () => write(mapwright, model.key, { method: 'PATCH', address, body, way });
        const answer = await carriedOut(model, change, way, send);
        if (answer !== undefined) take(`replace ${member}`, model, parentName, answer, doc);
      }),
    );
  });

/** A condition that a member of some resource meets, or nearly; `undefined` if there is none for it. */
function conditionLike(name: string, like: Doc, other: Doc, member: string, pick: number): Condition | undefined {
  const all = operatorsOf(name, member);
  const operator = all[pick % Math.max(all.length, 1)];
  const [value, second] = [memberOf(like, member), memberOf(other, member)] as (string | number)[];
  if (operator === undefined || value === undefined || second === undefined) return undefined;
  const letters = Array.from(String(value)).slice(0, 40);
  if (operator === 'starts' || operator === 'contains') {
    const text = letters.slice(operator === 'starts' ? 0 : pick % letters.length, 30).join('');
    return text === '' ? undefined : { member, operator, value: text };
  }
  if (operator !== 'in') return { member, operator, value };
  const values = [...new Set([value, second])].filter((each) => each !== '' && !String(each).includes(','));
  return values.length === 0 || String(values).length > 300 ? undefined : { member, operator, value: values };
}

/** Asks for a part of a list, by what some of its members are, perhaps in pages, counted, and with some fields only. */
export const listPart = (name: string) => {
  const scalars = scalarsOf(name);
  const some = (maxLength: number) => fc.uniqueArray(fc.constantFrom(...scalars), { maxLength });
  const query = fc.record({
    filters: some(2),
    conditions: some(2),
    sort: some(3),
    fields: some(2),
    descends: fc.nat(7),
    limit: fc.nat(3),
    pick: fc.nat(99),
  });
  return fc.tuple(picks, query).map(([where, { filters, conditions, sort, fields, descends, limit, pick }]) =>
    step(`list ${name} ${where} by ${filters} and ${conditions}, sorted by ${sort}`, async (model, mapwright) => {
      const found = find(model, name, where);
      const like = found?.list[found.at];
      if (found === undefined || like === undefined) return;
      const other = found.list[pick % found.list.length] as Doc;
      const asked = {
        filters: Object.fromEntries(filters.map((member) => [member, memberOf(like, member)])),
        conditions: conditions.flatMap((member) => conditionLike(name, like, other, member, pick) ?? []),
        sort: sort.map((member, i) => ((descends >> i) % 2 === 0 ? member : `-${member}`)),
      };
      const shownPart = fields.length === 0 ? '' : `&fields=${fields}`;
      const first = `${found.collection}?${queryOf(asked)}${limit === 0 ? '' : `&limit=${limit}`}${shownPart}&count=true`;
      const wanted = listed(found.list, asked).map((doc) => (fields.length === 0 ? doc : part(doc, fields)));
      await judgeList(model, mapwright, first, wanted, JSON.stringify(asked));
      // A version is read as the project that it keeps.
      if (name !== 'Version')
        await judgeOne(
          model,
          mapwright,
          `${found.collection}/${like.id}?fields=${[...new Set(['id', ...fields])]}`,
          part(like, fields),
        );
    }),
  );
};

async function judgeList(
  model: Model,
  mapwright: Mapwright,
  first: string,
  wanted: readonly Sent[],
  what: string,
): Promise<void> {
  const { key } = model;
  const shown: Shown[] = [];
  for (let next = `/v1${first}`; next !== ''; ) {
    const answer = await mapwright.ask('GET', next, { key });
    shown.push(...answer.list);
    mustBe('a count', `${answer.headers['x-total-count']}`, `${wanted.length}`);
    next = /^<(.*)>; rel="next"$/.exec(String(answer.headers['link'] ?? ''))?.[1] ?? '';
  }
  mustBe(`${first} ${what}`, JSON.stringify(shown), JSON.stringify(wanted));
  await judgeOne(model, mapwright, first, undefined);
}

/** A GET, and the same again while nothing has changed. @param wanted `undefined` if it is not compared */
async function judgeOne(model: Model, mapwright: Mapwright, at: string, wanted: Sent | undefined): Promise<void> {
  const { key } = model;
  const { text, headers } = await mapwright.get(at, { key });
  model.tagged(at, headers.etag, text);
  if (wanted !== undefined) mustBe(at, text, JSON.stringify(wanted));
  const again = await mapwright.get(at, { key, headers: { 'if-none-match': String(headers.etag) } });
  mustBe('unchanged', `${again.status} ${again.text}`, '304 ');
}

export const refuse = picks.map((where) =>
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

export const writeBack = picks.map((where) =>
  step(`write back ${where}`, async (model, mapwright) => {
    const found = find(model, 'Project', where);
    const current = found?.list[found.at];
    if (found === undefined || current === undefined) return;
    const before = mapwright.lastRecord();
    const answer = await mapwright.patch(`${found.collection}/${current.id}`, current, { key: model.key });
    take('write back', model, 'Project', answer, current);
    mustBe('records', String(mapwright.lastRecord()), String(before));
  }),
);
