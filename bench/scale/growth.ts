/**
 * Growth: what a request costs the server when a million objects are stored against a thousand, and in a collection of all cities against
 * one of ten. Cost is the time that all of the server's threads spent on a core, for each request: a rate would also measure the load.
 */
import { everyCityAsSpot } from '../../data/cities.ts';
import { call, type Request } from '../lib/ask.ts';
import { moveToLoadCore } from '../lib/pin.ts';
import { compare, type Side } from '../lib/turns.ts';
import type { Bench, Context, Row } from '../row.ts';
import { cost, Members } from './cost.ts';
import type { Place } from './fill.ts';
import { filledFolder, short, withCopy } from './folders.ts';
import { noSnapshots, type Probed, startProbed } from './probed.ts';
import { flat, objectsPerProject } from './restart.ts';
import { listsOf, objectsPath } from './traffic.ts';
import { volley } from './volley.ts';

/** What a request may cost more in a large store: its data are in no cache of the processor. */
const requestGoal = { atMost: 1.15 } as const;

interface Sizes {
  /** Objects in the two folders. */
  readonly many: number;
  readonly few: number;
  /** Projects that the requests go to, in either. */
  readonly places: number;
  /** Cities in the large collection, members in each small one, and how many of these there are. */
  readonly cities: number;
  readonly members: number;
  readonly collections: number;
  /** Projects in the long and in the short list of an account. */
  readonly projects: number;
  readonly fewProjects: number;
  /** Requests of one volley. */
  readonly volley: number;
  readonly pageMembers: number;
}

const full: Sizes = {
  ...{ many: 1_000_000, few: 1000, places: 100, cities: Number.POSITIVE_INFINITY, members: 10, collections: 200 },
  ...{ projects: 10_000, fewProjects: 200, volley: 2000, pageMembers: 100 },
};
const tiny: Sizes = {
  ...{ many: 200, few: 20, places: 2, cities: 60, members: 3, collections: 3 },
  ...{ projects: 12, fewProjects: 6, volley: 8, pageMembers: 3 },
};

/** Pages of a list that are asked for, again and again. */
const distinctPages = 2;

const sizesOf = ({ tiny: asTest }: Context): Sizes => (asTest ? tiny : full);

/** Each names a bench, so that `--only growth` runs all of them. */
export const growthOfStore: Bench = {
  name: 'growth-store',
  about: 'cost of requests at 1 M objects stored against 1 k',
  run(context) {
    moveToLoadCore();
    return byObjectsStored(context, sizesOf(context));
  },
};

export const growthOfCollection: Bench = {
  name: 'growth-collection',
  about: 'cost of requests in a collection of 135 k members against one of 10',
  run(context) {
    moveToLoadCore();
    return byMembers(context, sizesOf(context));
  },
};

export const growthOfAccount: Bench = {
  name: 'growth-account',
  about: 'cost of a page of the list of 10 k projects against 200',
  run(context) {
    moveToLoadCore();
    return byProjects(context, sizesOf(context));
  },
};

/** One request costs as much as another where so many are stored? Objects are asked that were asked before, as many of them on both sides. */
async function byObjectsStored(context: Context, sizes: Sizes): Promise<Row[]> {
  const perProject = context.tiny ? objectsPerProject.tiny : objectsPerProject.full;
  const spec = (objects: number, objectsPerProject: number) => ({ objects, objectsPerProject, kept: 'snapshot' }) as const;
  const many = await filledFolder(context, spec(sizes.many, perProject));
  const few = await filledFolder(context, spec(sizes.few, sizes.few / sizes.places));
  const every = Math.floor(many.places.length / sizes.places);
  const touched = many.places.filter((_, i) => i % every === 0).slice(0, sizes.places);
  return await withCopy(many, (manyCopy) =>
    withCopy(few, (fewCopy) =>
      withServer(context, manyCopy, (large) =>
        withServer(context, fewCopy, async (small) => {
          await volley(large, listsOf(touched));
          await volley(small, listsOf(few.places));
          const names = {
            ours: short(sizes.many),
            other: short(sizes.few),
            joined: `${short(sizes.many)} / ${short(sizes.few)} stored`,
          };
          const inLarge = new Members(large, touched, sizes.volley);
          const inSmall = new Members(small, few.places, sizes.volley);
          const note = `a tenth of the ${short(sizes.many)} touched, the same number asked on both sides`;
          return await inTurn(context, names, inLarge, inSmall, note);
        }),
      ),
    ),
  );
}

/** The same in one server, by the size of the collection that a request is about. */
async function byMembers(context: Context, sizes: Sizes): Promise<Row[]> {
  const cities = everyCityAsSpot().slice(0, sizes.cities);
  return await withServer(context, undefined, async (server) => {
    const [large] = await makePlaces(server, 1, cities);
    const small = await makePlaces(server, sizes.collections, cities.slice(0, sizes.members));
    const paged = await makePlaces(server, 1, cities.slice(0, 2 * sizes.pageMembers));
    if (large === undefined || paged[0] === undefined) throw new Error('no project was made');
    const ofLarge = short(cities.length);
    const names = { ours: ofLarge, other: String(sizes.members), joined: `in a collection of ${ofLarge} / ${sizes.members}` };
    const pages = async (place: Place): Promise<Side> => {
      const requests = await pagesOf(server, objectsPath(place), sizes.pageMembers, sizes.volley);
      return { name: short(place.objects.length), measure: (seconds) => cost(server, seconds, () => requests) };
    };
    const { volley: count } = sizes;
    return [
      ...(await inTurn(context, names, new Members(server, [large], count), new Members(server, small, count))),
      ...(await compare(context, {
        unit: 'us',
        what: `page of a list of ${ofLarge}`,
        ours: await pages(large),
        others: [
          {
            ...(await pages(paged[0])),
            what: `page of ${sizes.pageMembers}, list of ${ofLarge} / ${paged[0].objects.length}`,
            goal: flat,
          },
        ],
      })),
    ];
  });
}

