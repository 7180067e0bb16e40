/**
 * Batches with identifiers, places and moves, as the model has them: what is sent, and what becomes of the project, operation by operation.
 *
 * A resource to which the server gives an identifier has the name of its result until the response is there, such as `{as_2}`; objects in the body of an
 * artboard have `{as_2}.0` and so on.
 */
import type { Answer } from '../support/mapwright.ts';
import { listPath, type Model, mustBe } from './model.ts';
import { created, type Doc, everythingIn, listsOf, membersOf, type Sent, updated } from './model-resources.ts';

/** Everything that chance decides about an operation; numbers choose among what there is. */
export interface Plan {
  readonly action: 'create' | 'place' | 'move' | 'delete' | 'again';
  readonly name: string;
  readonly board: number;
  readonly at: number;
  readonly to: number;
  /** Which member it comes before; `undefined` for none. */
  readonly before: number | undefined;
  /** How the identifier of something new is chosen. */
  readonly id: 'server' | 'fresh' | 'taken';
  readonly body: Sent;
}

/** A refusal of the whole batch. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly index: number;
}

const refusal = (code: string, index: number): Refusal => ({ status: 409, code, index });

let made = 0;

/** An identifier of a client: a UUIDv7 of some time around now. */
function freshId(pick: number): string {
  const time = (Date.now() + ((pick * 7919) % 400_000) - 200_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(++made).padStart(12, '0')}`;
}

const members = (doc: Doc, name: string): Doc[] => {
  const [member] = listsOf(name === 'Object' ? 'Artboard' : 'Project').find(([, of]) => of === name) as [string, string];
  return doc[member] as Doc[];
};

const objectsOn = (doc: Doc): Doc[] => (doc['objects'] as Doc[] | undefined) ?? [];

/** All identifiers of a project and in it. */
const idsIn = (project: Doc): string[] => [...everythingIn('Project', project)].map(([, { id }]) => id);

/** True if an operation of the same batch can name it. */
const isNamed = ({ id }: Doc): boolean => !id.includes('}.');

/** Where a member goes in a list; -1 if the list does not have the one that it is to come before. */
const positionIn = (list: readonly Doc[], before: string | null): number =>
  before === null ? list.length : list.findIndex(({ id }) => id === before);

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)];

export class BatchDraft {
  readonly operations: Sent[] = [];
  readonly #before: string;
  readonly #project: Doc;
  /** The JSON of each result. */
  readonly #results: string[] = [];
  /** Identifiers that the client has chosen. */
  readonly #chosen = new Set<string>();
  /** Identifiers that were deleted, which are free again. */
  readonly #gone: string[] = [];
  #refusal: Refusal | undefined;

  constructor(project: Doc) {
    this.#before = JSON.stringify(project);
    this.#project = structuredClone(project);
  }

  /** Adds an operation, unless there is nothing for it. What follows a refusal is sent, and never carried out. */
  add(plan: Plan): void {
    const boards = members(this.#project, 'Artboard');
    const board = pick(boards, plan.board);
    const holder = plan.name === 'Object' ? board : this.#project;
    if (holder === undefined || this.#refusal !== undefined) return;
    const list = members(holder, plan.name);
    const path = listPath(plan.name === 'Object' ? `/artboards/${board?.id}` : '', plan.name);
    const current = pick(list.filter(isNamed), plan.at);
    if (plan.action === 'create' || plan.action === 'again') this.#create(plan, path, list);
    else if (current === undefined) return;
    else if (plan.action === 'delete') this.#delete(path, list, current);
    else if (plan.action === 'move' && plan.name === 'Object') this.#move(plan, `${path}/${current.id}`, list, current);
    else this.#place(plan, `${path}/${current.id}`, list, current);
  }

  #create(plan: Plan, path: string, list: Doc[]): void {
    const index = this.operations.length;
    const id = plan.action === 'again' ? pick(this.#gone, plan.at) : this.#idOf(plan);
    const [body, meant] = this.#withName(plan);
    const doc = created(plan.name, meant);
    const objects = objectsOn(doc);
    const given = objects.map((_, i) => (id === undefined || i % 2 === 1 ? undefined : freshId(plan.at + i)));
    const sent = given.some((each) => each !== undefined)
      ? {
          ...body,
          objects: (body['objects'] as Sent[]).map((one, i) => ({ ...one, ...(given[i] && { id: given[i] }) })),
        }
      : body;
    const before = plan.before === undefined ? undefined : this.#target(plan.before, list);
    this.operations.push({
      ...{ method: 'POST', path, body: sent, as: `as_${index}` },
      ...(id === undefined ? {} : { id }),
      ...(before === undefined ? {} : { before }),
    });
    const at = positionIn(list, before ?? null);
    const isTaken = id !== undefined && idsIn(this.#project).includes(id);
    if (at < 0 || isTaken) {
      this.#refusal = refusal(at < 0 ? 'not_in_collection' : 'identifier_in_use', index);
      return;
    }
    for (const each of [id, ...given]) if (each !== undefined) this.#chosen.add(each);
    doc.id = id ?? `{as_${index}}`;
    for (const [i, object] of objects.entries()) object.id = given[i] ?? `{as_${index}}.${i}`;
    list.splice(at, 0, doc);
    this.#results.push(JSON.stringify(doc));
  }

  /** The body, one reference of which may be the name of an earlier result; and the body that this means. */
  #withName({ name, body, at }: Plan): [sent: Sent, meant: Sent] {
    const earlier = pick(
      this.operations.filter(({ method }) => method === 'POST'),
      at,
    );
    const reference = membersOf(name).find(({ schema }) => schema['x-references'] !== undefined);
    if (earlier === undefined || reference === undefined || at % 2 === 0) return [body, body];
    const result = `{${earlier['as']}}`;
    return [
      { ...body, [reference.member]: result },
      { ...body, [reference.member]: earlier['id'] ?? result },
    ];
  }

  #delete(path: string, list: Doc[], current: Doc): void {
    this.operations.push({ method: 'DELETE', path: `${path}/${current.id}` });
    list.splice(list.indexOf(current), 1);
    this.#gone.push(...[current, ...objectsOn(current)].map(({ id }) => id).filter((id) => !id.startsWith('{')));
    this.#results.push('null');
  }

  #place(plan: Plan, path: string, list: Doc[], current: Doc): void {
    const before = this.#target(plan.before ?? 0, list);
    if (before === current.id) return;
    this.operations.push({ method: 'PATCH', path, before, body: ownPart(plan) });
    this.#put(plan, list, current, list, before);
  }

  #move(plan: Plan, path: string, list: Doc[], current: Doc): void {
    const boards = members(this.#project, 'Artboard');
    const to = pick(boards, plan.to) as Doc;
    const there = members(to, 'Object');
    const before = plan.before === undefined ? undefined : this.#target(plan.before, there);
    if (before === current.id) return;
    const placed = before === undefined ? {} : { before };
    this.operations.push({ method: 'PATCH', path, to_artboard: to.id, ...placed, body: ownPart(plan) });
    // On the artboard that has it already, it stays where it is.
    const stays = there === list && before === undefined;
    this.#put(plan, list, current, there, stays ? (list[list.indexOf(current) + 1]?.id ?? null) : (before ?? null));
  }

  #put(plan: Plan, from: Doc[], current: Doc, to: Doc[], before: string | null): void {
    if (positionIn(to, before) < 0) {
      this.#refusal = refusal('not_in_collection', this.operations.length - 1);
      return;
    }
    const doc = updated(plan.name, current, ownPart(plan));
    from.splice(from.indexOf(current), 1);
    to.splice(positionIn(to, before), 0, doc);
    this.#results.push(JSON.stringify(doc));
  }

  #idOf({ id, at }: Plan): string | undefined {
    if (id === 'server') return undefined;
    const taken = idsIn(this.#project).filter((each) => !each.startsWith('{'));
    return id === 'taken' ? taken[at % taken.length] : freshId(at);
  }

  /** The place of a member, before which it is to come: a member of the list, nothing, or something that is elsewhere. */
  #target(at: number, list: readonly Doc[]): string | null {
    if (at % 5 === 0) return null;
    return at % 23 === 1 ? this.#project.id : (pick(list.filter(isNamed), at)?.id ?? null);
  }

  /** Judges the response. Returns the project after it. */
  judge(model: Model, answer: Answer): Doc {
    if (this.#refusal !== undefined) {
      const { status, code, index } = answer.problem as unknown as Refusal;
      mustBe('a refused batch', JSON.stringify({ status, code, index }), JSON.stringify(this.#refusal));
      return JSON.parse(this.#before) as Doc;
    }
    const shown = (answer.shown['results'] as { body: Doc | null }[]).map(({ body }) => body);
    const given = new Map<string, string>();
    for (const [index, result] of this.#results.entries()) {
      const body = shown[index];
      if (this.operations[index]?.['method'] !== 'POST' || !body) continue;
      const own = JSON.parse(result) as Doc;
      for (const [one, found] of pairs([own, ...objectsOn(own)], [body, ...objectsOn(body)])) {
        model.note(found.id, this.#chosen.has(one.id));
        given.set(one.id, found.id);
      }
    }
    const named = (text: string): string =>
      text.replaceAll(/"(\{as_\d+\}(?:\.\d+)?)"/g, (whole, name: string) => (given.has(name) ? `"${given.get(name)}"` : whole));
    mustBe('the results of a batch', JSON.stringify(shown), named(`[${this.#results.join()}]`));
    return JSON.parse(named(JSON.stringify(this.#project))) as Doc;
  }
}

/** The body of a PATCH: a few members, no collection. */
const ownPart = ({ body }: Plan): Sent =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([member]) => member !== 'objects')
      .slice(0, 2),
  );

const pairs = <T>(some: readonly T[], others: readonly T[]): [T, T][] => some.map((one, i) => [one, others[i] as T]);
