/** Pauses: how long the collector, and the event loop, make requests wait when a million objects are stored and a tenth of them touched. */
import { moveToLoadCore } from '../lib/pin.ts';
import { said } from '../lib/rows.ts';
import { median, spread } from '../lib/statistics.ts';
import type { Bench, Row } from '../row.ts';
import { filledFolder, short, withCopy } from './folders.ts';
import { delayGrainMs, type Vitals } from './probe.ts';
import { noSnapshots, startProbed } from './probed.ts';
import { objectsPerProject } from './restart.ts';
import { listsOf, Mix } from './traffic.ts';
import { volley } from './volley.ts';

const objects = { full: 1_000_000, tiny: 200 };
/** Of how many projects one is touched. */
const touchedPart = 10;
/** Requests of one volley. */
const requests = { full: 10_000, tiny: 100 };
const goal = { atMost: 20 };

export const pauses: Bench = {
  name: 'pauses',
  about: 'pauses of the collector and of the event loop at 1 M objects, a tenth of them touched, under load',
  async run(context) {
    moveToLoadCore();
    const count = context.tiny ? objects.tiny : objects.full;
    const perProject = context.tiny ? objectsPerProject.tiny : objectsPerProject.full;
    const folder = await filledFolder(context, { objects: count, objectsPerProject: perProject, kept: 'snapshot' });
    const touched = folder.places.filter((_, i) => i % touchedPart === 0);
    return await withCopy(folder, async (data) => {
      const server = await startProbed(context.program, { data, flags: noSnapshots });
      try {
        await volley(server, listsOf(touched), 4);
        const mix = new Mix(touched);
        const rounds: Vitals[] = [];
        for (let round = 0; round < context.rounds; round++) {
          await server.vitals('reset');
          const until = performance.now() + context.seconds * 1000;
          do {
            const { requests: next, onAnswer } = mix.next(context.tiny ? requests.tiny : requests.full);
            await volley(server, next, undefined, onAnswer);
          } while (performance.now() < until);
          rounds.push(await server.vitals());
        }
        const where = `${short(count)} objects, a tenth of them touched`;
        const longest = rounds.reduce((a, b) => (b.pauseMaxMs > a.pauseMaxMs ? b : a));
        const kinds = Object.entries(longest.pauseMaxMsByKind).map(([kind, ms]) => `${kind} ${ms.toFixed(1)}`);
        const delays = rounds.map(({ delayMaxMs }) => Math.max(0, delayMaxMs - delayGrainMs));
        const p99 = median(rounds.map(({ delayP99Ms }) => delayP99Ms - delayGrainMs));
        // What is asked for is that none is longer: the longest of all rounds, and no median.
        const rows: Row[] = [
          {
            ...{ what: `longest pause of the collector, ${where}`, unit: 'ms', goal },
            ...{ ours: longest.pauseMaxMs, spread: spread(rounds.map(({ pauseMaxMs }) => pauseMaxMs)) },
            note: `of all rounds; by kind, in ms: ${kinds.join(', ')}`,
          },
          {
            ...{ what: `longest delay of the event loop, ${where}`, unit: 'ms' },
            ...{ ours: Math.max(...delays), spread: spread(delays) },
            note: `of all rounds; p99 ${p99.toFixed(1)} ms; the work of the requests is part of it`,
          },
        ];
        for (const row of rows) context.say(said(row));
        return rows;
      } finally {
        await server.stop();
      }
    });
  },
};
