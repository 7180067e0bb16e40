/** `mapwright verify`: checks every byte of a data folder or a backup. Read-only; works with and without a running server. */

import fs from 'node:fs';
import { resolve } from 'node:path';
import { FolderError } from '../../lib/errors.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { ProgressCounter } from '../../lib/threads/progress-counter.ts';
import { FolderInUseError, openDataFolder, pathsIn } from '../../server/lifecycle/data-folder.ts';
import { blobsOfBackup } from '../../storage/backup/blobs/backup-blobs.ts';
import { type Verification, verifyFolder } from '../../storage/recovery/verify-folder.ts';
import { filesIn } from '../../storage/snapshot/files/files-in.ts';
import { checkBlobs, neededBlobs } from '../../storage/snapshot/files/needed-blobs.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { dataOption, jsonOption, whileItRuns } from '../option-parsing.ts';
import { painter } from '../output/colour.ts';
import { quietLog } from '../output/command-log.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { isoTime, plural } from '../output/format-values.ts';
import { lostAsJson, lostLines } from '../output/lost-files.ts';
import { openBackup } from '../output/named-file.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';

export const verifyCommand = command({
  ...commandOutlines.verify,
  positionals: { file: { type: 'string', describe: 'A backup; without one, the data folder is checked' } },
  options: { ...dataOption, ...jsonOption },
  examples: [
    ['verify', 'the data folder, data/store'],
    ['verify backups/2026-11-20T14-05-00Z-812.backup', 'a backup'],
  ],
  notes: `It changes nothing. ${whileItRuns} Exit code 3 if there is damage.`,
  async handler({ file, data, json }) {
    if (file !== undefined) return verifyBackup(resolve(file), json);
    const { path } = pathsIn(data);
    if (!fs.existsSync(path)) throw new FolderError(`The data folder ${path} does not exist. Name another one with --data DIR.`);
    if (!holdsData(data)) throw new FolderError(`${path} holds no mapwright data. Name a data folder with --data DIR.`);
    const { inUse, verification } = await withProgress('Verifying', (show) => {
      const progress = new ProgressCounter();
      progress.onAdd = () => show({ done: progress.done, total: progress.expected });
      return verify(data, progress);
    });
    if (json) printJson({ folder: path, in_use: inUse, ...verification });
    else process.stdout.write(report(path, verification, inUse));
    if (verification.findings.length > 0) process.exitCode = exitCodes.damaged;
  },
});

async function verifyBackup(path: string, json: boolean): Promise<void> {
  const reader = openBackup(path, 'Name a backup, or a data folder with --data.');
  try {
    const { lsn, lineage, madeAt } = reader.header;
    const counts = await withProgress('Verifying', (show) => {
      let done = 0;
      return reader.check((bytes) => {
        done += bytes;
        show({ done, total: reader.size });
      });
    });
    const { accounts, projects, members } = counts;
    const needed = [...neededBlobs(filesIn(reader)).values()];
    const lost = checkBlobs(needed, blobsOfBackup(nodeFiles, reader));
    if (lost.length > 0) process.exitCode = exitCodes.damaged;
    if (json)
      return printJson({
        ...{ file: path, lsn, lineage, made: isoTime(madeAt), ...counts },
        ...{ blobs: needed.length, lost_files: lost.map(lostAsJson) },
      });
    const remedy = 'A restore brings back everything else. Another backup may have these bytes; or upload the pictures again.';
    const lines = [
      `${path}: a backup up to record ${lsn}, as of ${isoTime(madeAt)}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.`,
      ...(needed.length === 0 ? [] : [`The bytes of ${plural(needed.length, 'file')} were read.`]),
      ...lostLines(lost, remedy),
      ...(lost.length === 0 ? ['Sound: every checksum matches, and every member can be decoded.'] : []),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    reader.close();
  }
}

/** Whether the folder contains server data. Checked before the folder is opened, because that would create a lock file. */
function holdsData(data: string): boolean {
  const { journal, snapshots } = pathsIn(data);
  return [journal, snapshots].some(
    (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && fs.readdirSync(folder).length > 0,
  );
}

function verify(data: string, progress: ProgressCounter): { inUse: boolean; verification: Verification } {
  const folders = pathsIn(data);
  try {
    const folder = openDataFolder(data, quietLog());
    try {
      return { inUse: false, verification: verifyFolder(nodeFiles, folders, false, progress) };
    } finally {
      folder.close();
    }
  } catch (error) {
    // No process can hold the lock of a folder on a read-only file system.
    if (isReadOnly(error)) return { inUse: false, verification: verifyFolder(nodeFiles, folders, false, progress) };
    if (!(error instanceof FolderInUseError)) throw error;
    return { inUse: true, verification: verifyFolder(nodeFiles, folders, true, progress) };
  }
}

const isReadOnly = (error: unknown): boolean =>
  error instanceof FolderError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EROFS';

function report(
  path: string,
  { segments, snapshots, blobs, lost, findings, restores, quarantined }: Verification,
  inUse: boolean,
): string {
  const paint = painter();
  const lines = [
    `${path}: ${plural(snapshots, 'snapshot')} and ${plural(segments, 'segment')} read${blobs === 0 ? '' : `, and the bytes of ${plural(blobs, 'file')}`}.`,
  ];
  for (const { file, offset, problem } of findings) lines.push(paint('red', `  ${file} at byte ${offset}: ${problem}`));
  for (const file of quarantined)
    lines.push(`  ${file} was quarantined because of damage and is not needed any more. Delete it after you have inspected it.`);
  if (restores !== undefined) {
    const { accounts, projects, members, lsn } = restores;
    lines.push(
      `It restores up to record ${lsn}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.`,
    );
  }
  if (inUse) lines.push('A server has this folder open, so the end of its log was not final during the check.');
  if (lost > 0)
    lines.push('Files whose bytes are lost: restore a backup into another folder, or upload the same pictures again.');
  if (findings.length === 0) lines.push(paint('green', 'Sound: every checksum matches.'));
  else
    lines.push(
      restores === undefined && !inUse
        ? paint('red', 'Damaged: a server will not start with this folder.')
        : 'Damaged: see the findings above. Nothing was changed.',
    );
  return `${lines.join('\n')}\n`;
}
