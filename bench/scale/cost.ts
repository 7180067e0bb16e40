/** What requests cost a server, and requests about the members of some collections. */
import { everyCityAsSpot } from '../../data/cities.ts';
import type { Request } from '../lib/ask.ts';
import type { Place } from './fill.ts';
import type { Probed } from './probed.ts';
import { objectsPath, randomNumbers } from './traffic.ts';
import { volley } from './volley.ts';

/** Microseconds on a core for each of the requests that `next` gives, sent again and again for so many seconds. */
export async function cost(
  server: Probed,
  seconds: number,
  next: () => readonly Request[],
  onAnswer?: (path: string, body: Buffer) => void,
) {
  const until = performance.now() + seconds * 1000;
  let microseconds = 0;
  let count = 0;
  do {
    const requests = next();
    const before = await server.vitals();
    await volley(server, requests, undefined, onAnswer && ((i, body) => onAnswer((requests[i] as Request).path, body)));
    microseconds += (await server.vitals()).cpuUs - before.cpuUs;
    count += requests.length;
  } while (performance.now() < until);
  return microseconds / count;
}

/** Objects in some places: read, changed, and created and deleted in turn, so that there are always about as many. */
export class Members {
  readonly #server: Probed;
  readonly #places: readonly Place[];
  readonly #volley: number;
  readonly #random = randomNumbers(7);
  /** Addresses of objects in the order in which they are to be deleted; the first ones stand anywhere in their collections. */
  #deletable: string[] = [];
  readonly #kept: readonly string[];
  readonly #cities = everyCityAsSpot().map((city) => JSON.stringify(city));

  constructor(server: Probed, places: readonly Place[], count: number) {
    this.#server = server;
    this.#places = places;
    this.#volley = count;
    const all = places.flatMap((place) => place.objects.map((id) => `${objectsPath(place)}/${id}`));
    for (let i = all.length - 1; i > 0; i--) {
      const j = this.#random(i + 1);
      [all[i], all[j]] = [all[j] as string, all[i] as string];
    }
    // A thousand are asked, however many there are: it is not the caches of the processor that are compared.
    const kept = Math.ceil(Math.min(all.length / 2, 1000));
    this.#kept = all.slice(0, kept);
    this.#deletable = all.slice(kept);
  }

  get(seconds: number): Promise<number> {
    return cost(this.#server, seconds, () => this.#each((path) => ({ method: 'GET', path })));
  }

  patch(seconds: number): Promise<number> {
    return cost(this.#server, seconds, () =>
      this.#each((path) => ({ method: 'PATCH', path, body: `{"x":${this.#random(1_000_000)}}` })),
    );
  }

  /** What creating them costs, or deleting as many; each of the two is done, one is measured. */
  async change(seconds: number, measured: 'create' | 'delete'): Promise<number> {
    const until = performance.now() + seconds * 1000;
    const costs: number[] = [];
    do {
      const created: string[] = [];
      const creating = await cost(
        this.#server,
        0,
        () => this.#creations(),
        (path, body) => {
          created.push(`${path}/${(JSON.parse(body.toString()) as { id: string }).id}`);
        },
      );
      this.#deletable.push(...created);
      const going = this.#deletable.splice(0, created.length);
      const deleting = await cost(this.#server, 0, () => going.map((path) => ({ method: 'DELETE', path })));
      costs.push(measured === 'create' ? creating : deleting);
    } while (performance.now() < until);
    return costs.reduce((sum, each) => sum + each, 0) / costs.length;
  }

  #each(request: (path: string) => Request): Request[] {
    return Array.from({ length: this.#volley }, (_, i) => request(this.#kept[i % this.#kept.length] as string));
  }

  #creations(): Request[] {
    return Array.from({ length: this.#volley }, (_, i) => ({
      method: 'POST',
      path: objectsPath(this.#places[i % this.#places.length] as Place),
      body: this.#cities[this.#random(this.#cities.length)] as string,
    }));
  }
}
