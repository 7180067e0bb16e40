/**
 * Soak: a mix of reads and writes for as long as one likes, with automatic snapshots, and memory and event-loop delay sampled meanwhile. The
 * number of objects stays as it is, so memory that goes on rising after the first third is a leak. Draws `soak.svg`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { moveToLoadCore } from '../lib/pin.ts';
import { root } from '../lib/root.ts';
import { rowOfOurs } from '../lib/rows.ts';
import type { Bench, Row } from '../row.ts';
import { filledFolder, short, withCopy } from './folders.ts';
import { delayGrainMs } from './probe.ts';
import { type Probed, startProbed } from './probed.ts';
import { objectsPerProject } from './restart.ts';
import { drawSoak, type Sample } from './soak-picture.ts';
import { Mix } from './traffic.ts';
import { connectionsDefault, volley } from './volley.ts';

const objects = { full: 100_000, tiny: 40 };
/** Samples in the picture. */
const samples = 600;
/** The least time between two samples, in milliseconds. */
const sampleMsMin = 500;
const tinyMs = 600;
const requests = { full: 5000, tiny: 50 };

export const soak: Bench = {
  name: 'soak',
  about: 'a mixed load for --minutes, with memory and event-loop delay drawn as soak.svg',
  onDemand: true,
  async run(context) {
    moveToLoadCore();
    const count = context.tiny ? objects.tiny : objects.full;
    const perProject = context.tiny ? objectsPerProject.tiny : objectsPerProject.full;
    const folder = await filledFolder(context, { objects: count, objectsPerProject: perProject, kept: 'snapshot' });
    const durationMs = context.tiny ? tinyMs : context.minutes * 60_000;
    const taken = await withCopy(folder, async (data) => {
      const server = await startProbed(context.program, { data });
      try {
        const mix = new Mix(folder.places);
        return await sampled(server, durationMs, async () => {
          const { requests: next, onAnswer } = mix.next(context.tiny ? requests.tiny : requests.full);
          await volley(server, next, undefined, onAnswer);
          return next.length;
        });
      } finally {
        await server.stop();
      }
    });
    const minutes = durationMs / 60_000;
    const title = `${short(count)} objects, ${connectionsDefault} connections, ${Number(minutes.toFixed(1))} minutes`;
    const picture = drawSoak(taken, title);
    if (context.tiny) return rowsOf(taken, 'a test');
    const file = path.join(root, 'bench', 'soak.svg');
    fs.writeFileSync(file, picture);
    context.say(`drawn: ${file}`);
    return rowsOf(taken, title);
  },
};

/** Works until the time is over; what the server says of itself meanwhile. Latency is not asked for: the probe would be part of it. */
async function sampled(server: Probed, durationMs: number, work: () => Promise<number>): Promise<Sample[]> {
  const everyMs = Math.max(sampleMsMin, durationMs / samples);
  const taken: Sample[] = [];
  const started = performance.now();
  let answers = 0;
  let sampledAt = started;
  await server.vitals('reset');
  while (performance.now() - started < durationMs) {
    answers += await work();
    const now = performance.now();
    if (now - sampledAt < everyMs) continue;
    const { rssBytes, heapBytes, externalBytes, delayP99Ms, delayMaxMs, pauseMaxMs } = await server.vitals('reset');
    taken.push({
      minute: (now - started) / 60_000,
      rssMb: rssBytes / 1e6,
      heapMb: heapBytes / 1e6,
      externalMb: externalBytes / 1e6,
      delayP99Ms: Math.max(0, delayP99Ms - delayGrainMs),
      delayMaxMs: Math.max(0, delayMaxMs - delayGrainMs),
      pauseMaxMs,
      rate: (answers * 1000) / (now - sampledAt),
    });
    answers = 0;
    sampledAt = now;
  }
  return taken;
}

function rowsOf(taken: readonly Sample[], title: string): Row[] {
  // What comes before fills caches and lets the heap find its size.
  const settled = taken.slice(Math.floor(taken.length / 3));
  if (settled.length === 0) throw new Error('the soak ended before its first sample');
  const memory = settled.map(({ rssMb }) => rssMb);
  const delays = settled.map(({ delayMaxMs }) => delayMaxMs);
  const rates = settled.map(({ rate }) => rate);
  const perMinute = slope(settled.map(({ minute, rssMb }) => [minute, rssMb]));
  const longestPause = Math.max(...settled.map(({ pauseMaxMs }) => pauseMaxMs));
  return [
    rowOfOurs('soak: memory', 'MB', memory, title),
    {
      ...rowOfOurs('soak: rise of memory after the first third', 'MB/min', [perMinute]),
      note: 'least squares over the resident set, garbage included',
    },
    rowOfOurs(
      'soak: longest event-loop delay between two samples',
      'ms',
      delays,
      `longest of all ${Math.max(...delays).toFixed(1)} ms, longest pause of the collector ${longestPause.toFixed(1)} ms`,
    ),
    rowOfOurs('soak: answers', '/s', rates),
  ];
}

/** Of the line that fits the points best (least squares). */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  let above = 0;
  let below = 0;
  for (const [x, y] of points) {
    above += (x - meanX) * (y - meanY);
    below += (x - meanX) ** 2;
  }
  return below === 0 ? 0 : above / below;
}
