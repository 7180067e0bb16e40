/**
 * Requests that carry identifiers of another account, wherever an identifier may stand, and the comparison of their answers.
 *
 * A request is a plan: it says where identifiers stand and which, not what they are. It is carried out in two worlds, servers on copies
 * of one data folder. In the first the foreign identifiers are those of things that exist; in the second they are *ghosts*, identifiers
 * of the same form that nothing ever had. A client that may not see a resource must get identical responses in both.
 */

import fc from '../support/fast-check.ts';
import type { Answer, Mapwright } from '../support/mapwright.ts';
import { operations } from '../support/operations.ts';
import { contract, leastBody, type ResourceName } from './contract.ts';

/** Those of the document: test/api/routes asks for foreign files and versions. */
const endpoints = operations.filter(({ path }) => !/\/(?:files|versions)(?:\/|$)/.test(path));

/** Identifiers by kind: by path parameter, and `account`. */
export type Pools = Readonly<Record<string, readonly string[]>>;

/** Where something is: the value of every parameter of its path. */
type Place = Readonly<Record<string, string>>;

/** All that a key can see: identifiers by kind, and the places of the things that have them. */
export interface Seen {
  readonly ids: Pools;
  readonly places: Readonly<Record<string, readonly Place[]>>;
}

/** How an identifier is written down. */
const forms = ['plain', 'plain', 'plain', 'plain', 'upper', 'encoded', 'slashed', 'cut', 'doubled'] as const;

/** One place for an identifier. */
interface Ref {
  readonly whose: 'foreign' | 'own';
  /** As the place asks for, or any other. */
  readonly kind: string | undefined;
  readonly pick: number;
  readonly form: (typeof forms)[number];
}

interface CursorPlan {
  readonly rank: number;
  readonly ref: Ref;
  readonly how: 'real' | 'member' | 'project' | 'bare';
}

export interface Plan {
  readonly prefix: string;
  readonly method: string;
  readonly path: string;
  /** What the path leads to, where nothing else is said: something of the asker's own, or something foreign altogether. */
  readonly whose: 'foreign' | 'own';
  readonly pick: number;
  /** Identifiers that stand in the path instead; `undefined` for those that belong there. */
  readonly refs: readonly (Ref | undefined)[];
  readonly query: { readonly limit?: number; readonly fields?: Ref; readonly cursor?: CursorPlan; readonly other?: Ref };
  readonly body: BodyPlan | undefined;
  readonly headers: Readonly<Record<string, Ref>>;
}

type BodyPlan = Readonly<Record<string, unknown>>;

/** Stands in a body for an identifier. */
class BodyRef {
  readonly ref: Ref;

  constructor(ref: Ref) {
    this.ref = ref;
  }
}

const resourceOfParameter: Readonly<Record<string, ResourceName>> = {
  project_id: 'Project',
  artboard_id: 'Artboard',
  object_id: 'Object',
  popup_id: 'Popup',
  data_source_id: 'DataSource',
  variable_id: 'Variable',
  action_id: 'Action',
};
const parameterOfResource = Object.fromEntries(Object.entries(resourceOfParameter).map(([parameter, name]) => [name, parameter]));
const kinds = [...Object.keys(resourceOfParameter), 'account'];

const parametersIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);

/** The resource that a path is about. */
function resourceAt(path: string): ResourceName {
  const last = path.split('/').at(-1) as string;
  if (last.startsWith(':')) return resourceOfParameter[last.slice(1)] as ResourceName;
  const one = endpoints.find(
    (endpoint) => endpoint.path.startsWith(`${path}/:`) && !endpoint.path.slice(path.length + 1).includes('/'),
  );
  // What is done to a project as a whole, or asked of it or of all, has a word at the end of its path.
  const above = path.slice(0, path.lastIndexOf('/'));
  return one === undefined && above === '' ? 'Project' : resourceAt(one?.path ?? above);
}

const ref = (kind: string | undefined, foreign = 2): fc.Arbitrary<Ref> =>
  fc.record({
    whose: fc.oneof(
      { weight: foreign, arbitrary: fc.constant('foreign' as const) },
      { weight: 1, arbitrary: fc.constant('own' as const) },
    ),
    kind:
      kind === undefined
        ? fc.constantFrom(...kinds)
        : fc.oneof({ weight: 6, arbitrary: fc.constant(kind) }, fc.constantFrom(...kinds)),
    pick: fc.nat(30),
    form: fc.constantFrom(...forms),
  });

