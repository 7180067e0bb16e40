/** The requests of a visitor of a published map: its page, the pointer to its newest version, and the map, beside the floor, which sends the same bytes. */
import assert from 'node:assert/strict';
import { ask, call, type Request, type Target } from '../lib/ask.ts';
import { compare, type Side } from '../lib/turns.ts';
import { sendLoad } from '../load/throughput.ts';
import type { Bench, Context, Opened, Row } from '../row.ts';
import type { Api } from '../servers/api.ts';
import { startFloor } from '../servers/floor.ts';
import { startOurs } from '../servers/ours.ts';
import { withPair } from './pair.ts';
import { exampleObjects, makeProject } from './world.ts';

const connections = 64;
const objects = { full: 1000, tiny: 10 };

const parts = ['page', 'map.json', 'document'] as const;
type Part = (typeof parts)[number];

const what = (part: Part): string => `GET the ${part} of a published map`;

/** The target outside of the API. */
const outside = ({ url, key, ...target }: Api): Api => ({ ...target, key, url: url.replace(/\/api\/v1$/, '') });

/** Publishes a map of cities, and finds the path of each part. */
async function publish(target: Target, { tiny }: Context): Promise<Readonly<Record<Part, Request>>> {
  const { id } = await makeProject(target, exampleObjects('cities', tiny ? objects.tiny : objects.full));
  const { slug } = await call<{ readonly slug: string }>(target, 'PUT', `/projects/${id}/publication`, {});
  // As browsers ask: a page and a document are stored compressed.
  const get = (path: string): Request => ({ method: 'GET', path, headers: { 'accept-encoding': 'gzip' } });
  const pointer = get(`/p/${slug}/map.json`);
  const { body } = await ask(outside(target as Api), { method: 'GET', path: pointer.path });
  const { map } = JSON.parse(body.toString()) as { readonly map: string };
  return { page: get(`/p/${slug}`), 'map.json': pointer, document: get(`/p/${slug}/${map}`) };
}

function side(target: Api, request: Request): Side {
  let us: number | undefined;
  return {
    name: target.name,
    usPerAnswer: () => us,
    async measure(seconds) {
      const { perSecond, usPerAnswer } = await sendLoad({ target, requests: [request], connections, seconds });
      us = usPerAnswer;
      return perSecond;
    },
  };
}

/** Rejects unless a part is still answered with the same bytes. */
async function checkSame(target: Api, request: Request, body: Buffer): Promise<void> {
  const again = await ask(target, request);
  assert.equal(again.status, 200);
  assert.ok(again.body.equals(body), `${target.name} answers ${request.path} with other bytes than at first`);
}

const beside =
  (part: Part) =>
  async (context: Context): Promise<Row[]> => {
    let request: Request | undefined;
    const begin = async (ours: Api): Promise<Api> => {
      request = (await publish(ours, context))[part];
      return await startFloor(outside(ours), [request]);
    };
    return await withPair(context, begin, async (ours, floor) => {
      const known = request ?? (await publish(ours, context))[part];
      const target = outside(ours);
      const { body } = await ask(target, known);
      const others = floor === undefined ? [] : [{ ...side(floor, known), what: `${what(part)} / floor` }];
      const rows = await compare(context, { unit: '/s', what: what(part), ours: side(target, known), others });
      await checkSame(target, known, body);
      return rows;
    });
  };

/** Ours alone, one of the parts: two commits are measured beside each other. */
const opening =
  (part: Part) =>
  async (context: Context): Promise<Opened> => {
    const ours = await startOurs(context.program);
    const request = (await publish(ours, context))[part];
    const { body } = await ask(outside(ours), request);
    return {
      ...{ what: what(part), unit: '/s', side: side(outside(ours), request) },
      check: () => checkSame(outside(ours), request, body),
      stop: () => ours.stop(),
    };
  };

export const publishedMaps: readonly Bench[] = parts.map((part) => ({
  name: `published-${part === 'map.json' ? 'pointer' : part}`,
  about: `the ${part} of a published map, beside the floor`,
  run: beside(part),
  open: opening(part),
}));
