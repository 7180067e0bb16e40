/** Reading over HTTP. */
import { compare } from '../lib/turns.ts';
import { throughput } from '../load/throughput.ts';
import type { Bench } from '../row.ts';
import { withServers } from '../servers/api.ts';
import { startFloor } from '../servers/floor.ts';
import { startOurs } from '../servers/ours.ts';
import { exampleObjects, getEach, makeProject } from './world.ts';

export const getOne: Bench = {
  name: 'get-one',
  about: 'GET of one object',
  run: (context) =>
    withServers([() => startOurs(context.program)], async (ours) => {
      const made = await makeProject(ours as never, exampleObjects('cities', 100));
      const requests = getEach(made);
      return withServers([() => startFloor(ours as never, requests)], (floor) =>
        compare(context, {
          what: 'GET one object',
          unit: '/s',
          ours: {
            name: 'mapwright',
            measure: (seconds) => throughput({ target: ours as never, requests, connections: 64, seconds }),
          },
          others: [
            {
              name: 'bare node:http',
              what: 'GET one object / floor',
              goal: { atLeast: 0.92 },
              measure: (seconds) => throughput({ target: floor as never, requests, connections: 64, seconds }),
            },
          ],
        }),
      );
    }),
};
