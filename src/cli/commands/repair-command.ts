/** `mapwright repair`: recovers what can be proved into a new folder, and lists what is lost. */

import fs from 'node:fs';
import { resolve } from 'node:path';
import { CorruptError, FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import { isInUse, pathsIn } from '../../server/lifecycle/data-folder.ts';
import { fillNewFolder } from '../../server/lifecycle/new-folder.ts';
import { assertOutside } from '../../storage/backup/backup-path.ts';
import { type BuiltFolder, buildFolder } from '../../storage/backup/build.ts';
import { type RepairedState, repairFolder } from '../../storage/backup/repair/repair-folder.ts';
import type { Loss } from '../../storage/backup/repair/repair-report.ts';
import { FolderBlobs } from '../../storage/blobs/blob-source.ts';
import { hasMarker } from '../../storage/recovery/marker.ts';
import { describeLost, type LostBlob } from '../../storage/snapshot/files/needed-blobs.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { asGiven, dataOption, jsonOption, UsageError } from '../option-parsing.ts';
import { quietLog } from '../output/command-log.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { isoTime, plural, shellWord } from '../output/format-values.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';

/** Number of records listed one by one; --json lists all. */
const recordsShownMax = 20;

const options = {
  ...dataOption,
  data: { ...dataOption.data, describe: 'The damaged folder, which is not changed' },
  to: { type: 'string', demandOption: true, describe: 'The folder to create: new, or empty' },
  ...jsonOption,
} as const;

export const repairCommand = command({
  ...commandOutlines.repair,
  options,
  examples: [['repair --data data/store --to repaired', 'changes nothing in data/store']],
  needs: () => 'Name the new folder: npx mapwright repair --data DIR --to NEWDIR',
  notes: 'Exit code 3 if something is lost. Check your backups first: they may hold it.',
  async handler({ data, to, json }) {
    if (to === '') throw new UsageError(`${asGiven('to')} needs the name of a folder.`);
    const { path, journal, snapshots, blobs, marker } = pathsIn(data);
    if (!fs.existsSync(journal) && !fs.existsSync(snapshots))
      throw new FolderError(`${path} holds no mapwright data. Set --data to a data folder.`);
    assertOutside(to, path, 'a repair must not change it. Set --to to a folder outside of it');
    assertKnownFormat(marker);
    if (isInUse(data))
      throw new FolderError(
        `A server has ${path} open, so the folder needs no repair. To repair it anyway, stop the server first.`,
      );
    const { kept, built } = await withProgress('Repairing', (show) => {
      return fillNewFolder(to, quietLog(), () => {
        const found = repairFolder(nodeFiles, { journal, snapshots });
        return (folder) => {
          const progress = new ProgressCounter();
          progress.onAdd = () => show({ done: progress.done, total: progress.expected });
          const { state, newestTime } = found;
          const sources = [new FolderBlobs(nodeFiles, blobs)];
          const options = { folder, state, blobs: sources, newestTime, now: Date.now(), progress };
          const built = buildFolder(nodeFiles, options);
          return { kept: { ...found, losses: [...found.losses, ...lostFiles(built.lostBlobs)] }, built };
        };
      });
    });
    if (json) printJson(asJson(kept, built, resolve(to)));
    else process.stdout.write(report(kept, built, data, to));
    if (kept.losses.length > 0) process.exitCode = exitCodes.damaged;
  },
});

/** Files whose bytes are lost. */
const lostFiles = (lost: readonly LostBlob[]): Loss[] =>
  lost.map((blob) => ({
    kind: 'file',
    digest: blob.digest,
    projectId: blob.projectId,
    name: blob.name,
    words: describeLost(blob),
  }));

/** Throws for another format version: that is not damage, and it cannot be read reliably. A damaged marker does no harm. */
function assertKnownFormat(marker: string): void {
  try {
    hasMarker(nodeFiles, marker);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
  }
}

function asJson(
  { findings, losses, newestTime, base }: RepairedState,
  { lsn, lineage, accounts, projects, members }: BuiltFolder,
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
    case 'file': {
      const { projectId: project_id, ...rest } = loss;
      return { ...rest, project_id };
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

function report({ findings, losses, newestTime }: RepairedState, built: BuiltFolder, data: string, to: string): string {
  const { lsn, accounts, projects, members } = built;
  const lines = [
    `Kept up to record ${lsn}, written ${isoTime(newestTime)}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.`,
  ];
  if (findings.length > 0)
    lines.push('', 'Damage found:', ...findings.map(({ file, offset, problem }) => `  ${file} at byte ${offset}: ${problem}`));
  if (losses.length === 0) {
    lines.push(
      '',
      findings.length === 0 ? 'There was no damage, and nothing is lost.' : 'Nothing is lost: everything damaged existed twice.',
    );
  } else {
    const records = losses.filter(({ kind }) => kind === 'record');
    const shown = losses.filter((loss) => loss.kind !== 'record' || records.indexOf(loss) < recordsShownMax);
    lines.push('', 'Lost, or older than the rest:', ...shown.map((loss) => `  ${formatLoss(loss)}`));
    if (records.length > recordsShownMax) lines.push(`  ... and ${records.length - recordsShownMax} more, which --json lists`);
    lines.push(
      '',
      `Keys are as of this record. Check whether one was revoked later: npx mapwright keys list --data ${shellWord(to)}`,
      'Published maps are as of this record, too: one that was made private later may be public again. Serve with --no-publish to check first.',
    );
    lines.push('A backup may hold what is lost here. To restore one: npx mapwright restore FILE --data NEWDIR');
  }
  lines.push(
    '',
    `${shellWord(data)} was not changed; keep it until you are sure. To serve the new folder: npx mapwright serve --data ${shellWord(to)}`,
  );
  return `${lines.join('\n')}\n`;
}

function formatLoss(loss: Loss): string {
  if (loss.kind === 'record')
    return `record ${loss.lsn}, ${isoTime(loss.timeMs)}, which is readable but cannot be applied without its predecessors: ${loss.words}`;
  if (loss.kind !== 'records') return loss.words;
  const which = loss.to === undefined ? `any records from ${loss.from} on` : `records ${loss.from} to ${loss.to}`;
  return `${which}: ${loss.words}`;
}
