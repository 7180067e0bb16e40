/** Snapshots: how fast, what they cost as the untouched part grows, and for each byte that was touched. */
import { performance } from 'node:perf_hooks';
import { askServer } from '../../src/server/admin/control-socket.ts';
import type { Request } from '../lib/ask.ts';
import { compare, type Side } from '../lib/turns.ts';
import type { Bench, Context, Goal, Row } from '../row.ts';
import { type Ours, startOurs } from '../servers/ours.ts';
import type { Place } from './fill.ts';
import { filledFolder, type MadeFolder, short, withCopy } from './folders.ts';
import { noSnapshots } from './probed.ts';
import { flat, objectsPerProject } from './restart.ts';
import { objectsPath } from './traffic.ts';
import { volley } from './volley.ts';

/** Objects in the large and in the small folder. In the small one all projects are touched; in the large one as many of them. */
const objects = { full: { large: 1_000_000, small: 10_000 }, tiny: { large: 40, small: 20 } };
/** Of how many projects one is touched. */
const tenth = 10;
const hundredth = 100;

/** A server that writes snapshots. */
interface Pace {
  readonly what: string;
  readonly flags: readonly string[];
  readonly allCores: boolean;
  readonly goal?: Goal;
}

const fullFlags = ['--snapshot-pause', '0'];
const goal: Goal = { atLeast: 600 };
const fullPace: Pace = { what: 'snapshot at full pace, one core', flags: fullFlags, allCores: false, goal };
const paces: readonly Pace[] = [
  { what: 'snapshot at full pace, all cores', flags: fullFlags, allCores: true, goal },
  fullPace,
  { what: 'snapshot at the default pace, all cores', flags: [], allCores: true },
];

export const snapshot: Bench = {
  name: 'snapshot',
  about: 'snapshots: throughput on one core and on all, and cost as the untouched part grows',
  async run(context) {
    const { large: largeCount, small: smallCount } = context.tiny ? objects.tiny : objects.full;
    const perProject = context.tiny ? objectsPerProject.tiny : objectsPerProject.full;
    const spec = (count: number) => ({ objects: count, objectsPerProject: perProject, kept: 'snapshot' }) as const;
    const [large, small] = [await filledFolder(context, spec(largeCount)), await filledFolder(context, spec(smallCount))];
    return await withCopy(large, (largeCopy) =>
      withCopy(small, async (smallCopy) => {
        const inLarge = await Folder.open(context.program, largeCopy, fullPace);
        const inSmall = await Folder.open(context.program, smallCopy, fullPace);
        try {
          const touchedInSmall = small.places.length;
          const share = (part: number) => touchedOf(large, part);
          const msPerMb = (part: number): Side => ({
            name: `1/${part} touched`,
            measure: async () => (await inLarge.snapshotMs(share(part))) / (large.snapshotBytes / part / 1e6),
          });
          const rates: Row[] = [];
          for (const pace of paces) rates.push(await throughput(context, large, pace));
          return [
            ...rates,
            ...(await compare(context, {
              unit: 'ms',
              what: `snapshot of the same changes, ${short(largeCount)} objects stored`,
              ours: { name: short(largeCount), measure: () => inLarge.snapshotMs(touchedInSmall) },
              others: [
                {
                  name: short(smallCount),
                  what: `snapshot of the same changes, ${short(largeCount)} / ${short(smallCount)} objects stored`,
                  measure: () => inSmall.snapshotMs(touchedInSmall),
                  goal: flat,
                },
              ],
            })),
            ...(await compare(context, {
              unit: 'ms/MB',
              what: 'snapshot per touched MB, 10 % touched',
              ours: msPerMb(tenth),
              others: [{ ...msPerMb(hundredth), what: 'snapshot per touched MB, 10 % / 1 % touched', goal: flat }],
            })),
          ];
        } finally {
          await inLarge.server.stop();
          await inSmall.server.stop();
        }
      }),
    );
  },
};

const touchedOf = ({ places }: MadeFolder, part: number): number => Math.ceil(places.length / part);

/** Bytes of the state for each second of a snapshot. */
async function throughput(context: Context, large: MadeFolder, pace: Pace): Promise<Row> {
  return await withCopy(large, async (copy) => {
    const folder = await Folder.open(context.program, copy, pace);
    try {
      const [row] = await compare(context, {
        unit: 'MB/s',
        what: `${pace.what}, 10 % of the projects touched`,
        ours: {
          name: 'mapwright',
          measure: async () => large.snapshotBytes / 1e3 / (await folder.snapshotMs(touchedOf(large, tenth))),
        },
        others: [],
      });
      const state = `of a state of ${(large.snapshotBytes / 1e6).toFixed(0)} MB`;
      const note = `${state}, seal and start of the thread included; every leaf of the touched projects has a change`;
      return { ...(row as Row), ...(pace.goal && { goal: pace.goal }), note };
    } finally {
      await folder.server.stop();
    }
  });
}

/** A server on a folder, which nobody asks for anything while it writes a snapshot. */
class Folder {
  readonly server: Ours;
  readonly #folder: string;
  readonly #places: readonly Place[];
  #changes = 0;

  static async open(program: string, data: MadeFolder, { flags, allCores }: Pace): Promise<Folder> {
    return new Folder(await startOurs(program, { data, flags: [...noSnapshots, '--sync', 'never', ...flags], allCores }), data);
  }

  constructor(server: Ours, { folder, places }: MadeFolder) {
    this.server = server;
    this.#folder = folder;
    this.#places = places;
  }

  /** Changes some objects in so many projects, spread over all of them, then takes a snapshot: milliseconds from asking for it to its end. */
  async snapshotMs(projects: number): Promise<number> {
    const body = `{"name":"change ${++this.#changes}"}`;
    const step = this.#places.length / projects;
    const changes = Array.from({ length: projects }, (_, i) => {
      const place = this.#places[Math.floor(i * step)] as Place;
      return place.objects.map((id): Request => ({ method: 'PATCH', path: `${objectsPath(place)}/${id}`, body }));
    });
    await volley(this.server, changes.flat());
    const started = performance.now();
    const { report } = await askServer(this.#folder, 'snapshot', {});
    if (report === undefined) throw new Error('there was nothing new for a snapshot');
    return performance.now() - started;
  }
}
