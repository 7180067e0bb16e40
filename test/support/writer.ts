/**
 * A client that keeps account: it owns one collection, changes it one request at a time, and knows what a restart may show. That is what
 * was acknowledged, and where a request was on its way when the server died, either that or what it asked for, whole.
 */
import type http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { ask, type Json } from './client.ts';

export interface Connection {
  readonly url: string;
  readonly key: string;
  readonly agent: http.Agent;
}

export interface Place {
  /** Of the list, and with `/<id>` of a member. */
  readonly route: string;
  /** Where the collection can be sent whole, and the member that holds it. */
  readonly whole?: { readonly route: string; readonly name: string };
  /** What makes up a member beside its name. */
  body(tag: string): Json;
  /** The text of a member as it should be: all that {@link Place.body} put into it. */
  text(member: Json): string;
}

/** A member; one whose creation got no response has no known identifier. */
interface Item {
  readonly id: string | undefined;
  readonly text: string;
}

/** A request, and what the collection is after it. */
interface Plan {
  readonly method: string;
  readonly route: string;
  readonly body?: Json;
  readonly after: readonly Item[];
}

const membersMax = 40;
/** How long a refused writer waits, in milliseconds. */
const refusedMs = 10;

export class Writer {
  acknowledged = 0;
  /** Requests that were refused with nothing changed, by status: 503 busy, 507 disk full. */
  readonly refused = { 503: 0, 507: 0 };
  /** Answers that no client of a sound server gets. */
  readonly problems: string[] = [];
  readonly #name: string;
  readonly #place: Place;
  readonly #random: (below: number) => number;
  #sure: readonly Item[] = [];
  #pending: Plan | undefined;
  /** The result of the pending request was read: it must last. */
  #shown = false;
  #count = 0;
  #stopping = false;

  constructor(name: string, place: Place, random: (below: number) => number) {
    this.#name = name;
    this.#place = place;
    this.#random = random;
  }

  /** Whether a request has no answer, and {@link check} has not yet read whether it was applied. */
  get isUnsure(): boolean {
    return this.#pending !== undefined;
  }

  /** Ends {@link run} and {@link watch} when the requests under way are answered. */
  stop(): void {
    this.#stopping = true;
  }

  /** Writes until it is stopped, the connection breaks, or the server says that it has failed. */
  async run(server: Connection): Promise<void> {
    this.#stopping = false;
    while (!this.#stopping) {
      const plan = this.#plan();
      this.#pending = plan;
      this.#shown = false;
      const answer = await ask(server, plan.method, plan.route, plan.body).catch(() => undefined);
      if (answer === undefined) return;
      // A server that is stopping does not know what became of the request; with any other refusal nothing has changed.
      if (answer.status === 503 && /may or may not|may still become durable/.test(answer.text)) return;
      const shown = this.#shown;
      this.#pending = undefined;
      this.#shown = false;
      if (answer.status === 503 || answer.status === 507) {
        this.refused[answer.status]++;
        if (shown) this.problems.push(`${plan.method} ${plan.route}: ${answer.status}, but its result was read`);
        if (/has failed|is closed/.test(answer.text)) return;
        await setTimeout(refusedMs);
        continue;
      }
      if (answer.status !== 200 && answer.status !== 204) {
        this.problems.push(`${plan.method} ${plan.route}: ${answer.status} ${answer.text}`);
        return;
      }
      this.#acknowledge(plan, answer.json);
    }
  }

