/** Processes that are killed. */
import path from 'node:path';
import { killLoop } from '../../support/kill-loop.ts';
import type { Fault } from '../fault.ts';

export const kills: readonly Fault[] = [
  {
    name: 'kill',
    does: 'sends SIGKILL repeatedly during writes of eight clients, snapshots and recoveries',
    holds: 'every acknowledged write is recovered, and no write in part',
    needs: [],
    rounds: { short: 12, long: 400 },
    async run(scene) {
      const data = path.join(scene.folder, 'data');
      const done = await killLoop(scene, data, scene.rounds, scene.random);
      scene.note(
        Object.entries(done)
          .map(([what, count]) => `${what} ${count}`)
          .join(', '),
      );
    },
  },
];
