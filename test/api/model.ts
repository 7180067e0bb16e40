/** What the server must hold, worked out from the contract's tables alone: a few maps and arrays, no log, no locks, no leaves. */
import type { Answer, Mapwright, Shown } from '../support/mapwright.ts';
import { contract, places, type ResourceName } from './contract.ts';

export interface Doc {
  id: string;
  [member: string]: unknown;
}

type Sent = Readonly<Record<string, unknown>>;

/** The members that hold resources, with what they hold. */
export const listsOf = (name: ResourceName): [member: string, of: ResourceName][] =>
  Object.entries(contract[name]).flatMap(([member, { of }]) =>
    of === undefined ? [] : [[member, of] as [string, ResourceName]],
  );

/** The defaults of the members that are absent while they have them. */
const absent: Sent = Object.fromEntries(
  Object.values(contract).flatMap((members) =>
    Object.entries(members).flatMap(([member, { optional, fallback }]) => (optional === true ? [[member, fallback]] : [])),
  ),
);

/** A member of a response, or its default if it is absent. */
export const memberOf = (doc: Sent, member: string): unknown => doc[member] ?? absent[member];

/** Without the members that are absent while they have their defaults; the others in the order of the table. */
function asShown(name: ResourceName, doc: Sent): Doc {
  const isShown = (member: string) =>
    contract[name][member]?.optional !== true || JSON.stringify(memberOf(doc, member)) !== JSON.stringify(absent[member]);
  return Object.fromEntries(
    Object.keys(contract[name])
      .filter(isShown)
      .map((member) => [member, doc[member]]),
  ) as unknown as Doc;
}

/** A new resource; its identifiers, and what else the server sets, are '' until {@link adopt}. */
export function created(name: ResourceName, body: Sent): Doc {
  const doc: Record<string, unknown> = {};
  for (const [member, { kind, fallback, readOnly, of }] of Object.entries(contract[name])) {
    if (readOnly === true) doc[member] = '';
    else if (of !== undefined) doc[member] = ((body[member] ?? []) as Sent[]).map((element) => created(of, element));
    else doc[member] = kind === 'path' ? { ...(fallback as object), ...(body[member] as object) } : (body[member] ?? fallback);
  }
  return asShown(name, doc);
}

/** A resource after an update. */
export function updated(name: ResourceName, current: Doc, body: Sent): Doc {
  const doc: Record<string, unknown> = { ...current };
  for (const [member, { kind, fallback, readOnly, of }] of Object.entries(contract[name])) {
    const sent = body[member];
    if (sent === undefined || readOnly === true) continue;
    if (of === undefined) doc[member] = kind === 'path' ? { ...(fallback as object), ...(sent as object) } : sent;
    else {
      const present = new Map((current[member] as Doc[]).map((held) => [held.id, held]));
      doc[member] = (sent as Sent[]).map((element) => {
        return element['id'] === undefined
          ? created(of, element)
          : updated(of, present.get(element['id'] as string) as Doc, element);
      });
    }
  }
  return asShown(name, doc);
}

/** What a list is asked for: members and the values they must have; members to sort by, with `-` before those that descend. */
export interface Asked {
  readonly filters: Readonly<Record<string, unknown>>;
  readonly sort: readonly string[];
}

/** The members that a list can be filtered and sorted by. */
export const scalarsOf = (name: ResourceName): string[] =>
  Object.entries(contract[name]).flatMap(([member, { kind }]) =>
    ['string', 'number', 'boolean', 'words'].includes(kind) ? [member] : [],
  );

/** The members of a list that were asked for, in the order that was asked for. */
export function listed<T extends Readonly<Record<string, unknown>>>(list: readonly T[], { filters, sort }: Asked): T[] {
  const found = list.filter((doc) => Object.entries(filters).every(([member, value]) => memberOf(doc, member) === value));
  if (sort.length === 0) return found;
  return found.sort((a, b) => {
    for (const by of [...sort, 'id']) {
      const descends = by.startsWith('-');
      const member = descends ? by.slice(1) : by;
      const [left, right] = [memberOf(a, member), memberOf(b, member)] as [string, string];
      if (left !== right) return left < right === descends ? 1 : -1;
    }
    return 0;
  });
}

/** The same as a query, without its `?`. */
export function queryOf({ filters, sort }: Asked): string {
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(filters)) query.set(member, String(value));
  if (sort.length > 0) query.set('sort', sort.join());
  return query.toString();
}

