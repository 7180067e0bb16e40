/** Changing, deleting, and a mix of reading and changing: rows of ours alone, durable. */
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { call, type Request } from '../lib/ask.ts';
import { compare } from '../lib/turns.ts';
import { throughput } from '../load/throughput.ts';
import type { Bench, Context, Row } from '../row.ts';
import { volley } from '../scale/volley.ts';
import { type Api, withServers } from '../servers/api.ts';
import { startOurs } from '../servers/ours.ts';
import { checkReads, countObjects } from './check.ts';
import { artboardOf, exampleObjects, getEach, type Made, makeProject, objectsPath, type Shown } from './world.ts';

const connections = 64;
const objects = 100;
/** Requests before the first comes again: many, so that every change is one. */
const requestsInAll = 1000;
/** Different batches, one after the other. */
const batches = 20;
/** Of so many requests of the mix one is a change. */
const changeEvery = 10;

/** Deletes for each second of a measurement, so many that it takes about a second, and in a test. */
const deletesPerSecond = 10_000;
const deletesTiny = 20;
/** Objects of a project that is made to be emptied. */
const deletesPerProject = 5000;

const onlyOurs = (context: Context, what: string, measure: (seconds: number) => Promise<number>): Promise<Row[]> =>
  compare(context, { unit: '/s', what, ours: { name: 'mapwright', measure }, others: [] });

/** @param changes which of the requests are PATCHes of one member, by their number; the others are GETs */
const changing =
  (what: string, changes: (i: number) => boolean) =>
  (context: Context): Promise<Row[]> =>
    withServers([() => startOurs(context.program)], async (ours) => {
      const made = await makeProject(ours, exampleObjects('cities', objects));
      const gets = getEach(made);
      const stored = artboardOf(made).objects;
      await checkReads(ours, gets, stored);
      const requests = Array.from({ length: requestsInAll }, (_, i): Request => {
        const { path } = gets[i % objects] as Request;
        return changes(i) ? { method: 'PATCH', path, body: JSON.stringify({ x: i }) } : { method: 'GET', path };
      });
      const rows = await onlyOurs(context, what, (seconds) => throughput({ target: ours, requests, connections, seconds }));
      for (const [i, { path }] of gets.entries()) {
        const shown = await call<Shown>(ours, 'GET', path);
        const sent = requests.flatMap((request, at) => (changes(at) && request.path === path ? [at] : []));
        assert.ok(sent.length === 0 || sent.includes(shown['x'] as number), 'an object has not been changed');
        assert.deepEqual({ ...shown, x: 0 }, { ...stored[i], x: 0 }, 'a change of one member changed others');
      }
      return rows;
    });

/** Each measurement makes what it deletes. Generators send the same over and over, which deletes cannot be. */
const deleting = (context: Context): Promise<Row[]> =>
  withServers([() => startOurs(context.program)], (ours) =>
    onlyOurs(context, 'DELETE one object', async (seconds) => {
      const count = context.tiny ? deletesTiny : Math.ceil(deletesPerSecond * seconds);
      const projects: Made[] = [];
      for (let left = count; left > 0; left -= deletesPerProject)
        projects.push(await makeProject(ours, exampleObjects('cities', Math.min(left, deletesPerProject))));
      const deletes = projects.flatMap((made) => getEach(made).map(({ path }) => ({ method: 'DELETE', path })));
      assert.equal(await countObjects(ours, projects), count);
      const taken = await volley(ours, deletes, connections);
      assert.equal(
        await countObjects(ours, projects),
        0,
        `objects that were deleted are still in ${objectsPath(projects[0] as Made)}`,
      );
      for (const { id } of projects) await call(ours, 'DELETE', `/projects/${id}`);
      return count / taken;
    }),
  );

/** Batches of changes of all objects, over and over. */
const batching = (context: Context): Promise<Row[]> =>
  withServers([() => startOurs(context.program)], async (ours) => {
    const made = await makeProject(ours, exampleObjects('cities', objects));
    const path = `/projects/${made.id}/batch`;
    const requests = Array.from({ length: batches }, (_, i): Request => {
      const operations = getEach(made).map((get) => ({
        ...{ method: 'PATCH', path: get.path.slice(`/projects/${made.id}`.length), body: { x: i } },
      }));
      return { method: 'POST', path, body: JSON.stringify({ operations }) };
    });
    const rows = await onlyOurs(context, `batch of ${objects} PATCHes`, (seconds) =>
      throughput({ target: ours, requests, connections, seconds }),
    );
    const xs = new Set<unknown>();
    for (const get of getEach(made)) xs.add((await call<Shown>(ours, 'GET', get.path))['x']);
    assert.equal(xs.size, 1, 'the last batch has changed all objects');
    return rows;
  });

/** Objects of a collection that is changed, and in a test. */
const many = { full: 100_000, tiny: 300 };
const perBatch = 500;

/** A project of many objects. @param idOf the identifier of each; `undefined` for one that the server makes */
async function fill(ours: Api, count: number, idOf: () => string | undefined): Promise<readonly string[]> {
  const made = await makeProject(ours);
  const objectPath = objectsPath(made).slice(`/projects/${made.id}`.length);
  const paths: string[] = [];
  for (let at = 0; at < count; at += perBatch) {
    const operations = Array.from({ length: Math.min(perBatch, count - at) }, () => ({
      ...{ method: 'POST', path: objectPath, body: { type: 'spot' }, id: idOf() },
    }));
    const { results } = await call<{ results: { body: Shown }[] }>(ours, 'POST', `/projects/${made.id}/batch`, { operations });
    paths.push(...results.map(({ body }) => `${objectsPath(made)}/${body.id}`));
  }
  return paths;
}

/** A UUIDv7 of a moment of the last hour. */
function someId(): string {
  const time = (Date.now() - randomInt(3_600_000)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** PATCHes in a collection whose identifiers do not ascend, beside one in which they do. */
const outOfOrder = (context: Context): Promise<Row[]> =>
  withServers([() => startOurs(context.program)], async (ours) => {
    const count = context.tiny ? many.tiny : many.full;
    const side = async (name: string, idOf: () => string | undefined) => {
      const paths = await fill(ours, count, idOf);
      const requests = Array.from({ length: requestsInAll }, (_, i): Request => {
        const path = paths[(i * 7919) % paths.length] as string;
        return { method: 'PATCH', path, body: JSON.stringify({ x: i }) };
      });
      return { name, measure: (seconds: number) => throughput({ target: ours, requests, connections, seconds }) };
    };
    const inOrder = await side('in order', () => undefined);
    const what = `PATCH in ${count.toLocaleString('en-US')} objects out of order`;
    return await compare(context, {
      unit: '/s',
      what,
      ours: await side('mapwright', someId),
      others: [{ ...inOrder, what, goal: { atLeast: 0.91 } }],
    });
  });

export const benchesOfChanging: readonly Bench[] = [
  { name: 'patch', about: 'durable PATCHes of one member', run: changing('PATCH one member', () => true) },
  { name: 'batch', about: 'durable batches of 100 changes', run: batching },
  {
    name: 'out-of-order',
    about: 'durable PATCHes in a collection whose identifiers do not ascend, beside one that is in order',
    run: outOfOrder,
  },
  { name: 'delete', about: 'durable DELETEs', run: deleting },
  {
    name: 'mixed',
    about: 'nine GETs of one object to one durable PATCH',
    run: changing('GET 90 %, PATCH 10 %', (i) => (i + Math.floor(i / objects)) % changeEvery === 0),
  },
];
