/**
 * The oracle of every crash: eight clients that write over HTTP, one more that reads, and what they know afterwards. What was
 * acknowledged must be there exactly, what was not is there whole or not at all, and what a reader was shown must not be taken back.
 *
 * All of it is kept in the memory of the test's own process, never on the disk that is about to fail.
 */
import http from 'node:http';
import { must, type Served } from './process.ts';
import type { Random } from './random.ts';
import { type Connection, type Place, Writer } from './writer.ts';

type Target = Pick<Served, 'url' | 'key'>;

export class Workload {
  readonly writers: readonly Writer[];
  readonly #random: Random;
  #agent = new http.Agent();
  #clients: Promise<void>[] = [];

  private constructor(writers: readonly Writer[], random: Random) {
    this.writers = writers;
    this.#random = random;
  }

  /** Makes the projects that the clients share. */
  static async on(server: Target, random: Random): Promise<Workload> {
    return new Workload(await writersOn(server, random), random);
  }

  get acknowledged(): number {
    return this.writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Requests that were refused with that status, and with nothing changed. */
  refused(status: 503 | 507): number {
    return this.writers.reduce((sum, { refused }) => sum + refused[status], 0);
  }

  /**
   * Starts all writers, and a reader of one of them, until the server dies or {@link pause} is called. A writer that does not know whether
   * its last request was applied would report a false loss later: {@link compare} comes first.
   */
  start(server: Target): void {
    const unsure = this.writers.filter(({ isUnsure }) => isUnsure).length;
    if (unsure > 0) throw new Error(`${unsure} writers wait for the outcome of a request. Call compare() before start().`);
    this.#agent = new http.Agent({ keepAlive: true });
    const connection = this.#connection(server);
    const watched = this.writers[this.#random(this.writers.length)] as Writer;
    this.#clients = [...this.writers.map((writer) => writer.run(connection)), watched.watch(connection)];
  }

  /** Resolves when no client has a request under way any more, because the server is gone. */
  async ended(): Promise<void> {
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  /** Has everybody stop after the request under way. */
  async pause(): Promise<void> {
    for (const writer of this.writers) writer.stop();
    await this.ended();
  }

  /** Waits until so many more writes were acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged + count;
    let over = false;
    void Promise.all(this.#clients).then(() => {
      over = true;
    });
    while (this.acknowledged < goal) {
      if (over) throw new Error(`the clients ended after ${this.acknowledged} of ${goal} acknowledged writes`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Compares everything with what a server has and takes that for true from then on; says what is wrong, in a line each. */
  async compare(server: Target): Promise<string[]> {
    this.#agent = new http.Agent();
    const connection = this.#connection(server);
    const found = await Promise.all(this.writers.map((writer) => writer.check(connection)));
    return [...found.filter((problem) => problem !== undefined), ...this.writers.flatMap(({ problems }) => problems)];
  }

  #connection({ url, key }: Target): Connection {
    return { url, key, agent: this.#agent };
  }
}

/** Eight, on five projects: some share a project, some an artboard's project, two own whole projects. */
async function writersOn(server: Target, random: Random): Promise<Writer[]> {
  const project = async () => must(server, 'POST', '/projects', { name: 'shared', artboards: [{}, {}] });
  const [one, two, three] = [await project(), await project(), await project()];
  const nothing = { body: () => ({}), text: ({ name }: { name: string }) => name };
  const collection = (id: string, name: string): Place => {
    return { route: `/v1/projects/${id}/${name}`, whole: { route: `/v1/projects/${id}`, name }, ...nothing };
  };
  const objects = (id: string, artboard: string): Place => {
    const route = `/v1/projects/${id}/artboards/${artboard}`;
    return { route: `${route}/objects`, whole: { route, name: 'objects' }, ...nothing, body: () => ({ type: 'spot' }) };
  };
  const projects: Place = {
    route: '/v1/projects',
    body: (tag) => ({ popups: ['a', 'b', 'c'].map((name) => ({ name: tag + name })) }),
    text: ({ name, popups }) => [name, ...popups.map((popup: { name: string }) => popup.name)].join(),
  };
  const places = [
    collection(one.id, 'popups'),
    collection(one.id, 'variables'),
    objects(two.id, two.artboards[0].id),
    objects(two.id, two.artboards[1].id),
    collection(three.id, 'popups'),
    objects(three.id, three.artboards[0].id),
    projects,
    projects,
  ];
  return places.map((place, i) => new Writer(`w${i}`, place, random));
}