const bodyRef = (kind?: string): fc.Arbitrary<BodyRef> =>
  ref(kind).map((one) => new BodyRef({ ...one, form: one.form === 'upper' ? 'upper' : 'plain' }));

/** Bodies with identifiers in them, some of them right. */
function bodyFor(name: ResourceName, depth: number): fc.Arbitrary<BodyPlan> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [member, { kind, of }] of Object.entries(contract[name])) {
    if (kind === 'string') members[member] = fc.oneof(bodyRef(), fc.constant('text'));
    else if (kind === 'object') members[member] = bodyRef().map((one) => ({ deep: [one] }));
    else if (kind === 'list' && of !== undefined && depth > 0)
      members[member] = fc.array(elementOf(of, depth - 1), { maxLength: 2 });
  }
  members['id'] = bodyRef(parameterOfResource[name]);
  // Few of them, so that many a body is accepted: the read-only ones hardly ever are.
  return fc
    .tuple(fc.subarray(Object.keys(members), { maxLength: 3 }), fc.record(members), fc.nat(9))
    .map(([chosen, values, luck]) => {
      const wanted = chosen.filter((member) => luck === 0 || contract[name][member]?.readOnly !== true);
      return { ...leastBody(name), ...Object.fromEntries(wanted.map((member) => [member, values[member]])) };
    });
}

function elementOf(name: ResourceName, depth: number): fc.Arbitrary<BodyPlan> {
  return fc
    .tuple(bodyFor(name, depth), fc.option(bodyRef(parameterOfResource[name]), { nil: undefined }))
    .map(([body, id]) => (id === undefined ? body : { ...body, id }));
}

const cursor: fc.Arbitrary<CursorPlan> = fc.record({
  rank: fc.integer({ min: -1, max: 5 }),
  ref: ref(undefined).map((one) => ({ ...one, form: 'plain' as const })),
  how: fc.constantFrom('real', 'real', 'member', 'project', 'bare'),
});

const headerNames = [
  'x-request-id',
  'x-account-id',
  'x-forwarded-user',
  'x-original-url',
  'x-http-method-override',
  'if-match',
  'if-none-match',
  'cookie',
  'referer',
];

/** Any route and method, with the identifiers of `foreign` anywhere. */
export const anyPlan: fc.Arbitrary<Plan> = fc.constantFrom(...endpoints).chain(({ method, path, body }) => {
  const name = resourceAt(path);
  const otherMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  return fc.record({
    prefix: fc.constantFrom('/api/v1', '/v1'),
    method: fc.oneof({ weight: 9, arbitrary: fc.constant(method) }, fc.constantFrom(...otherMethods)),
    path: fc.constant(path),
    whose: fc.constantFrom('foreign', 'own', 'own'),
    pick: fc.nat(60),
    refs: fc.oneof(
      { weight: 2, arbitrary: fc.constant(parametersIn(path).map(() => undefined)) },
      {
        weight: 3,
        arbitrary: fc.tuple(...parametersIn(path).map((parameter) => fc.option(ref(parameter), { nil: undefined, freq: 2 }))),
      },
    ),
    query:
      method === 'GET'
        ? fc
            .record(
              { limit: fc.integer({ min: 1, max: 3 }), cursor, fields: ref(undefined), other: ref(undefined) },
              { requiredKeys: [] },
            )
            .map(({ fields, other, ...query }) => ({ ...query, ...rarely(fields, 'fields'), ...rarely(other, 'other') }))
        : fc.constant({}),
    body: body === undefined ? fc.option(bodyFor(name, 1), { nil: undefined, freq: 5 }) : bodyFor(name, 2),
    headers: fc.dictionary(
      fc.constantFrom(...headerNames),
      ref(undefined).map((one) => ({ ...one, form: 'plain' as const })),
      { maxKeys: 2 },
    ),
  });
});

/** A parameter that makes nearly every request a bad one. */
function rarely(one: Ref | undefined, name: string): Record<string, Ref> {
  return one !== undefined && one.pick % 6 === 0 ? { [name]: one } : {};
}

/** One of the two worlds. */
export class Side {
  readonly mapwright: Mapwright;
  readonly key: string;
  /** What stands where a plan says `foreign`. */
  readonly foreign: Seen;
  /** Cursors that a list of the other one gave out. */
  readonly cursors: readonly string[];
  /** What the asker had from the start, and what it has made since, in the order in which it was seen. */
  readonly own: Record<string, string[]>;
  readonly #places: Record<string, Place[]>;
  /** Names that do not depend on the world, by identifier. */
  readonly #names = new Map<string, string>();
  readonly #runs: string[] = [];
  #made = 0;

