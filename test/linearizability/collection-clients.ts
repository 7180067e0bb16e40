/** Clients of one collection, or of its members: what they ask, and what it means to the models. */
import type { Chance } from '../support/random.ts';
import { collectionFault } from './check.ts';
import { Clients, type Planned } from './clients.ts';
import type { Element, Fields, Input, Output, Shown } from './models.ts';
import type { Heard } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

/** Where a collection is, and how the two texts of its members are called there. */
export interface Place {
  readonly name: 'popups' | 'objects';
  /** Path of what holds it: the project, or an artboard. */
  readonly holder: string;
  /** Path of the list of those. */
  readonly holders: string;
  readonly holderId: string;
  readonly fields: readonly [a: string, b: string];
}

/** How often each operation is asked: of single members, or of the collection as a whole. */
export const workloads = {
  members: { get: 6, patch: 6, 'bad-patch': 2, delete: 1 },
  collection: {
    ...{ list: 4, holder: 2, holders: 2, page: 5, post: 5, 'bad-post': 1, replace: 5, drop: 0.2 },
    ...{ get: 2, patch: 3, delete: 4, 'bad-patch': 1 },
  },
} as const;

export type Workload = keyof typeof workloads;

/** The collection with which its clients begin. */
export interface Begun {
  readonly initial: readonly Shown[];
  /** Identifiers of the members, by name. */
  readonly ids: Readonly<Record<string, string>>;
}

export class CollectionClients extends Clients<Input, Output> {
  readonly #place: Place;
  readonly #workload: Workload;
  readonly #initial: readonly Shown[];
  readonly #prefix: string;
  readonly #ids = new Map<string, string>();
  /** Pages that have a next one: their numbers, and its address. */
  readonly #nextPages: { number: number; limit: number; path: string }[] = [];
  /** The requests before all others. */
  #agenda: Input['op'][] = [];
  #named = 0;

  constructor(place: Place, workload: Workload, random: Chance, { initial, ids }: Begun, prefix = 'm') {
    super(random);
    this.#place = place;
    this.#workload = workload;
    this.#initial = initial;
    this.#prefix = prefix;
    for (const [name, id] of Object.entries(ids)) this.#ids.set(name, id);
  }

