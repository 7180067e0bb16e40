/** What a GET and a durable POST of another client wait while a project is evaluated again and again: 10,000 items become spots. */
import { ask, call } from '../lib/ask.ts';
import { rowOfOurs } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import { paced } from '../load/paced.ts';
import type { Paced, Stream } from '../load/paced-client.ts';
import type { Bench, Context, Row } from '../row.ts';
import { itemsOf, projectOfItems } from '../scale/evaluation.ts';
import { noSnapshots, type Probed, startProbed } from '../scale/probed.ts';
import { artboardOf, makeProject, objectsPath } from './world.ts';

const items = { full: 10_000, tiny: 20 };
const seconds = { full: 20, tiny: 2 };
const perSecond = { evaluate: 2, get: 200, post: 50 };
const rates = `${perSecond.get} GETs and ${perSecond.post} POSTs per second beside ${perSecond.evaluate} evaluations`;

/** Makes the project with its responses. Returns the path of its evaluation. */
async function pathOfEvaluation(server: Probed, count: number): Promise<string> {
  const document = { format: 'mapwright-project', version: 1, project: { ...projectOfItems, name: 'Desks' } };
  const { id } = await call(server, 'POST', '/projects/import', document);
  const [source] = await call<{ id: string }[]>(server, 'GET', `/projects/${id}/data-sources`);
  await call(server, 'PUT', `/projects/${id}/data-sources/${source?.id}/response`, { items: itemsOf(count) });
  const path = `/projects/${id}/evaluate`;
  const { created } = await call<{ created: unknown[] }>(server, 'POST', path, {});
  if (created.length !== count) throw new Error(`${created.length} of ${count} spots were created`);
  return path;
}

/** Evaluates at a steady rate, until it is stopped. Not by the paced client: reading the results, some megabytes each, would delay it. */
function evaluateRepeatedly(server: Probed, path: string): { stop(): Promise<void> } {
  const running = new Set<Promise<void>>();
  const evaluate = async (): Promise<void> => {
    const { status } = await ask(server, { method: 'POST', path, body: '{}' });
    if (status !== 200) throw new Error(`${path}: ${status}`);
  };
  const timer = setInterval(() => {
    const run = evaluate().finally(() => running.delete(run));
    running.add(run);
  }, 1000 / perSecond.evaluate);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}

async function run(context: Context): Promise<Row[]> {
  const server = await startProbed(context.program, { flags: noSnapshots });
  const [alone, beside]: [Paced[], Paced[]] = [[], []];
  try {
    const path = await pathOfEvaluation(server, context.tiny ? items.tiny : items.full);
    const made = await makeProject(server, [{ type: 'spot' }]);
    const objects = objectsPath(made);
    const streams: Stream[] = [
      { requests: [{ method: 'GET', path: `${objects}/${artboardOf(made).objects[0]?.id}` }], perSecond: perSecond.get },
      { requests: [{ method: 'POST', path: objects, body: '{"type":"spot"}' }], perSecond: perSecond.post },
    ];
    const measure = () =>
      paced({
        ...{ target: server, streams, connections: 64, leadSeconds: 1 },
        seconds: context.tiny ? seconds.tiny : seconds.full,
      });
    for (let round = 0; round < context.rounds; round++) {
      context.say(`evaluations: round ${round + 1}`);
      alone.push(await measure());
      const evaluations = evaluateRepeatedly(server, path);
      beside.push(await measure());
      await evaluations.stop();
    }
  } finally {
    await server.stop();
  }
  const p99 = (name: string, stream: number, goal?: { atMost: number }): Row => {
    const of = (runs: readonly Paced[]) => runs.map(({ streams }) => streams[stream]?.p99 ?? 0);
    const about = `${rates}; ${median(of(alone)).toFixed(1)} ms without evaluations`;
    return rowOfOurs(`p99 of ${name} beside evaluations of 10,000 items`, 'ms', of(beside), about, goal);
  };
  return [p99('a GET', 0, { atMost: 20 }), p99('a durable POST', 1)];
}

export const besideEvaluations: Bench = {
  name: 'evaluate',
  about: 'other clients beside evaluations of 10,000 items',
  run,
};