  constructor(mapwright: Mapwright, key: string, { ids: own, places }: Seen, foreign: Seen, cursors: readonly string[]) {
    this.mapwright = mapwright;
    this.key = key;
    this.foreign = foreign;
    this.cursors = cursors;
    this.own = Object.fromEntries(Object.entries(own).map(([kind, ids]) => [kind, [...ids]]));
    this.#places = Object.fromEntries(Object.entries(places).map(([kind, all]) => [kind, [...all]]));
    for (const [whose, pools] of Object.entries({ own, foreign: foreign.ids })) {
      for (const [kind, ids] of Object.entries(pools)) {
        for (const [i, id] of ids.entries()) {
          this.#names.set(id, `<${whose} ${kind} ${i}>`);
          this.#names.set(cut(id), `<${whose} ${kind} ${i}, cut>`);
        }
      }
    }
  }

  /** Carries a plan out: what was sent, and the answer in words that do not depend on the world. */
  async run(plan: Plan): Promise<{ sent: string; shown: string; answer: Answer }> {
    const { place, method, target, headers, body } = this.#render(plan);
    const answer = await this.mapwright.ask(method, target, { key: this.key, headers, ...(body === undefined ? {} : { body }) });
    this.#learn(answer, method, plan.path, place);
    const { date: _date, ...rest } = answer.headers;
    const link = rest['link'] === undefined ? {} : { link: this.#named(openCursors(String(rest['link']))) };
    // An entity tag repeats what was asked for, which the asker knows.
    const query = new URLSearchParams(target.split('?')[1]).toString();
    const etag = rest['etag'] === undefined || query === '' ? {} : { etag: String(rest['etag']).replace(query, '<the query>') };
    // Slugs are random, and identifiers compress differently.
    const text = answer.text.replaceAll(/\b0[0-9a-z]{26}\b/g, '<slug>').replace(/"bytes":\d+(?=,"stale")/, '"bytes":0');
    const isRandom = text !== answer.text;
    const length = isRandom ? { 'content-length': '0' } : {};
    // So does the digest of a list in its entity tag.
    const digestless =
      isRandom && rest['etag'] !== undefined ? { etag: String(rest['etag']).replace(/-n-[\w-]{43}/, '-n-') } : etag;
    const shown = JSON.stringify({ status: answer.status, headers: { ...rest, ...link, ...digestless, ...length }, text });
    return {
      sent: `${method} ${target} ${JSON.stringify(headers)} ${body ?? ''}`,
      shown: this.#named(this.#runless(shown)),
      answer,
    };
  }

  /** Entity tags and event ids without the random ids of runs, which are numbered in the order in which they are seen. */
  #runless(text: string): string {
    return text.replaceAll(/(?<=[0-9a-f]{16}\.)[0-9a-f]{16}(?=-)/g, (id) => {
      if (!this.#runs.includes(id)) this.#runs.push(id);
      return `<run ${this.#runs.indexOf(id)}>`;
    });
  }

  #render({ prefix, method, path, whose, pick, refs, query, body, headers }: Plan) {
    const parameters = parametersIn(path);
    const places = (whose === 'own' ? this.#places : this.foreign.places)[parameters.at(-1) ?? ''] ?? [{}];
    const present = places[pick % places.length] ?? {};
    const sentIn = parameters.map((parameter, i) => {
      const one = refs[i];
      return one === undefined ? (present[parameter] ?? 'none') : this.#id(one);
    });
    const place: Place = Object.fromEntries(parameters.map((parameter, i) => [parameter, sentIn[i] as string]));
    const address = path.replaceAll(/:(\w+)/g, (_, parameter: string) => place[parameter] as string);
    const { limit, fields, cursor: where, other } = query;
    const parts = [
      limit === undefined ? '' : `limit=${limit}`,
      where === undefined ? '' : `cursor=${this.#cursor(where)}`,
      fields === undefined ? '' : `fields=name,${this.#id(fields)}`,
      other === undefined ? '' : `${this.#id(other)}=1`,
    ].filter((part) => part !== '');
    const sent: Record<string, string> = { 'x-request-id': 'the-same' };
    for (const [name, one] of Object.entries(headers)) sent[name] = this.#id(one);
    return {
      place,
      method,
      target: prefix + address + (parts.length > 0 ? `?${parts.join('&')}` : ''),
      headers: sent,
      body:
        body === undefined
          ? undefined
          : JSON.stringify(body, (_, value: unknown) => (value instanceof BodyRef ? this.#id(value.ref) : value)),
    };
  }

  #id({ whose, kind = 'project_id', pick, form }: Ref): string {
    const pool = (whose === 'own' ? this.own : this.foreign.ids)[kind] ?? [];
    const id = pool[pick % pool.length] ?? 'none';
    switch (form) {
      case 'plain':
        return id;
      case 'upper':
        return id.toUpperCase();
      case 'encoded':
        return `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
      case 'slashed':
        return `x%2F..%2F${id}`;
      case 'cut':
        return cut(id);
      case 'doubled':
        return `${id}%00`;
    }
  }

  #cursor({ rank, ref: one, how }: CursorPlan): string {
    const encode = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    if (how === 'member') return encode([0, rank, this.#id(one)]);
    if (how === 'project') return encode([this.#id(one)]);
    if (how === 'bare') return this.#id(one);
    return this.cursors[one.pick % this.cursors.length] as string;
  }

  /** Takes what a create has made into the pools, so that later plans reach it. */
  #learn({ status, text }: Answer, method: string, path: string, place: Place): void {
    if (status !== 200 || method !== 'POST') return;
    const { id } = JSON.parse(text) as { id: string };
    const kind = parameterOfResource[resourceAt(path)] as string;
    this.own[kind]?.push(id);
    this.#places[kind]?.push({ ...place, [kind]: id });
  }

  /** The text with a name in place of every identifier. What is not known is named in the order in which it turns up. */
  #named(text: string): string {
    return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{11,12}/gi, (found) => {
      const id = found.toLowerCase();
      let name = this.#names.get(id);
      if (name === undefined) {
        name = `<new ${this.#made++}>`;
        this.#names.set(id, name);
      }
      return found === id ? name : name.toUpperCase();
    });
  }
}

/** An identifier that is nearly one. */
const cut = (id: string): string => id.slice(0, -1);

/** Cursors in a Link header as the JSON that they are: those of two worlds hold different identifiers. */
function openCursors(link: string): string {
  return link.replaceAll(/cursor=([\w-]+)/g, (_, text: string) => `cursor=${Buffer.from(text, 'base64url').toString()}`);
}

/** The same with, for every identifier, another one of the same form and time that nothing has; those in `kept` stay. */
export function ghostsOf({ ids, places }: Seen, kept: readonly string[]): Seen {
  const ghosts = new Map<string, string>();
  for (const id of Object.values(ids).flat()) {
    ghosts.set(id, kept.includes(id) ? id : `${id.slice(0, 24)}fade${ghosts.size.toString(16).padStart(7, '0')}0`);
  }
  const ghost = (id: string): string => ghosts.get(id) as string;
  const ghostly = (place: Place): Place => Object.fromEntries(Object.entries(place).map(([name, id]) => [name, ghost(id)]));
  return {
    ids: Object.fromEntries(Object.entries(ids).map(([kind, all]) => [kind, all.map(ghost)])),
    places: Object.fromEntries(Object.entries(places).map(([kind, all]) => [kind, all.map(ghostly)])),
  };
}

/** @param but projects to leave out */
export async function seenBy(mapwright: Mapwright, key: string, but: readonly string[] = []): Promise<Seen> {
  const ids: Record<string, string[]> = Object.fromEntries(kinds.map((kind) => [kind, []]));
  const places: Record<string, Place[]> = Object.fromEntries(kinds.map((kind) => [kind, []]));
  const collect = (name: ResourceName, shown: Record<string, unknown>, holder: Place): void => {
    const kind = parameterOfResource[name] as string;
    const id = shown['id'] as string;
    const place = { ...holder, [kind]: id };
    ids[kind]?.push(id);
    places[kind]?.push(place);
    for (const [member, { of }] of Object.entries(contract[name])) {
      if (of !== undefined) for (const held of shown[member] as Record<string, unknown>[]) collect(of, held, place);
    }
  };
  for (const project of (await mapwright.get('/projects', { key })).list) {
    ids['account'] = [project['user_id'] as string];
    if (but.includes(project.id)) continue;
    collect('Project', project, {});
  }
  return { ids, places };
}
