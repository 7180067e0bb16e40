/** Changing, deleting, and a mix of reading and changing: rows of ours alone, durable. */
import assert from 'node:assert/strict';
import { call, type Request } from '../lib/ask.ts';
import { compare } from '../lib/turns.ts';
import { throughput } from '../load/throughput.ts';
import type { Bench, Context, Row } from '../row.ts';
import { volley } from '../scale/volley.ts';
import { withServers } from '../servers/api.ts';
import { startOurs } from '../servers/ours.ts';
import { checkReads, countObjects } from './check.ts';
import { artboardOf, exampleObjects, getEach, type Made, makeProject, objectsPath, type Shown } from './world.ts';

const connections = 64;
const objects = 100;
/** Requests before the first comes again: many, so that every change is one. */
const requestsInAll = 1000;
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

export const benchesOfChanging: readonly Bench[] = [
  { name: 'patch', about: 'durable PATCHes of one member', run: changing('PATCH one member', () => true) },
  { name: 'delete', about: 'durable DELETEs', run: deleting },
  {
    name: 'mixed',
    about: 'nine GETs of one object to one durable PATCH',
    run: changing('GET 90 %, PATCH 10 %', (i) => (i + Math.floor(i / objects)) % changeEvery === 0),
  },
];