  /** Reads until it is stopped or the connection breaks; what it was shown must still be there after a crash. */
  async watch(server: Connection): Promise<void> {
    while (!this.#stopping) {
      const answer = await ask(server, 'GET', this.#place.route).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status !== 200) {
        // A read that is refused proves nothing; a server that is ending refuses.
        if (answer.status !== 503) this.problems.push(`GET ${this.#place.route}: ${answer.status} ${answer.text}`);
        await setTimeout(refusedMs);
        continue;
      }
      // After a deletion, an old list may look the same: that one proves nothing.
      const { method, after } = this.#pending ?? {};
      if (after !== undefined && method !== 'DELETE' && matches(after, this.#items(answer.json))) this.#shown = true;
    }
  }

  /** Compares with what a restarted server has, and takes it for true from then on; says what is wrong. */
  async check(server: Connection): Promise<string | undefined> {
    const { json, text, status } = await ask(server, 'GET', this.#place.route);
    if (status !== 200) return `${this.#name}: ${status} ${text}`;
    const found = this.#items(json);
    const { after } = this.#pending ?? {};
    const taken = after !== undefined && matches(after, found);
    const asBefore = matches(this.#sure, found);
    const problem = taken || (asBefore && !this.#shown) ? undefined : this.#describe(found);
    this.#sure = found;
    this.#pending = undefined;
    this.#shown = false;
    return problem;
  }

  #items(members: Json[]): Item[] {
    return members
      .filter(({ name }) => (name as string).startsWith(`${this.#name}.`))
      .map((member) => ({ id: member.id as string, text: this.#place.text(member) }));
  }

  #plan(): Plan {
    const { route, whole } = this.#place;
    const sure = this.#sure;
    const kind = this.#random(10);
    const at = this.#random(Math.max(sure.length, 1));
    const target = sure[at];
    if (kind < 2 && whole !== undefined) {
      const kept = sure.filter(() => this.#random(3) > 0).map(({ id, text }) => ({ id, text }));
      if (this.#random(2) === 0) kept.reverse();
      const added = Array.from({ length: 1 + this.#random(4) }, () => this.#next());
      const body = { [whole.name]: [...added.map(({ body }) => body), ...kept.map(({ id }) => ({ id }))] };
      return { method: 'PATCH', route: whole.route, body, after: [...added.map(({ item }) => item), ...kept] };
    }
    if (target !== undefined && (kind < 4 || sure.length >= membersMax)) {
      return { method: 'DELETE', route: `${route}/${target.id}`, after: sure.filter((item) => item !== target) };
    }
    const { item, body } = this.#next();
    if (target !== undefined && kind < 7) {
      const after = sure.map((present) => (present === target ? { ...item, id: present.id } : present));
      return { method: 'PATCH', route: `${route}/${target.id}`, body, after };
    }
    return { method: 'POST', route, body, after: [...sure, item] };
  }

  #next(): { item: Item; body: Json } {
    const tag = `${this.#name}.${++this.#count}.${'x'.repeat(this.#random(3000))}`;
    const body = { name: tag, ...this.#place.body(tag) };
    return { item: { id: undefined, text: this.#place.text(body) }, body };
  }

  #acknowledge({ method, after }: Plan, json: Json): void {
    this.acknowledged++;
    const { whole } = this.#place;
    const answered = json?.[whole?.name ?? ''] as Json[] | undefined;
    // The response names a new member; members of a whole collection keep the order in which they were sent.
    this.#sure = after.map((item, i) => ({ ...item, id: item.id ?? (method === 'POST' ? json.id : answered?.[i].id) }));
  }

  #describe(found: readonly Item[]): string {
    const short = (items: readonly Item[]) =>
      items.map(({ id, text }) => `${id?.slice(-4) ?? '?'}:${text.slice(0, 9)}`).join(' ');
    const asked = this.#pending === undefined ? 'nothing' : `${this.#pending.method} -> ${short(this.#pending.after)}`;
    return `${this.#name}: found ${short(found)}; acknowledged ${short(this.#sure)}; on its way ${asked}; shown ${this.#shown}`;
  }
}

function matches(wanted: readonly Item[], found: readonly Item[]): boolean {
  if (wanted.length !== found.length) return false;
  return wanted.every(({ id, text }, i) => text === found[i]?.text && (id === undefined || id === found[i]?.id));
}
