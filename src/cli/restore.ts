/** `mapwright restore`: a new data folder, from a backup or from any point that backups and log reach. */
import { resolve } from 'node:path';
import { readHistory } from '../backup/history.ts';
import { type ParsedTime, type Point, parsePoint } from '../backup/point.ts';
import { checkBackup, findWay, type Restored, type RestoreTarget, restoreBackup, restorePoint } from '../backup/restore.ts';
import { hasMarker } from '../engine/marker.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { Meter } from '../lib/meter.ts';
import { pathsIn } from '../server/data-folder.ts';
import { fillNewFolder } from '../server/new-folder.ts';
import { command } from './command.ts';
import { quietLog } from './log.ts';
import { refuseNoBackup } from './named-file.ts';
import { asGiven, inGroups, jsonOption, UsageError } from './options.ts';
import { withProgress } from './progress.ts';
import { printJson } from './stdout.ts';
import { isoTime, plural, shellWord } from './words.ts';

interface Arguments {
  file?: string;
  data: string;
  from?: string;
  log?: string;
  at?: string;
  lineage: string;
  json: boolean;
}

const historyOptions = {
  from: { type: 'string', describe: 'The folder of backups, or a data folder (it may be in use)' },
  log: { type: 'string', describe: 'A data folder whose log goes on after the last backup (it may be in use)' },
  at: {
    type: 'string',
    describe: 'How far: a record\u2019s number, or a time such as 2026-11-20T14:05 (local) or 2026-11-20T14:05Z',
  },
  lineage: {
    type: 'string',
    default: '',
    defaultDescription: 'the only one',
    describe: 'Which history, where there are several',
  },
} as const;

const needs = () =>
  'What, and where to? npx mapwright restore FILE --data NEWDIR, or npx mapwright restore --at TIME --from BACKUPS --data NEWDIR';

/** How often a history is read again whose server deletes meanwhile what a snapshot covers. */
const triesMax = 5;

export const restoreCommand = command<Arguments>({
  command: 'restore [file]',
  describe: 'Make a data folder from a backup, or from any point that backups and log reach',
  positionals: { file: { type: 'string', describe: 'A backup' } },
  options: {
    ...inGroups({ 'Instead of a backup, any point:': ['from', 'log', 'at', 'lineage'] }, historyOptions),
    data: { type: 'string', demandOption: true, describe: 'The folder to make: new, or empty' },
    ...jsonOption,
  },
  examples: [
    ['restore backups/2026-11-20T14-05-00Z-812.backup --data restored', 'what a backup holds'],
    ['restore --at 812 --from data/store --data restored', 'everything up to a record, see log'],
    ['restore --at 2026-11-20T14:05 --from backups --log data/store --data restored', 'everything up to a moment'],
  ],
  needs,
  notes: 'It changes nothing but the folder that it makes.',
  async handler(args) {
    const { file, from, json, data } = args;
    if ((file === undefined) === (from === undefined)) throw new UsageError(`Either a backup or --from. ${needs()}`);
    if (file !== undefined && (args.at !== undefined || args.log !== undefined || args.lineage !== ''))
      throw new UsageError('--at, --log and --lineage go with --from: a backup is one point, as it is.');
    if (data === '') throw new UsageError(`${asGiven('data')} needs the name of a folder.`);
    const point = args.at === undefined ? undefined : pointIn('at', args.at);
    const meter = new Meter();
    const restored = await withProgress('Restoring', (show) => {
      meter.onAdd = () => show({ done: meter.done, total: meter.expected });
      return withRetries(() => {
        return fillNewFolder(data, quietLog(), () => {
          const restore = file === undefined ? fromHistory(args, point) : fromBackup(resolve(file), meter);
          return (folder) => restore({ folder, now: Date.now(), meter });
        });
      });
    });
    if (json) printJson({ folder: resolve(data), ...asJson(restored) });
    else process.stdout.write(report(restored, args, point));
  },
});

/**
 * Throws a {@link UsageError} for what is neither a number nor a time.
 *
 * @param option the one that says it
 */
export function pointIn(option: string, text: string): { lsn: number } | ParsedTime {
  const point = parsePoint(text);
  if (point === undefined || ('lsn' in point && point.lsn < 1)) {
    throw new UsageError(
      `${asGiven(option)} needs ${option === 'since' ? '' : 'a record\u2019s number, from 1, or '}a time: 2026-11-20T14:05 (this machine\u2019s), 2026-11-20T14:05:30Z, 2026-11-20T14:05+01:00.`,
    );
  }
  return point;
}

function fromBackup(file: string, meter: Meter): (target: RestoreTarget) => Restored {
  refuseNoBackup(file, `Name a backup in it, or: --from ${shellWord(file)}`);
  checkBackup(nodeFiles, file, meter);
  return (target) => restoreBackup(nodeFiles, file, target);
}

function fromHistory({ from, log, lineage }: Arguments, point: Point | undefined): (target: RestoreTarget) => Restored {
  const folders = [from, log].filter((folder) => folder !== undefined).map((folder) => resolve(folder));
  for (const folder of folders) hasMarker(nodeFiles, pathsIn(folder).marker);
  const history = readHistory(nodeFiles, folders);
  const way = findWay(nodeFiles, history, point, lineage);
  return (target) => restorePoint(nodeFiles, history, way, target);
}

function withRetries<T>(work: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (tries === triesMax) throw new FolderError(`Files are deleted there while they are read: ${(error as Error).message}`);
    }
  }
}

function asJson({ lsn, lineage, accounts, projects, members, base, baseLsn, newestTime, nextTime, damage }: Restored) {
  const counts = { lsn, accounts, projects, members };
  const from = { base: base ?? null, base_lsn: baseLsn };
  const times = { newest_time: isoTime(newestTime), next_time: nextTime === undefined ? null : isoTime(nextTime) };
  return { ...counts, ...from, ...times, lineage, damage: damage ?? null };
}

function report(
  { lsn, accounts, projects, members, newestTime, nextTime, damage }: Restored,
  { data, at }: Arguments,
  point?: Point,
): string {
  const counts = [plural(accounts, 'account'), plural(projects, 'project'), plural(members, 'member')];
  const lines: string[] = [];
  if (point !== undefined && 'timeMs' in point) {
    const zone = (point as ParsedTime).local ? `, taken as this machine\u2019s time,` : '';
    lines.push(`${at}${zone} is ${isoTime(point.timeMs)}.`);
  }
  lines.push(`Restored up to record ${lsn}, written ${isoTime(newestTime)}: ${counts[0]}, ${counts[1]} with ${counts[2]}.`);
  if (nextTime !== undefined) lines.push(`Left out: record ${lsn + 1}, written ${isoTime(nextTime)}, and all after it.`);
  if (damage !== undefined) lines.push(`The log is damaged after that: ${damage}`);
  lines.push(
    'Every byte was verified. Keys are as they were then: one that was revoked later works again until you revoke it.',
    `See them: npx mapwright keys list --data ${shellWord(data)}`,
    `Serve it: npx mapwright serve --data ${shellWord(data)}`,
  );
  return `${lines.join('\n')}\n`;
}
