/** Latency at a steady rate, idle and while snapshots are written. */
import { setTimeout } from 'node:timers/promises';
import { everyCityAsSpot } from '../../data/cities.ts';
import { askServer } from '../../src/server/admin/control-socket.ts';
import { call, type Target } from '../lib/ask.ts';
import { ratios, rowOf, rowOfOurs, said } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import { controlNote, inTurn } from '../lib/turns.ts';
import { paced } from '../load/paced.ts';
import type { Paced, Stream } from '../load/paced-client.ts';
import type { Bench, Context, Goal, Row } from '../row.ts';
import type { Place } from '../scale/fill.ts';
import { filledFolder, type MadeFolder, short, withCopy } from '../scale/folders.ts';
import { noSnapshots } from '../scale/probed.ts';
import { objectsPerProject } from '../scale/restart.ts';
import { objectsPath } from '../scale/traffic.ts';
import { volley } from '../scale/volley.ts';
import { type Ours, startOurs } from '../servers/ours.ts';

const objects = { full: 1_000_000, tiny: 200 };
/** One project in this many is in use: read, changed, and therefore written again by each snapshot. */
const inUsePart = 10;
const connections = 64;
/** Requests per second: a tenth or less of what a core can answer. */
const perSecond = { get: 2000, post: 500, patch: 100 };
/** Factor for `--seconds`: a snapshot lasts for seconds, and one answer in a hundred is slow. */
const longer = 3;
const leadSecondsMax = 0.5;
/** Delay before the next request for a snapshot when there was no new record, in milliseconds. */
const nothingNewMs = 5;

const percentiles = { p50: 'p50', p99: 'p99', p999: 'p99.9' } as const;
type Percentile = keyof typeof percentiles;

/** What is paced. */
interface Pace {
  readonly what: string;
  /** Of the p99 during a snapshot, divided by that of the idle server. */
  readonly goal: Goal;
  /** Latencies of the first are what is measured; the others are the same on both sides. */
  streams(places: readonly Place[], turn: number): [measured: Stream, ...others: Stream[]];
}

export const pacedGet: Bench = {
  name: 'paced-get',
  about: `latency of ${perSecond.get} GETs per second, idle and during snapshots at their default pace`,
  run: (context) =>
    run(context, { what: 'paced GET', goal: { atMost: 1.5 }, streams: (places, turn) => [gets(places), patches(places, turn)] }),
};

export const pacedPost: Bench = {
  name: 'paced-post',
  about: `latency of ${perSecond.post} durable POSTs per second, idle and during snapshots at their default pace`,
  run: (context) => run(context, { what: 'paced durable POST', goal: { atMost: 2 }, streams: (places) => [posts(places)] }),
};

interface Measured extends Paced {
  /** Snapshots taken during the measurement, and their total duration in milliseconds. */
  readonly snapshots: number;
  readonly snapshotsMs: number;
}

async function run(context: Context, pace: Pace): Promise<Row[]> {
  const { rounds, tiny } = context;
  const spec = {
    objects: tiny ? objects.tiny : objects.full,
    objectsPerProject: tiny ? objectsPerProject.tiny : objectsPerProject.full,
    kept: 'snapshot',
  } as const;
  return await withCopy(await filledFolder(context, spec), async (data) => {
    const server = await startOurs(context.program, { data, flags: noSnapshots });
    try {
      const places = data.places.filter((_, i) => i % inUsePart === 0);
      const side = await Side.prepare(server, data, places, pace, context);
      const [busy = [], idle = [], control = []] = await inTurn(rounds, ['busy', 'idle', 'control'], (which) =>
        side.measure(which === 'busy'),
      );
      await side.checkStored();
      const rows = rowsOf(pace, context, { busy, idle, control }, `${short(spec.objects)} objects stored`);
      for (const row of rows) context.say(said(row));
      return rows;
    } finally {
      await server.stop();
    }
  });
}

/** The server under the paced load, with or without snapshots. */
class Side {
  readonly #server: Ours;
  readonly #folder: MadeFolder;
  readonly #places: readonly Place[];
  readonly #pace: Pace;
  readonly #seconds: number;
  /** Objects that are in the first place. */
  readonly #before: number;
  #createdThere = 0;
  #turns = 0;

  /** Looks into everything that is in use, and at answers. */
  static async prepare(server: Ours, folder: MadeFolder, places: readonly Place[], pace: Pace, context: Context): Promise<Side> {
    await checkAnswers(server, places[0] as Place);
    await volley(server, gets(places).requests);
    const before = await countIn(server, places[0] as Place);
    return new Side(server, folder, places, pace, context.seconds * longer, before);
  }

  constructor(server: Ours, folder: MadeFolder, places: readonly Place[], pace: Pace, seconds: number, before: number) {
    this.#server = server;
    this.#folder = folder;
    this.#places = places;
    this.#pace = pace;
    this.#seconds = seconds;
    this.#before = before;
  }

