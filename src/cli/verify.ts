/** `mapwright verify`: checks every byte of a data folder and says what it found. Changes nothing; works while the server runs. */
import fs from 'node:fs';
import type { CommandModule } from 'yargs';
import { type Verification, verifyFolder } from '../engine/verify.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { FolderInUseError, openDataFolder, pathsIn } from '../server/data-folder.ts';
import { exitCodes } from './exit-codes.ts';
import { quietLog } from './log.ts';
import { dataOption, jsonOption, withOptions } from './options.ts';
import { plural } from './words.ts';

export const verifyCommand: CommandModule<object, { data: string; json: boolean }> = {
  command: 'verify',
  describe: 'Check every byte of a data folder (while the server runs, or not)',
  builder: withOptions({ ...dataOption, ...jsonOption }),
  handler({ data, json }) {
    const { path } = pathsIn(data);
    if (!fs.existsSync(path)) throw new FolderError(`There is no data folder ${path}. Say which one: --data DIR.`);
    if (!holdsData(data)) throw new FolderError(`${path} holds no mapwright data.`);
    const { inUse, verification } = verify(data);
    if (json) process.stdout.write(`${JSON.stringify({ folder: path, in_use: inUse, ...verification }, null, 2)}\n`);
    else process.stdout.write(report(path, verification, inUse));
    if (verification.findings.length > 0) process.exitCode = exitCodes.damaged;
  },
};

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