/** Pages of an account's list of projects. */
async function byProjects(context: Context, sizes: Sizes): Promise<Row[]> {
  const side = (server: Probed, name: string, requests: readonly Request[]): Side => ({
    name,
    measure: (seconds) => cost(server, seconds, () => requests),
  });
  return await withServer(context, undefined, (large) =>
    withServer(context, undefined, async (small) => {
      const pages: Request[][] = [];
      for (const [server, projects] of [[large, sizes.projects] as const, [small, sizes.fewProjects] as const]) {
        const requests = Array.from({ length: projects }, (_, i) => ({
          method: 'POST',
          path: '/projects',
          body: `{"name":"${i}"}`,
        }));
        await volley(server, requests);
        pages.push(await pagesOf(server, '/projects', sizes.pageMembers, Math.max(1, sizes.volley / 10)));
      }
      const names = [short(sizes.projects), short(sizes.fewProjects)] as const;
      return compare(context, {
        unit: 'us',
        what: `page of a list of ${names[0]} projects`,
        ours: side(large, names[0], pages[0] ?? []),
        others: [
          {
            ...side(small, names[1], pages[1] ?? []),
            what: `page of ${sizes.pageMembers}, list of ${names[0]} / ${names[1]} projects`,
            goal: flat,
          },
        ],
      });
    }),
  );
}

async function withServer<T>(
  { program }: Context,
  data: { readonly folder: string; readonly key: string } | undefined,
  use: (server: Probed) => Promise<T>,
): Promise<T> {
  const server = await startProbed(program, { flags: noSnapshots, ...(data && { data }) });
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

interface Names {
  readonly ours: string;
  readonly other: string;
  readonly joined: string;
}

/** The four operations on members, on a large and on a small side. */
async function inTurn(context: Context, names: Names, large: Members, small: Members, note?: string): Promise<Row[]> {
  const operations: [string, (members: Members, seconds: number) => Promise<number>][] = [
    ['GET', (members, seconds) => members.get(seconds)],
    ['PATCH', (members, seconds) => members.patch(seconds)],
    ['POST', (members, seconds) => members.change(seconds, 'create')],
    ['DELETE', (members, seconds) => members.change(seconds, 'delete')],
  ];
  const rows: Row[] = [];
  for (const [operation, measure] of operations) {
    const comparison = {
      unit: 'us',
      what: `cost of ${operation}, ${names.ours}`,
      ours: { name: names.ours, measure: (seconds: number) => measure(large, seconds) },
      others: [
        {
          name: names.other,
          what: `cost of ${operation}, ${names.joined}`,
          measure: (seconds: number) => measure(small, seconds),
          goal: requestGoal,
          note,
        },
      ],
    };
    rows.push(...(await compare(context, comparison)));
  }
  return rows;
}

/** Projects of one artboard with these objects on it, sent in pieces that one body may have. */
async function makePlaces(server: Probed, count: number, objects: readonly unknown[]): Promise<Place[]> {
  const places: Place[] = [];
  for (let i = 0; i < count; i++) {
    const { id: project } = await call(server, 'POST', '/projects', { name: 'Cities' });
    const { id: artboard } = await call(server, 'POST', `/projects/${project}/artboards`, { name: 'Map' });
    const place: Place = { project, artboard, objects: [] };
    const path = objectsPath(place);
    const ids: string[] = [];
    const requests = objects.map((object) => ({ method: 'POST', path, body: JSON.stringify(object) }));
    await volley(server, requests, undefined, (_, body) => ids.push((JSON.parse(body.toString()) as { id: string }).id));
    places.push({ ...place, objects: ids });
  }
  return places;
}

/**
 * Requests for {@link distinctPages} pages from all over a list, `count` in all: of no more than that, so that on both sides of a
 * comparison as much is read.
 */
async function pagesOf(server: Probed, path: string, members: number, count: number): Promise<Request[]> {
  const pages: Request[] = [];
  let cursor = '';
  for (;;) {
    const page = `${path}?limit=${members}${cursor}`;
    const { headers } = await fetch(server.url + page, { headers: { authorization: `Bearer ${server.key}` } });
    pages.push({ method: 'GET', path: page });
    const next = /[?&](cursor=[^&>]+)/.exec(headers.get('link') ?? '')?.[1];
    if (next === undefined) break;
    cursor = `&${next}`;
  }
  // The last one of a long list may not be full.
  const whole = pages.slice(0, Math.max(distinctPages, pages.length - 1));
  return Array.from({ length: count }, (_, i) => {
    const at = Math.floor((((i % distinctPages) + 0.5) * whole.length) / distinctPages);
    return whole[at] as Request;
  });
}
