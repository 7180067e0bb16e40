/** Whether every start is equally fast: the optimizing compiler decides with what it has seen, which differs from start to start. */
import type { Request } from '../lib/ask.ts';
import { ratios, rowOf } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import { throughput } from '../load/throughput.ts';
import type { Bench, Context, Row } from '../row.ts';
import { type Api, withServers } from '../servers/api.ts';
import { startFloor } from '../servers/floor.ts';
import { startOurs } from '../servers/ours.ts';
import { checkReads } from './check.ts';
import { artboardOf, exampleObjects, getEach, makeProject } from './world.ts';

const connections = 64;
const objects = 100;
const starts = { full: 20, tiny: 2 } as const;
/** Runs after each start. The first one does not count, because functions are compiled in it; of the others, the median does. */
const runs = { full: 4, tiny: 2 } as const;

export const equalStarts: Bench = {
  name: 'starts',
  about: 'GET of one object after each of 20 starts: the slowest beside the median',
  async run(context: Context): Promise<Row[]> {
    // The starts are held against each other by the floor.
    if (context.alone) return [];
    const size = context.tiny ? 'tiny' : 'full';
    const ours: number[] = [];
    const floors: number[] = [];
    const ofFloor: number[] = [];
    while (ours.length < starts[size]) {
      const { server, floor, ratio } = await measured(context, runs[size]);
      ours.push(server);
      floors.push(floor);
      ofFloor.push(ratio);
      context.say(`start ${ours.length}: ${Math.round(server)} /s, ${ratio.toFixed(2)} of the floor`);
    }
    const middle = median(ofFloor);
    const slowest = Math.min(...ofFloor);
    const note =
      `each start beside a floor that is started with it, of which they reach ${ofFloor.map((each) => each.toFixed(2)).join(' ')}; ` +
      `the slowest floor is ${(Math.min(...floors) / median(floors)).toFixed(2)} of the median floor`;
    return [
      {
        ...rowOf(
          `GET one object, slowest of ${starts[size]} starts / median`,
          '/s',
          [Math.min(...ours)],
          { name: 'median start', results: [median(ours)] },
          note,
          { atLeast: 0.9 },
        ),
        ratio: slowest / middle,
      },
    ];
  },
};

interface Start {
  /** GETs per second, of the server and of a floor that was started with it. */
  readonly server: number;
  readonly floor: number;
  readonly ratio: number;
}

async function measured(context: Context, count: number): Promise<Start> {
  let requests: Request[] = [];
  const begin = async (ours: Api): Promise<Api> => {
    const made = await makeProject(ours, exampleObjects('cities', context.tiny ? 10 : objects));
    requests = getEach(made);
    await checkReads(ours, requests, artboardOf(made).objects);
    return startFloor(ours, requests);
  };
  return await withServers([() => startOurs(context.program)], (ours) =>
    withServers([() => begin(ours)], async (other) => {
      const server: number[] = [];
      const floor: number[] = [];
      for (let run = 0; run < count; run++) {
        const load = { requests, connections, seconds: context.seconds };
        server.push(await throughput({ ...load, target: ours }));
        floor.push(await throughput({ ...load, target: other }));
      }
      const [a, b] = [server.slice(1), floor.slice(1)];
      return { server: median(a), floor: median(b), ratio: median(ratios(a, b)) };
    }),
  );
}