  async measure(busy: boolean): Promise<Measured> {
    // Changes some of every leaf in use, so that a snapshot has to encode it. On both sides, so that they differ by the snapshot alone.
    await volley(this.#server, patches(this.#places, ++this.#turns).requests);
    const streams = this.#pace.streams(this.#places, ++this.#turns);
    const measuring = paced({
      target: this.#server,
      streams,
      connections,
      seconds: this.#seconds,
      leadSeconds: Math.min(leadSecondsMax, this.#seconds),
    });
    const { snapshots, snapshotsMs } = busy ? await this.#snapshotUntil(measuring) : { snapshots: 0, snapshotsMs: 0 };
    const measured = await measuring;
    for (const [i, { requests }] of streams.entries()) {
      const sent = measured.streams[i]?.sent ?? 0;
      if (requests[0]?.method === 'POST') this.#createdThere += Math.ceil(sent / requests.length);
    }
    return { ...measured, snapshots, snapshotsMs };
  }

  /** One after the other; resolves when the last one has ended. */
  async #snapshotUntil(measuring: Promise<unknown>): Promise<{ snapshots: number; snapshotsMs: number }> {
    let over = false;
    const end = (): void => {
      over = true;
    };
    measuring.then(end, end); // who measures hears of it
    let snapshots = 0;
    let snapshotsMs = 0;
    do {
      const began = performance.now();
      const { report } = await askServer(this.#folder.folder, 'snapshot', {});
      if (report === undefined) {
        await setTimeout(nothingNewMs);
        continue;
      }
      snapshots++;
      snapshotsMs += performance.now() - began;
    } while (!over);
    return { snapshots, snapshotsMs };
  }

  /** Whether what was created is there. */
  async checkStored(): Promise<void> {
    const found = await countIn(this.#server, this.#places[0] as Place);
    const expected = this.#before + this.#createdThere;
    if (found !== expected) throw new Error(`${expected} objects should be in the first project, and ${found} are`);
  }
}

/** Reads what is there, and what it made. */
async function checkAnswers(target: Target, place: Place): Promise<void> {
  const known = `${objectsPath(place)}/${place.objects[0]}`;
  const { id } = await call(target, 'GET', known);
  if (id !== place.objects[0]) throw new Error(`GET ${known} answered with ${id}`);
  const body = everyCityAsSpot()[0] as { name: string };
  const made = await call<{ id: string; name: string }>(target, 'POST', objectsPath(place), body);
  const stored = await call(target, 'GET', `${objectsPath(place)}/${made.id}`);
  if (made.name !== body.name || JSON.stringify(stored) !== JSON.stringify(made))
    throw new Error(`POST answered ${JSON.stringify(made)}, stored is ${JSON.stringify(stored)}`);
}

const countIn = async (target: Target, place: Place): Promise<number> =>
  (await call<unknown[]>(target, 'GET', objectsPath(place))).length;

/** Of every object that is known, place by place. */
const knownPaths = (places: readonly Place[]): string[] =>
  places.flatMap((place) => place.objects.map((id) => `${objectsPath(place)}/${id}`));

const gets = (places: readonly Place[]): Stream => ({
  requests: knownPaths(places).map((path) => ({ method: 'GET', path })),
  perSecond: perSecond.get,
});

/** Two values for each object, in turn, which are others in the next turn: a PATCH that changes nothing is not written. */
const patches = (places: readonly Place[], turn: number): Stream => {
  const paths = knownPaths(places);
  const to = (x: number) => paths.map((path) => ({ method: 'PATCH', path, body: `{"x":${x}}` }));
  return { requests: [...to(2 * turn), ...to(2 * turn + 1)], perSecond: perSecond.patch };
};

/** A new object in each place in turn. */
const posts = (places: readonly Place[]): Stream => {
  const cities = everyCityAsSpot();
  const requests = places.map((place, i) => ({
    method: 'POST',
    path: objectsPath(place),
    body: JSON.stringify(cities[i % cities.length]),
  }));
  return { requests, perSecond: perSecond.post };
};

type Sides = Readonly<Record<'busy' | 'idle' | 'control', readonly Measured[]>>;

function rowsOf({ what, goal, streams }: Pace, { alone }: Context, { busy, idle, control }: Sides, where: string): Row[] {
  const of = (measured: readonly Measured[], name: Percentile): number[] => measured.map((one) => one.streams[0]?.[name] ?? 0);
  const names = Object.keys(percentiles) as Percentile[];
  if (alone) {
    return names.flatMap((name) => [
      rowOfOurs(`${what} ${percentiles[name]}, during a snapshot`, 'ms', of(busy, name)),
      rowOfOurs(`${what} ${percentiles[name]}, idle`, 'ms', of(idle, name)),
    ]);
  }
  const [{ perSecond: rate }, ...others] = streams([], 0);
  const beside = others.map((other) => `, beside ${other.perSecond} PATCHes`).join('');
  const snapshots = median(busy.map((one) => one.snapshots));
  const snapshotMs = median(busy.map((one) => one.snapshotsMs / one.snapshots));
  const late = median([...busy, ...idle].map((one) => one.late.p99));
  return names.map((name) => {
    const controls = ratios(of(control, name), of(idle, name));
    const how = `${rate} per second${beside}; ${where}; ${snapshots} snapshots of ${Math.round(snapshotMs)} ms one after the other; the client late by ${late.toFixed(3)} ms (p99)`;
    const row = rowOf(
      `${what} ${percentiles[name]}, during a snapshot / idle`,
      'ms',
      of(busy, name),
      { name: 'idle', results: of(idle, name) },
      name === 'p99' ? `${how}; ${controlNote(controls)}` : controlNote(controls),
      name === 'p99' ? goal : undefined,
    );
    return { ...row, control: median(controls) };
  });
}
