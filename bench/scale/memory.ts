/** Memory per object: what the process holds with a million of them, less what it holds with none, once no garbage is left. */
import { rowOfOurs, said } from '../lib/rows.ts';
import type { Bench, Context, Row } from '../row.ts';
import { filledFolder, type MadeFolder, short, withCopy } from './folders.ts';
import { noSnapshots, type Probed, startProbed } from './probed.ts';
import { objectsPerProject } from './restart.ts';
import { listsOf } from './traffic.ts';
import { volley } from './volley.ts';

const objects = { full: 1_000_000, tiny: 40 };
/** The heap must hold them all decoded, and the budget allow it, both in MiB: what is measured is what they take, not what is let go again. */
const room = { nodeFlags: ['--max-old-space-size=6144'], flags: ['--memory-mb', '4800', '--cache-mb', '0', ...noSnapshots] };
/** Lists under way at a time. */
const listConnections = 4;

export const memory: Bench = {
  name: 'memory',
  about: 'resident bytes per object: untouched, read, and written',
  async run(context) {
    const count = context.tiny ? objects.tiny : objects.full;
    const spec = { objects: count, objectsPerProject: context.tiny ? objectsPerProject.tiny : objectsPerProject.full };
    const restored = await filledFolder(context, { ...spec, kept: 'snapshot' });
    const logged = await filledFolder(context, { ...spec, kept: 'log' });
    const perObject = { untouched: [] as number[], read: [] as number[], written: [] as number[] };
    for (let round = 0; round < Math.min(context.rounds, 3); round++) {
      const empty = await residentBytes(context, undefined);
      const [untouched = 0, read = 0] = await residentBytes(context, restored, (server) =>
        volley(server, listsOf(restored.places), listConnections),
      );
      const [written = 0] = await residentBytes(context, logged);
      perObject.untouched.push((untouched - (empty[0] ?? 0)) / count);
      perObject.read.push((read - (empty[0] ?? 0)) / count);
      perObject.written.push((written - (empty[0] ?? 0)) / count);
    }
    const shape = `${short(count)} cities in projects of ${spec.objectsPerProject}`;
    const row = (what: string, values: readonly number[], note: string, atMost?: number): Row =>
      rowOfOurs(
        `resident bytes per object, ${what}`,
        'B',
        values,
        `${shape}; ${note}`,
        atMost === undefined ? undefined : { atMost },
      );
    const rows = [
      row('untouched', perObject.untouched, 'restored from a snapshot', 400),
      row('touched', perObject.read, 'restored, then all listed; without the cache of JSON', 800),
      row('written', perObject.written, 'replayed from the log, as after writing them'),
    ];
    for (const one of rows) context.say(said(one));
    return rows;
  },
};

/** Bytes that the server holds once it has started, and once it has done what `use` asks of it. */
async function residentBytes(
  context: Context,
  original: MadeFolder | undefined,
  use?: (server: Probed) => Promise<unknown>,
): Promise<number[]> {
  const measure = async (copy?: MadeFolder) => {
    const server = await startProbed(context.program, { ...room, ...(copy && { data: copy }) });
    try {
      const bytes = [(await server.vitals('collect')).rssBytes];
      if (use !== undefined) {
        await use(server);
        bytes.push((await server.vitals('collect')).rssBytes);
      }
      return bytes;
    } finally {
      await server.stop();
    }
  };
  return original === undefined ? measure() : withCopy(original, measure);
}