  fault(): string | undefined {
    return collectionFault(this, this.#workload, this.#initial);
  }

  protected crashed(): void {
    this.#agenda = this.#workload === 'collection' ? ['list'] : ['get', 'get', 'get'];
  }

  protected plan(): Planned<Input> {
    const random = this.random;
    const { holder, holders, name: collection } = this.#place;
    const list = `${holder}/${collection}`;
    const names = [...this.#ids.keys()];
    const op = this.#agenda.shift() ?? random.weighted<Input['op']>(this.#weights());
    switch (op) {
      case 'list':
        return { input: { op }, method: 'GET', path: list };
      case 'holder':
        return { input: { op }, method: 'GET', path: holder };
      case 'holders':
        return { input: { op }, method: 'GET', path: holders };
      case 'page':
        return this.#planPage(list);
      case 'drop':
        return { input: { op }, method: 'DELETE', path: holder };
      case 'bad-post':
        return { input: { op }, method: 'POST', path: list, body: { nmae: 'x' } };
      case 'post': {
        const [name, set] = [this.#newName(), this.#set()];
        return { input: { op, name, set }, method: 'POST', path: list, body: { ...this.#new(name), ...this.#body(set) } };
      }
      case 'replace': {
        const kept = random.shuffled(names).filter(() => !random.once(3));
        if (!random.once(3)) kept.sort((a, b) => names.indexOf(a) - names.indexOf(b));
        const elements: Element[] = kept.map((name) => ({ name, fresh: false, ...(random.once(3) ? this.#set() : {}) }));
        while (random.once(2))
          elements.splice(random.below(elements.length + 1), 0, { name: this.#newName(), fresh: true, ...this.#set() });
        const body = elements.map(({ name, fresh, ...set }) => ({
          ...(fresh ? this.#new(name) : { id: this.#ids.get(name) }),
          ...this.#body(set),
        }));
        return { input: { op, elements }, method: 'PATCH', path: holder, body: { [collection]: body } };
      }
      default: {
        if (names.length === 0) return { input: { op: 'list' }, method: 'GET', path: list };
        const name = random.pick(names);
        const path = `${list}/${this.#ids.get(name)}`;
        if (op === 'get') return { input: { op, name }, method: 'GET', path };
        if (op === 'delete') return { input: { op, name }, method: 'DELETE', path };
        if (op === 'bad-patch') return { input: { op, name }, method: 'PATCH', path, body: { [this.#place.fields[0]]: 7 } };
        const set = this.#set();
        return { input: { op, name, set }, method: 'PATCH', path, body: this.#body(set) };
      }
    }
  }

  #weights(): Record<Input['op'], number> {
    const weights = workloads[this.#workload] as Record<Input['op'], number>;
    // A request that takes everything with it is asked where it may yet be taken back; earlier there would be nothing left to ask about.
    return weights.drop === undefined || !this.crashIsNear ? weights : { ...weights, drop: 1.5 };
  }

  #planPage(list: string) {
    const number = this.history.length;
    const before = this.#nextPages.length > 0 && !this.random.once(3) ? this.random.pick(this.#nextPages) : undefined;
    const limit = before?.limit ?? 1 + this.random.below(3);
    const input: Input = { op: 'page', limit, after: before?.number, number };
    return { input, method: 'GET', path: before?.path ?? `${list}?limit=${limit}` };
  }

  #newName(): string {
    return `${this.#prefix}${++this.#named}`;
  }

  /** One text, or both; often one that is there already, so that nothing changes. */
  #set(): Fields {
    const text = () => (this.random.once(2) ? this.random.pick(['p', 'q']) : this.random.below(1e6).toString(36));
    const which = this.random.below(3);
    return { ...(which === 1 ? {} : { a: text() }), ...(which === 0 ? {} : { b: text() }) };
  }

  #new(name: string): Json {
    return this.#place.name === 'objects' ? { name, type: 'spot' } : { name };
  }

  #body(set: Fields): Json {
    const [a, b] = this.#place.fields;
    return { ...(set.a === undefined ? {} : { [a]: set.a }), ...(set.b === undefined ? {} : { [b]: set.b }) };
  }

  protected read(input: Input, { status, link, text }: Heard): Output {
    if (status === 204) return { status };
    if (status !== 200) {
      if (status !== 400 && status !== 404) this.problems.push(`${input.op}: ${status} ${text.slice(0, 200)}`);
      return { status };
    }
    const json: unknown = JSON.parse(text);
    switch (input.op) {
      case 'list':
        return { status, shown: this.#shown(json) };
      case 'page': {
        const next = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
        if (next !== undefined)
          this.#nextPages.push({ number: input.number, limit: input.limit, path: next.replace(/^\/(api\/)?v1/, '') });
        return { status, shown: this.#shown(json), more: next !== undefined };
      }
      case 'holders': {
        const held = (json as Json[]).find(({ id }) => id === this.#place.holderId);
        return held === undefined ? { status: 404 } : { status, shown: this.#shown(held[this.#place.name]) };
      }
      case 'holder':
      case 'replace':
        return { status, shown: this.#shown((json as Json)[this.#place.name]) };
      default:
        return { status, shown: this.#shown([json]) };
    }
  }

  #shown(members: unknown): Shown[] {
    const [a, b] = this.#place.fields;
    return (members as Json[]).map((member) => {
      const [name, id] = [String(member['name']), String(member['id'])];
      const known = this.#ids.get(name);
      if (known === undefined) this.#ids.set(name, id);
      else if (known !== id) this.problems.push(`${name} is ${known} and ${id}`);
      return [name, String(member[a]), String(member[b])];
    });
  }
}