export class Model {
  readonly mapwright: Mapwright;
  readonly key: string;
  readonly projects: Doc[] = [];
  readonly validKeys: { id: string; key: string }[] = [];
  readonly revokedKeys: string[] = [];
  /** Requests with an `Idempotency-Key`, and what was answered to the first of each. */
  readonly givenOnce: { readonly ask: () => Promise<Answer>; readonly text: string }[] = [];
  /** The newest identifier seen. */
  #newest = '';

  constructor(mapwright: Mapwright, key: string) {
    this.mapwright = mapwright;
    this.key = key;
  }

  /** Takes over what only the server can know, which must be new: identifiers ascend. */
  adopt(name: ResourceName, doc: Doc, shown: Shown): void {
    if (doc.id === '') {
      this.note(shown.id, false);
      for (const [member, { readOnly }] of Object.entries(contract[name])) if (readOnly === true) doc[member] = shown[member];
    }
    for (const [member, of] of listsOf(name)) {
      (doc[member] as Doc[]).forEach((held, i) => {
        const one = (shown[member] as Shown[] | undefined)?.[i];
        if (one !== undefined) this.adopt(of, held, one);
      });
    }
  }

  /** The same for a project that was made of another one as a whole: its identifiers are all new, in no order among themselves. */
  adoptCopy(doc: Doc, shown: Shown): void {
    let newest = this.#newest;
    const adopt = (name: ResourceName, held: Doc, one: Shown): void => {
      if (one.id <= this.#newest) throw new Error(`the identifier ${one.id} is not new`);
      if (one.id > newest) newest = one.id;
      for (const [member, { readOnly }] of Object.entries(contract[name])) if (readOnly === true) held[member] = one[member];
      for (const [member, of] of listsOf(name))
        (held[member] as Doc[]).forEach((each, i) => {
          adopt(of, each, (one[member] as Shown[])[i] as Shown);
        });
    };
    adopt('Project', doc, shown);
    this.#newest = newest;
  }

  /** Takes over an identifier. @param isChosen a client chose it: those of the server that follow come after it */
  note(id: string, isChosen: boolean): void {
    if (!isChosen && id <= this.#newest) throw new Error(`the identifier ${id} does not come after ${this.#newest}`);
    if (id > this.#newest) this.#newest = id;
  }

  project(pick: number): Doc | undefined {
    return this.projects[pick % Math.max(this.projects.length, 1)];
  }

  /** Compares what the server answers to every GET with what it must hold. */
  async compare(): Promise<void> {
    await this.#expect('/projects', this.projects);
    for (const project of this.projects) {
      const at = `/projects/${project.id}`;
      await this.#expect(at, project);
      await this.#compareLists('Project', project, { '<project_id>': project.id });
    }
    for (const { ask, text } of this.givenOnce.slice(-5)) mustBe('repeated', (await ask()).text, text);
    for (const { key } of this.validKeys) await this.#expectStatus(key, 200);
    for (const key of this.revokedKeys) await this.#expectStatus(key, 401);
  }

  async #compareLists(name: ResourceName, doc: Doc, parents: Readonly<Record<string, string>>): Promise<void> {
    for (const [member, of] of listsOf(name)) {
      const [collection, parameter] = places[of];
      const at = collection.replaceAll(/<\w+>/g, (parent) => parents[parent] as string);
      await this.#expect(at, doc[member]);
      for (const held of doc[member] as Doc[]) {
        await this.#expect(`${at}/${held.id}`, held);
        await this.#compareLists(of, held, { ...parents, [parameter]: held.id });
      }
    }
  }

  async #expect(at: string, wanted: unknown): Promise<void> {
    const { text } = await this.mapwright.get(at, { key: this.key });
    mustBe(`GET ${at}`, text, JSON.stringify(wanted));
  }

  async #expectStatus(key: string, wanted: number): Promise<void> {
    const { status } = await this.mapwright.get('/projects?fields=id', { key });
    mustBe('a key', String(status), String(wanted));
  }
}

export function mustBe(what: string, found: string, wanted: string): void {
  if (found === wanted) return;
  let at = 0;
  while (found[at] === wanted[at]) at++;
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 200);
  throw new Error(`${what}, from character ${at} on:\n  found  ${around(found)}\n  wanted ${around(wanted)}`);
}
