/** Requests for benches of scale: lists of whole projects, and a mix of reads and writes that leaves the number of objects as it is. */
import { everyCityAsSpot } from '../../data/cities.ts';
import type { Request } from '../lib/ask.ts';
import type { Place } from './fill.ts';

/** Address of the objects of a place. */
export const objectsPath = ({ project, artboard }: Place): string => `/projects/${project}/artboards/${artboard}/objects`;

/** One list of all objects for each place. */
export const listsOf = (places: readonly Place[]): Request[] =>
  places.map((place) => ({ method: 'GET', path: objectsPath(place) }));

/** Whole numbers from 0 to below `below`, the same ones in every run (mulberry32). */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Of a hundred requests, so many are of each kind. The rest deletes what was made, or makes something where nothing is left to delete. */
const percent = { get: 70, patch: 15, create: 7 };

/** Reads and writes of the known objects, and of those that it made itself. */
export class Mix {
  readonly #places: readonly Place[];
  readonly #cities = everyCityAsSpot().map((city) => JSON.stringify(city));
  readonly #random = randomNumbers(1);
  /** Addresses of objects that were made and not deleted yet. */
  readonly #made: string[] = [];

  constructor(places: readonly Place[]) {
    this.#places = places;
  }

  /** The next requests, and the callback for their responses. */
  next(count: number): { requests: Request[]; onAnswer: (request: number, body: Buffer) => void } {
    const requests = Array.from({ length: count }, () => this.#one());
    const onAnswer = (i: number, body: Buffer) => {
      const { method, path } = requests[i] as Request;
      if (method === 'POST') this.#made.push(`${path}/${(JSON.parse(body.toString()) as { id: string }).id}`);
    };
    return { requests, onAnswer };
  }

  #one(): Request {
    const place = this.#places[this.#random(this.#places.length)] as Place;
    const path = `${objectsPath(place)}/${place.objects[this.#random(place.objects.length)]}`;
    const kind = this.#random(100);
    if (kind < percent.get) return { method: 'GET', path };
    if (kind < percent.get + percent.patch) return { method: 'PATCH', path, body: `{"x":${this.#random(2048)}}` };
    const oldest = kind < percent.get + percent.patch + percent.create ? undefined : this.#made.shift();
    if (oldest !== undefined) return { method: 'DELETE', path: oldest };
    return { method: 'POST', path: objectsPath(place), body: this.#cities[this.#random(this.#cities.length)] as string };
  }
}
