/** `mapwright restore`: creates a data folder from a backup, or from any point that backups and log reach. */

import { resolve } from 'node:path';
import { FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import { pathsIn } from '../../server/lifecycle/data-folder.ts';
import { fillNewFolder } from '../../server/lifecycle/new-folder.ts';
import { HistoryChangedError, readHistory } from '../../storage/backup/backup-history.ts';
import { type ParsedTime, parseRecoveryTarget, type RecoveryTarget } from '../../storage/backup/recovery-target.ts';
import {
  checkBackup,
  planRestore,
  type RestoredHistory,
  type RestoreInto,
  restoreBackup,
  restorePoint,
} from '../../storage/backup/restore-backup.ts';
import { hasMarker } from '../../storage/recovery/marker.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { type ArgumentsOf, asGiven, inGroups, jsonOption, UsageError } from '../option-parsing.ts';
import { quietLog } from '../output/command-log.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { isoTime, plural, shellWord } from '../output/format-values.ts';
import { lostAsJson, lostLines } from '../output/lost-files.ts';
import { assertBackup } from '../output/named-file.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';

const historyOptions = {
  from: { type: 'string', describe: 'The backup folder, or a data folder (may be in use)' },
  log: { type: 'string', describe: 'A data folder whose log continues after the last backup (may be in use)' },
  at: {
    type: 'string',
    describe: 'The target: the number of a record, or a time such as 2026-11-20T14:05 (local) or 2026-11-20T14:05Z',
  },
  lineage: {
    type: 'string',
    default: '',
    defaultDescription: 'the only one',
    describe: 'The history to restore, if there are several (beginning of its lineage)',
  },
} as const;

const fileArgument = { file: { type: 'string', describe: 'A backup' } } as const;
const options = {
  ...inGroups({ 'Point-in-time recovery, instead of a backup:': ['from', 'log', 'at', 'lineage'] }, historyOptions),
  data: { type: 'string', demandOption: true, describe: 'The folder to create: new, or empty' },
  ...jsonOption,
} as const;
type RestoreArguments = ArgumentsOf<typeof fileArgument & typeof options>;

const needs = () =>
  'Name a backup and a new folder: npx mapwright restore FILE --data NEWDIR, or npx mapwright restore --at TIME --from BACKUPS --data NEWDIR';

/** Number of attempts if a running server deletes files during the restore. */
const triesMax = 5;

export const restoreCommand = command({
  ...commandOutlines.restore,
  positionals: fileArgument,
  options,
  examples: [
    ['restore backups/2026-11-20T14-05-00Z-812.backup --data restored', 'the contents of a backup'],
    ['restore --at 812 --from data/store --data restored', 'all records up to 812; find the number with mapwright log'],
    ['restore --at 2026-11-20T14:05 --from backups --log data/store --data restored', 'all records up to a time'],
  ],
  needs,
  notes: 'It changes nothing except the new folder. Exit code 3 if files of projects are lost; the rest is restored.',
  async handler(args) {
    const { file, from, json, data } = args;
    if ((file === undefined) === (from === undefined)) throw new UsageError(`Give either a backup or --from. ${needs()}`);
    if (file !== undefined && (args.at !== undefined || args.log !== undefined || args.lineage !== ''))
      throw new UsageError('--at, --log and --lineage need --from. A single backup can only be restored as it is.');
    if (data === '') throw new UsageError(`${asGiven('data')} needs the name of a folder.`);
    const point = args.at === undefined ? undefined : targetFrom('at', args.at);
    const progress = new ProgressCounter();
    const restored = await withProgress('Restoring', (show) => {
      progress.onAdd = () => show({ done: progress.done, total: progress.expected });
      return withRetries(() => {
        return fillNewFolder(data, quietLog(), () => {
          const restore = file === undefined ? fromHistory(args, point) : fromBackup(resolve(file), progress);
          return (folder) => restore({ folder, now: Date.now(), progress });
        });
      });
    });
    if (json) printJson({ folder: resolve(data), ...asJson(restored) });
    else process.stdout.write(report(restored, args, point));
    if (restored.lostBlobs.length > 0) process.exitCode = exitCodes.damaged;
  },
});

/**
 * Parses a record number or a time. Throws a {@link UsageError} for anything else.
 *
 * @param option the name of the option
 */
export function targetFrom(option: string, text: string): { lsn: number } | ParsedTime {
  const point = parseRecoveryTarget(text);
  if (point === undefined || ('lsn' in point && point.lsn < 1)) {
    throw new UsageError(
      `${asGiven(option)} needs ${option === 'since' ? '' : 'the number of a record, from 1, or '}a time: 2026-11-20T14:05 (local time), 2026-11-20T14:05:30Z, 2026-11-20T14:05+01:00.`,
    );
  }
  return point;
}

function fromBackup(file: string, progress: ProgressCounter): (target: RestoreInto) => RestoredHistory {
  assertBackup(file, `Name a backup in it, or use --from ${shellWord(file)}`);
  checkBackup(nodeFiles, file, progress);
  return (target) => restoreBackup(nodeFiles, file, target);
}

function fromHistory(
  { from, log, lineage }: RestoreArguments,
  point: RecoveryTarget | undefined,
): (target: RestoreInto) => RestoredHistory {
  const folders = [from, log].filter((folder) => folder !== undefined).map((folder) => resolve(folder));
  for (const folder of folders) hasMarker(nodeFiles, pathsIn(folder).marker, 'any');
  const history = readHistory(nodeFiles, folders);
  const way = planRestore(nodeFiles, history, point, lineage);
  return (target) => restorePoint(nodeFiles, history, way, target);
}

function withRetries<T>(work: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !(error instanceof HistoryChangedError)) throw error;
      if (tries === triesMax)
        throw new FolderError(
          `A server deleted files during each of ${triesMax} attempts: ${(error as Error).message}. Try again.`,
        );
    }
  }
}

