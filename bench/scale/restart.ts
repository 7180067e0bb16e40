/**
 * Restart: from the start of the process to the first answer, at three sizes and from log, snapshot, and both. The files are in the
 * page cache, as after a crash of the process; a machine that was rebooted reads them from the disk first.
 */
import { call } from '../lib/ask.ts';
import { removeFolder, start, temporaryFolder } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';
import { rowOf, rowOfOurs, said } from '../lib/rows.ts';
import { median } from '../lib/statistics.ts';
import type { Bench, Context, Goal, Row } from '../row.ts';
import { startOurs } from '../servers/ours.ts';
import type { FolderSpec } from './fill.ts';
import { filledFolder, type MadeFolder, short, withCopies } from './folders.ts';
import { noSnapshots } from './probed.ts';

const sizes = { full: [10_000, 100_000, 1_000_000], tiny: [20, 40] };
const kinds = { log: 'log only', snapshot: 'snapshot only', both: 'snapshot, and a tenth changed in the log' } as const;
export const objectsPerProject = { full: 1000, tiny: 10 };

const keptIn = Object.keys(kinds) as FolderSpec['kept'][];

/** In milliseconds. */
const goals = { empty: { atMost: 200 }, snapshot: { atMost: 450 }, log: { atMost: 1800 }, both: undefined } as const;
/** The number of objects that the goals are for. */
const goalObjects = 1_000_000;
/** What any curve may rise by before it counts as not flat. */
export const flat: Goal = { atMost: 1.1 };

interface Case {
  readonly spec: FolderSpec;
  readonly made: MadeFolder;
  readonly ms: number[];
}

export const restart: Bench = {
  name: 'restart',
  about: 'starts on 10 k, 100 k and 1 M objects, from log, snapshot and both, to the first answer',
  async run(context) {
    const perProject = context.tiny ? objectsPerProject.tiny : objectsPerProject.full;
    const bare: number[] = [];
    const empty: number[] = [];
    const cases: Case[] = [];
    const emptyFolder = await newFolder(context);
    try {
      for (const objects of context.tiny ? sizes.tiny : sizes.full) {
        const specs = keptIn.map((kept) => ({ objects, objectsPerProject: perProject, kept }));
        const originals: MadeFolder[] = [];
        for (const spec of specs) originals.push(await filledFolder(context, spec));
        await withCopies(originals, async (copies) => {
          const here = copies.map((made, i): Case => ({ spec: specs[i] as FolderSpec, made, ms: [] }));
          // The first one settles the log; none after it writes anything.
          for (const { made } of here) await restartMs(context, made);
          for (let round = 0; round < context.rounds; round++) {
            bare.push(await bareMs());
            empty.push(await restartMs(context, emptyFolder));
            for (const { made, ms } of here) ms.push(await restartMs(context, made));
          }
          cases.push(...here);
          for (const one of here) context.say(said(rowOfCase(one, bare)));
        });
      }
    } finally {
      removeFolder(emptyFolder.folder);
    }
    return [
      rowOfOurs('restart of an empty folder', 'ms', empty, bareNote(empty, bare), goals.empty),
      ...cases.map((one) => rowOfCase(one, bare)),
      ...perMegabyte(context, cases, median(empty)),
    ];
  },
};

type Started = Pick<MadeFolder, 'folder' | 'key' | 'places'>;

async function newFolder(context: Context): Promise<Started> {
  const folder = temporaryFolder();
  const server = await startOurs(context.program, { data: { folder, key: '' } });
  await server.stop();
  return { folder, key: '', places: [] };
}

/** Milliseconds from the start of the process to its first answer. */
async function restartMs({ program }: Context, { folder, key, places }: Started): Promise<number> {
  const started = performance.now();
  const server = await startOurs(program, { data: { folder, key }, flags: noSnapshots });
  try {
    const { project, artboard, objects } = places[places.length >> 1] ?? {};
    if (project === undefined) await call({ url: server.url.replace(/\/api\/v1$/, ''), key }, 'GET', '/readyz');
    else await call(server, 'GET', `/projects/${project}/artboards/${artboard}/objects/${objects?.[0]}`);
    return performance.now() - started;
  } finally {
    await server.stop();
  }
}

/** The same of a server that does nothing: what Node itself takes. */
async function bareMs(): Promise<number> {
  const program = `require('node:http').createServer((req, res) => res.end('{}')).listen(0, '127.0.0.1', function () {
    console.log('Listening on http://127.0.0.1:' + this.address().port);
  })`;
  const started = performance.now();
  const { process: running, match } = await start(onServerCore([process.execPath, '--eval', program]), /Listening on (\S+)/);
  await call({ url: match[1] as string, key: '' }, 'GET', '/');
  const ms = performance.now() - started;
  await running.stop();
  return ms;
}

const bareNote = (ms: readonly number[], bare: readonly number[]): string =>
  `page cache warm; a bare node server takes ${Math.round(median(bare))} ms of it, ours ${Math.round(median(ms) - median(bare))} ms`;

function rowOfCase({ spec, made, ms }: Case, bare: readonly number[]): Row {
  const { objects, kept } = spec;
  const megabytes = `${(made.snapshotBytes / 1e6).toFixed(1)} MB of snapshot, ${(kept === 'snapshot' ? 0 : made.logBytes / 1e6).toFixed(1)} MB of log`;
  const reach = objects === goalObjects ? goals[kept] : undefined;
  return rowOfOurs(
    `restart of ${short(objects)} objects, ${kinds[kept]}`,
    'ms',
    ms,
    `${megabytes}; ${bareNote(ms, bare)}`,
    reach,
  );
}

/** What a megabyte costs in the largest folder against the one before it, less what an empty folder takes: whether recovery is linear. */
function perMegabyte({ alone }: Context, cases: readonly Case[], emptyMs: number): Row[] {
  if (alone) return [];
  return (['log', 'snapshot'] as const).flatMap((kept) => {
    const [smaller, larger] = cases.filter(({ spec }) => spec.kept === kept).slice(-2);
    if (smaller === undefined || larger === undefined) return [];
    const cost = ({ made, ms }: Case) => {
      const bytes = kept === 'log' ? made.logBytes : made.snapshotBytes;
      return ms.map((each) => Math.max(0.001, each - emptyMs) / (bytes / 1e6));
    };
    const what = `recovery per MB of ${kept}, ${short(larger.spec.objects)} / ${short(smaller.spec.objects)} objects`;
    const other = { name: short(smaller.spec.objects), results: cost(smaller) };
    return [rowOf(what, 'ms/MB', cost(larger), other, 'less what an empty folder takes', flat)];
  });
}
