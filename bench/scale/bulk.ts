/** Bulk load: every city of the world as an object of its own, one request each, and as whole collections. */
import { everyCityAsSpot } from '../../data/cities.ts';
import { call, type Target } from '../lib/ask.ts';
import { moveToLoadCore } from '../lib/pin.ts';
import { rowOfOurs, said } from '../lib/rows.ts';
import type { Bench, Context, Row } from '../row.ts';
import { startOurs } from '../servers/ours.ts';
import { connectionsDefault, volley } from './volley.ts';

/** Body of a request that sends a whole collection, in bytes, at most: below `--body-mb`. */
const pieceBytesMax = 4.5 * 1024 * 1024;
/** Cities of a test. */
const tinyCount = 200;

interface Loaded {
  readonly seconds: number;
  readonly bytes: number;
}

export const bulk: Bench = {
  name: 'bulk',
  about: 'loads every city of the world: one by one, and as whole collections',
  async run(context) {
    moveToLoadCore();
    const all = everyCityAsSpot().map((city) => JSON.stringify(city));
    const cities = context.tiny ? all.slice(0, tinyCount) : all;
    const server = await startOurs(context.program);
    try {
      const single: Loaded[] = [];
      const whole: Loaded[] = [];
      for (let round = 0; round < context.rounds; round++) {
        single.push(await inNewProject(server, cities.length, (project) => oneByOne(server, project, cities)));
        whole.push(await inNewProject(server, cities.length, (project) => asCollections(server, project, cities)));
      }
      const connections = Math.min(connectionsDefault, cities.length);
      return [
        ...rowsOf(context, 'bulk load, one by one', cities.length, single, `${connections} connections, one artboard`),
        ...rowsOf(context, 'bulk load, whole collections', cities.length, whole, 'one connection, PATCH of an artboard'),
      ];
    } finally {
      await server.stop();
    }
  },
};

/** Calls `load` with a new project, checks that everything is in it, and deletes it. */
async function inNewProject(target: Target, count: number, load: (project: string) => Promise<Loaded>): Promise<Loaded> {
  const { id } = await call(target, 'POST', '/projects', { name: 'Cities' });
  const loaded = await load(id);
  const artboards = await call<{ objects: unknown[] }[]>(target, 'GET', `/projects/${id}/artboards`);
  const found = artboards.reduce((sum, { objects }) => sum + objects.length, 0);
  if (found !== count) throw new Error(`${count} cities were loaded, and ${found} are there`);
  await call(target, 'DELETE', `/projects/${id}`);
  return loaded;
}

async function oneByOne(target: Target, project: string, cities: readonly string[]): Promise<Loaded> {
  const { id } = await call(target, 'POST', `/projects/${project}/artboards`, { name: 'Map' });
  const path = `/projects/${project}/artboards/${id}/objects`;
  const requests = cities.map((body) => ({ method: 'POST', path, body }));
  return { seconds: await volley(target, requests), bytes: bytesOf(cities) };
}

/** An artboard for each piece: a body is bounded, and a collection that is sent becomes what was sent. */
async function asCollections(target: Target, project: string, cities: readonly string[]): Promise<Loaded> {
  const pieces = piecesOf(cities);
  const routes: string[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const { id } = await call(target, 'POST', `/projects/${project}/artboards`, { name: `Map ${i + 1}` });
    routes.push(`/projects/${project}/artboards/${id}`);
  }
  const requests = pieces.map((body, i) => ({ method: 'PATCH', path: routes[i] as string, body }));
  return { seconds: await volley(target, requests, 1), bytes: bytesOf(pieces) };
}

function piecesOf(cities: readonly string[]): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let bytes = 0;
  const end = () => pieces.push(`{"objects":[${piece.join(',')}]}`);
  for (const city of cities) {
    const size = Buffer.byteLength(city) + 1;
    if (bytes + size > pieceBytesMax) {
      end();
      piece = [];
      bytes = 0;
    }
    piece.push(city);
    bytes += size;
  }
  end();
  return pieces;
}

const bytesOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function rowsOf(context: Context, what: string, count: number, loaded: readonly Loaded[], how: string): Row[] {
  const rates = loaded.map(({ seconds }) => count / seconds);
  const megabytes = loaded.map(({ seconds, bytes }) => bytes / 1e6 / seconds);
  const rows = [
    rowOfOurs(what, 'objects/s', rates, `${count} cities, ${how}`),
    rowOfOurs(`${what}, bytes`, 'MB/s', megabytes, 'of bodies'),
  ];
  for (const row of rows) context.say(said(row));
  return rows;
}
