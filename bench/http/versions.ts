/** What writes wait while versions of a project of 50,000 objects are kept one after the other: writes to another project, and to this one. */
import { call } from '../lib/ask.ts';
import { ratios, rowOf, rowOfOurs, said } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import { controlNote, inTurn } from '../lib/turns.ts';
import { paced } from '../load/paced.ts';
import type { Paced, Stream } from '../load/paced-client.ts';
import type { Bench, Context, Row } from '../row.ts';
import { noSnapshots, startProbed } from '../scale/probed.ts';
import { exampleObjects, type Made, makeProject, objectsPath } from './world.ts';

const objects = { full: 50_000, tiny: 20 };
const seconds = { full: 10, tiny: 1 };
/** Durable POSTs per second to each of both projects. */
const perSecond = 100;
/** Objects in one request while the project is made. */
const perRequest = 10_000;

interface Measured extends Paced {
  readonly versions: number;
  readonly versionsMs: number;
}

async function run(context: Context): Promise<Row[]> {
  const server = await startProbed(context.program, { flags: noSnapshots });
  try {
    const large = await makeProject(server);
    const count = context.tiny ? objects.tiny : objects.full;
    const cities = exampleObjects('cities', count);
    for (let made = 0; made < count; made += perRequest) {
      const operations = Array.from({ length: Math.min(perRequest, count - made) }, (_, i) => ({
        ...{ method: 'POST', path: objectsPath(large).replace(/^\/projects\/[^/]+/, '') },
        body: cities[(made + i) % cities.length],
      }));
      for (let at = 0; at < operations.length; at += 1000)
        await call(server, 'POST', `/projects/${large.id}/batch`, { operations: operations.slice(at, at + 1000) });
    }
    const other = await makeProject(server);
    const [busy = [], idle = [], control = []] = await inTurn(context.rounds, ['busy', 'idle', 'control'], (which) =>
      measure(server, [other, large], which === 'busy', context),
    );
    return ['another project', 'the same project'].map((where, stream) => {
      const row = rowOfStream(where, stream, { busy, idle, control }, context);
      context.say(said(row));
      return row;
    });
  } finally {
    await server.stop();
  }
}

async function measure(
  server: Awaited<ReturnType<typeof startProbed>>,
  projects: readonly Made[],
  keeps: boolean,
  { tiny }: Context,
): Promise<Measured> {
  const streams: Stream[] = projects.map((made) => ({
    requests: [{ method: 'POST', path: objectsPath(made), body: '{"type":"spot"}' }],
    perSecond,
  }));
  const measuring = paced({
    ...{ target: server, streams, connections: 64, leadSeconds: tiny ? 0.1 : 1 },
    seconds: tiny ? seconds.tiny : seconds.full,
  });
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  measuring.then(end, end);
  let versions = 0;
  const began = performance.now();
  for (; keeps && !isOver; versions++) await call(server, 'POST', `/projects/${projects.at(-1)?.id}/versions`, {});
  const versionsMs = performance.now() - began;
  return { ...(await measuring), versions, versionsMs };
}

function rowOfStream(
  where: string,
  stream: number,
  { busy, idle, control }: Readonly<Record<'busy' | 'idle' | 'control', readonly Measured[]>>,
  { alone }: Context,
): Row {
  const p99 = (runs: readonly Measured[]): number[] => runs.map(({ streams }) => streams[stream]?.p99 ?? 0);
  const versions = median(busy.map((one) => one.versions));
  const eachMs = median(busy.map((one) => one.versionsMs / one.versions));
  const note = `${perSecond} durable POSTs per second to each of two projects; ${versions} versions of ${objects.full.toLocaleString('en-US')} objects, ${Math.round(eachMs)} ms each, one after the other`;
  const what = `p99 of a POST to ${where} while versions are kept`;
  if (alone) return rowOfOurs(what, 'ms', p99(busy), note);
  const controls = ratios(p99(control), p99(idle));
  const sides = { name: 'none kept', results: p99(idle) };
  const row = rowOf(`${what} / none`, 'ms', p99(busy), sides, `${note}; ${controlNote(controls)}`, { atMost: 1.1 });
  return { ...row, control: median(controls) };
}

export const whileVersions: Bench = {
  name: 'versions',
  about: 'writes while versions of a project of 50,000 objects are kept',
  run,
};
