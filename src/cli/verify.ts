/** `mapwright verify`: checks every byte of a data folder or a backup and says what it found. Changes nothing; works while the server runs. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { type Verification, verifyFolder } from '../engine/verify.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { FolderInUseError, openDataFolder, pathsIn } from '../server/data-folder.ts';
import { SnapshotReader } from '../snapshot/reader.ts';
import { exitCodes } from './exit-codes.ts';
import { quietLog } from './log.ts';
import { dataOption, jsonOption, withOptions } from './options.ts';
import { refuseNoFile } from './regular-file.ts';
import { isoTime, plural } from './words.ts';

export const verifyCommand: CommandModule<object, { file?: string; data: string; json: boolean }> = {
  command: 'verify [file]',
  describe: 'Check every byte of a backup, or of a data folder (while the server runs, or not)',
  builder: (yargs) =>
    withOptions({ ...dataOption, ...jsonOption })(yargs.positional('file', { type: 'string', describe: 'A backup' })),
  handler({ file, data, json }) {
    if (file !== undefined) {
      verifyBackup(resolve(file), json);
      return;
    }
    const { path } = pathsIn(data);
    if (!fs.existsSync(path)) throw new FolderError(`There is no data folder ${path}. Say which one: --data DIR.`);
    if (!holdsData(data)) throw new FolderError(`${path} holds no mapwright data.`);
    const { inUse, verification } = verify(data);
    if (json) process.stdout.write(`${JSON.stringify({ folder: path, in_use: inUse, ...verification }, null, 2)}\n`);
    else process.stdout.write(report(path, verification, inUse));
    if (verification.findings.length > 0) process.exitCode = exitCodes.damaged;
  },
};

function verifyBackup(path: string, json: boolean): void {
  const reader = openBackup(path);
  try {
    const { lsn, lineage, madeAt } = reader.header;
    const counts = reader.check();
    const { accounts, projects, members } = counts;
    if (json)
      process.stdout.write(`${JSON.stringify({ file: path, lsn, lineage, made: isoTime(madeAt), ...counts }, null, 2)}\n`);
    else
      process.stdout.write(
        `${path}: everything up to record ${lsn}, as of ${isoTime(madeAt)}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.\nSound: every checksum matches, every member can be read.\n`,
      );
  } finally {
    reader.close();
  }
}

function openBackup(path: string): SnapshotReader {
  try {
    refuseNoFile(path);
    return new SnapshotReader(nodeFiles, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new FolderError(`There is no backup ${path}.`);
    if (code === 'EISDIR') throw new FolderError(`${path} is a folder. Name a backup, or a data folder with --data.`);
    throw error;
  }
}

/** Whether there is anything that a server left. Asked first: to open the folder would leave a lock in it. */
function holdsData(data: string): boolean {
  const { journal, snapshots } = pathsIn(data);
  return [journal, snapshots].some(
    (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && fs.readdirSync(folder).length > 0,
  );
}

function verify(data: string): { inUse: boolean; verification: Verification } {
  const folders = pathsIn(data);
  try {
    const folder = openDataFolder(data, quietLog());
    try {
      return { inUse: false, verification: verifyFolder(nodeFiles, folders, false) };
    } finally {
      folder.close();
    }
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return { inUse: true, verification: verifyFolder(nodeFiles, folders, true) };
  }
}

function report(path: string, { segments, snapshots, findings, restores }: Verification, inUse: boolean): string {
  const lines = [`${path}: ${plural(snapshots, 'snapshot')} and ${plural(segments, 'segment')} read.`];
  for (const { file, offset, problem } of findings) lines.push(`  ${file} at byte ${offset}: ${problem}`);
  if (restores !== undefined) {
    const { accounts, projects, members, lsn } = restores;
    lines.push(
      `It restores to record ${lsn}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.`,
    );
  }
  if (inUse) lines.push('A server is writing here: the very end of its log was not final while it was read.');
  if (findings.length === 0) lines.push('Sound: every checksum matches.');
  else
    lines.push(
      restores === undefined && !inUse
        ? 'Damaged: a server would refuse to start on it.'
        : 'See the findings above; nothing was changed.',
    );
  return `${lines.join('\n')}\n`;
}
