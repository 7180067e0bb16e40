/** `mapwright verify`: checks every byte of a data folder or a backup and says what it found. Changes nothing; works while the server runs. */
import fs from 'node:fs';
import { resolve } from 'node:path';
import { type Verification, verifyFolder } from '../engine/verify.ts';
import { FolderError } from '../lib/errors.ts';
import { nodeFiles } from '../lib/files.ts';
import { Meter } from '../lib/meter.ts';
import { FolderInUseError, openDataFolder, pathsIn } from '../server/data-folder.ts';
import { painter } from './colour.ts';
import { command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { quietLog } from './log.ts';
import { openBackup } from './named-file.ts';
import { dataOption, jsonOption, whileItRuns } from './options.ts';
import { withProgress } from './progress.ts';
import { printJson } from './stdout.ts';
import { isoTime, plural } from './words.ts';

export const verifyCommand = command<{ file?: string; data: string; json: boolean }>({
  command: 'verify [file]',
  describe: 'Check every byte of a backup, or of a data folder',
  positionals: { file: { type: 'string', describe: 'A backup; without one, the data folder is checked' } },
  options: { ...dataOption, ...jsonOption },
  examples: [
    ['verify', 'the data folder, data/store'],
    ['verify backups/2026-11-20T14-05-00Z-812.backup', 'a backup'],
  ],
  notes: `It changes nothing. ${whileItRuns} Exit code 3 where there is damage.`,
  async handler({ file, data, json }) {
    if (file !== undefined) return verifyBackup(resolve(file), json);
    const { path } = pathsIn(data);
    if (!fs.existsSync(path)) throw new FolderError(`There is no data folder ${path}. Say which one: --data DIR.`);
    if (!holdsData(data)) throw new FolderError(`${path} holds no mapwright data.`);
    const { inUse, verification } = await withProgress('Verifying', (show) => {
      const meter = new Meter();
      meter.onAdd = () => show({ done: meter.done, total: meter.expected });
      return verify(data, meter);
    });
    const { setAside: set_aside, ...found } = verification;
    if (json) printJson({ folder: path, in_use: inUse, ...found, set_aside });
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
    if (json) printJson({ file: path, lsn, lineage, made: isoTime(madeAt), ...counts });
    else
      process.stdout.write(
        `${path}: everything up to record ${lsn}, as of ${isoTime(madeAt)}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.\nSound: every checksum matches, every member can be read.\n`,
      );
  } finally {
    reader.close();
  }
}

/** Whether there is anything that a server left. Asked first: to open the folder would leave a lock in it. */
function holdsData(data: string): boolean {
  const { journal, snapshots } = pathsIn(data);
  return [journal, snapshots].some(
    (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && fs.readdirSync(folder).length > 0,
  );
}

function verify(data: string, meter: Meter): { inUse: boolean; verification: Verification } {
  const folders = pathsIn(data);
  try {
    const folder = openDataFolder(data, quietLog());
    try {
      return { inUse: false, verification: verifyFolder(nodeFiles, folders, false, meter) };
    } finally {
      folder.close();
    }
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    return { inUse: true, verification: verifyFolder(nodeFiles, folders, true, meter) };
  }
}

function report(path: string, { segments, snapshots, findings, restores, setAside }: Verification, inUse: boolean): string {
  const paint = painter();
  const lines = [`${path}: ${plural(snapshots, 'snapshot')} and ${plural(segments, 'segment')} read.`];
  for (const { file, offset, problem } of findings) lines.push(paint('red', `  ${file} at byte ${offset}: ${problem}`));
  for (const file of setAside)
    lines.push(`  ${file} was set aside because of damage; nothing needs it any more. Delete it when you have looked at it.`);
  if (restores !== undefined) {
    const { accounts, projects, members, lsn } = restores;
    lines.push(
      `It restores to record ${lsn}: ${plural(accounts, 'account')}, ${plural(projects, 'project')} with ${plural(members, 'member')}.`,
    );
  }
  if (inUse) lines.push('A server is writing here: the very end of its log was not final while it was read.');
  if (findings.length === 0) lines.push(paint('green', 'Sound: every checksum matches.'));
  else
    lines.push(
      restores === undefined && !inUse
        ? paint('red', 'Damaged: a server would refuse to start on it.')
        : 'See the findings above; nothing was changed.',
    );
  return `${lines.join('\n')}\n`;
}
