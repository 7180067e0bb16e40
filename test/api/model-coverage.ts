/** What the random requests have exercised: each operation of the API, and each member of each resource. */
import { operations as all } from '../support/operations.ts';
import { allNames, type Doc, memberOf, membersOf, same } from './model-resources.ts';

/** Operations that the model does not have, with the test that does: pictures, streams, live data, and counts of visitors. */
const elsewhere: Readonly<Record<string, string>> = {
  ...{ followEvents: 'api/events', followProjectEvents: 'api/events' },
  ...{ previewArtboard: 'api/preview', previewArtboardPng: 'api/preview-png', putPublicationPicture: 'api/published-page' },
  exportArtboard: 'api/geojson',
  ...{ getDataSourceResponse: 'api/live', fetchDataSourceResponse: 'api/live', pushDataSourceResponse: 'api/live' },
  ...{ forgetDataSourceResponse: 'api/live', evaluateProject: 'api/live', listPublishedSources: 'api/live' },
  listFailingSources: 'api/failing-sources',
  ...{ showVisits: 'api/visits', exportVisits: 'api/visits' },
};

const operations = all
  .filter(({ id }) => !(id in elsewhere))
  .map(({ id, method, path }) => ({ id, method, form: new RegExp(`^(/api)?/v1${path.replaceAll(/:\w+/g, '[^/]+')}$`) }));

export class Coverage {
  readonly #counts = new Map<string, number>();

  constructor() {
    for (const { id } of operations) this.#counts.set(id, 0);
    for (const name of allNames) for (const { member } of membersOf(name)) this.#counts.set(`${name}.${member}`, 0);
  }

  /** Counts the operation that a request was. */
  asked(method: string, target: string): void {
    const path = target.replace(/\?.*$/s, '');
    // What is named comes before what is a parameter.
    const found = operations.filter((each) => each.method === method && each.form.test(path));
    const operation = found.find(({ form }) => form.source.endsWith(`${path.slice(path.lastIndexOf('/'))}$`)) ?? found[0];
    if (operation !== undefined) this.#add(operation.id);
  }

  /** Counts the members of a resource that have another value than their default. */
  shown(name: string, doc: Doc): void {
    for (const { member, fallback, of } of membersOf(name)) {
      if (!same(memberOf(doc, member), fallback ?? '')) this.#add(`${name}.${member}`);
      if (of !== undefined) for (const held of doc[member] as Doc[]) this.shown(of, held);
    }
  }

  #add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** What was never exercised. */
  get missed(): string[] {
    return [...this.#counts].flatMap(([what, count]) => (count === 0 ? [what] : []));
  }

  /** One line: how many, and the rarest. */
  get summary(): string {
    const rarest = [...this.#counts].sort(([, a], [, b]) => a - b).slice(0, 8);
    return `${this.#counts.size - this.missed.length} of ${this.#counts.size} operations and members, the rarest: ${rarest.map(([what, count]) => `${what} ${count}`).join(', ')}`;
  }
}