function asJson({ lsn, lineage, accounts, projects, members, base, baseLsn, lostBlobs, ...rest }: RestoredHistory) {
  const { newestTime, nextTime, damage } = rest;
  const counts = { lsn, accounts, projects, members };
  const from = { base: base ?? null, base_lsn: baseLsn };
  const times = { newest_time: isoTime(newestTime), next_time: nextTime === undefined ? null : isoTime(nextTime) };
  return { ...counts, ...from, ...times, lineage, damage: damage ?? null, lost_files: lostBlobs.map(lostAsJson) };
}

function report(
  { lsn, accounts, projects, members, newestTime, nextTime, damage, lostBlobs }: RestoredHistory,
  { data, at }: RestoreArguments,
  point?: RecoveryTarget,
): string {
  const counts = [plural(accounts, 'account'), plural(projects, 'project'), plural(members, 'member')];
  const lines: string[] = [];
  if (point !== undefined && 'timeMs' in point) {
    const zone = (point as ParsedTime).local ? ' (local time)' : '';
    lines.push(`${at}${zone} is ${isoTime(point.timeMs)}.`);
  }
  lines.push(`Restored up to record ${lsn}, written ${isoTime(newestTime)}: ${counts[0]}, ${counts[1]} with ${counts[2]}.`);
  if (nextTime !== undefined) lines.push(`Not restored: record ${lsn + 1}, written ${isoTime(nextTime)}, and later ones.`);
  if (damage !== undefined) lines.push(`The log after that is damaged: ${damage}`);
  lines.push(...lostLines(lostBlobs, 'Restore another backup into another folder, or upload the pictures again.'));
  lines.push(
    'Every byte was verified. Keys are as of this record: a key that was revoked later works again until you revoke it.',
    `To list them: npx mapwright keys list --data ${shellWord(data)}`,
    'Published maps are as of this record, too: one that was made private later is public again. To check first, serve with --no-publish.',
    `To serve the folder: npx mapwright serve --data ${shellWord(data)}`,
  );
  return `${lines.join('\n')}\n`;
}
