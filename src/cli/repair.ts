/** `mapwright repair`: the way out of a refusal: a new folder with all that can be proved, and a list of what is lost. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import { type Built, buildFolder } from '../backup/build.ts';
import type { Loss } from '../backup/losses.ts';
import { type Kept, keepProvable } from '../backup/repair.ts';
import { refuseInside } from '../backup/target.ts';
import { hasMarker } from '../engine/marker.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { Meter } from '../lib/meter.ts';
import { isInUse, pathsIn } from '../server/data-folder.ts';
import { fillNewFolder } from '../server/new-folder.ts';
import { command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { quietLog } from './log.ts';
import { asGiven, dataOption, jsonOption, UsageError } from './options.ts';
import { withProgress } from './progress.ts';
import { printJson } from './stdout.ts';
import { isoTime, plural, shellWord } from './words.ts';

/** Records that are told one by one; all of them with --json. */
const recordsShownMax = 20;

const options = {
  ...dataOption,
  data: { ...dataOption.data, describe: 'The damaged folder; nothing in it is changed' },
  to: { type: 'string', demandOption: true, describe: 'The folder to make: new, or empty' },
  ...jsonOption,
} as const;

export const repairCommand = command<{ data: string; to: string; json: boolean }>({
  command: 'repair',
  describe: 'Save what can be proved of a damaged data folder into a new one, and list what is lost',
  options,
  examples: [['repair --data data/store --to repaired', 'changes nothing in data/store']],
  needs: () => 'Where to? npx mapwright repair --data DIR --to NEWDIR',
  notes: 'Exit code 3 where something is lost. A backup may have it: look there first.',
  async handler({ data, to, json }) {
    if (to === '') throw new UsageError(`${asGiven('to')} needs the name of a folder.`);
    const { path, journal, snapshots, marker } = pathsIn(data);
    if (!fs.existsSync(journal) && !fs.existsSync(snapshots)) throw new FolderError(`${path} holds no mapwright data.`);
    refuseInside(to, path, 'nothing is written there. Name a folder outside of it, with --to');
    refuseUnknownFormat(marker);
    if (isInUse(data))
      throw new FolderError(
        `A server runs on ${path}, so the folder is sound enough to be served and needs no repair. To repair it all the same, stop the server first.`,
      );
    const { kept, built } = await withProgress('Repairing', (show) => {
      return fillNewFolder(to, quietLog(), () => {
        const found = keepProvable(nodeFiles, { journal, snapshots });
        return (folder) => {
          const meter = new Meter();
          meter.onAdd = () => show({ done: meter.done, total: meter.expected });
          const { state, newestTime } = found;
          return { kept: found, built: buildFolder(nodeFiles, { folder, state, newestTime, now: Date.now(), meter }) };
        };
      });
    });
    if (json) printJson(asJson(kept, built, resolve(to)));
    else process.stdout.write(report(kept, built, data, to));
    if (kept.losses.length > 0) process.exitCode = exitCodes.damaged;
  },
});

/** Another version of the folder is no damage, and to read it as this one would be to guess. A marker that is damaged loses nothing. */
function refuseUnknownFormat(marker: string): void {
  try {
    hasMarker(nodeFiles, marker);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
  }
}

function asJson(
  { findings, losses, newestTime, base }: Kept,
  { lsn, lineage, accounts, projects, members }: Built,
  folder: string,
) {
  const listed = losses.map(lossAsJson);
  const counts = { lsn, newest_time: isoTime(newestTime), accounts, projects, members };
  return { folder, ...counts, lineage, base: base ?? null, findings, losses: listed };
}

function lossAsJson(loss: Loss): object {
  switch (loss.kind) {
    case 'record': {
      const { timeMs, ...rest } = loss;
      return { ...rest, time: isoTime(timeMs) };
    }
    case 'project': {
      const { accountId: account_id, projectId: project_id, ...rest } = loss;
      return { ...rest, account_id, project_id };
    }
    case 'members': {
      const { accountId: account_id, projectId: project_id, parentId: parent_id, ...rest } = loss;
      return { ...rest, account_id, project_id, parent_id };
    }
    default:
      return loss;
  }
}

function report({ findings, losses, newestTime }: Kept, built: Built, data: string, to: string): string {
  const { lsn, accounts, projects, members } = built;
  const lines = [
    `Kept up to record ${lsn}, written ${isoTime(newestTime)}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.`,
  ];
  if (findings.length > 0)
    lines.push('', 'Damage found:', ...findings.map(({ file, offset, problem }) => `  ${file} at byte ${offset}: ${problem}`));
  if (losses.length === 0) {
    lines.push(
      '',
      findings.length === 0
        ? 'There was no damage, and nothing is lost.'
        : 'Nothing is lost: all that the damage hit was there twice.',
    );
  } else {
    const records = losses.filter(({ kind }) => kind === 'record');
    const told = losses.filter((loss) => loss.kind !== 'record' || records.indexOf(loss) < recordsShownMax);
    lines.push('', 'Lost, or older than the rest:', ...told.map((loss) => `  ${inWords(loss)}`));
    if (records.length > recordsShownMax)
      lines.push(`  ... and ${records.length - recordsShownMax} more; all of them with --json`);
    lines.push(
      '',
      `Keys are as they were then: look whether one of them was to be revoked: npx mapwright keys list --data ${shellWord(to)}`,
    );
    lines.push('A backup may hold what is lost here: npx mapwright restore FILE --data NEWDIR');
  }
  lines.push(
    '',
    `${shellWord(data)} was not changed; keep it until you are sure. Serve the new one: npx mapwright serve --data ${shellWord(to)}`,
  );
  return `${lines.join('\n')}\n`;
}

function inWords(loss: Loss): string {
  if (loss.kind === 'record')
    return `record ${loss.lsn}, ${isoTime(loss.timeMs)}, which can be read but has nothing to stand on: ${loss.words}`;
  if (loss.kind !== 'records') return loss.words;
  const which = loss.to === undefined ? `records from ${loss.from} on, if there were any` : `records ${loss.from} to ${loss.to}`;
  return `${which}: ${loss.words}`;
}
