/** `mapwright backup`: everything, as of this moment, in one file. */
import { resolve, sep } from 'node:path';
import { command } from './command.ts';
import { dataOption, jsonOption, whileItRuns } from './options.ts';
import { withProgress } from './progress.ts';
import { runOperation } from './run-operation.ts';
import { printJson } from './stdout.ts';
import { megabytes, shellWord } from './words.ts';

export const backupCommand = command<{ target: string; data: string; json: boolean }>({
  command: 'backup <target>',
  describe: 'Write everything, as of this moment, into one file',
  positionals: {
    target: { type: 'string', demandOption: true, describe: 'A folder, or a file that is not there yet' },
  },
  options: { ...dataOption, ...jsonOption },
  examples: [
    ['backup backups/', 'a file of its own in that folder'],
    ['backup /mnt/usb/before-the-move.backup', 'this file'],
  ],
  needs: () => 'Where to? npx mapwright backup DIR, or a file that is not there yet.',
  notes: `${whileItRuns} On a schedule: serve --backup-dir. Back: restore.`,
  async handler({ target, data, json }) {
    // The server works in a folder of its own. What ends with a slash is meant to be a folder.
    const whole = resolve(target) + (/[/\\]$/.test(target) ? sep : '');
    const report = await withProgress('Backing up', (onProgress) => {
      return runOperation(data, 'backup', { target: whole }, { onProgress });
    });
    if (json) return printJson(report);
    const { path, lsn, bytes } = report;
    process.stdout.write(
      `Backup of everything up to record ${lsn}: ${path}, ${megabytes(bytes)}, synced and read back.\n` +
        `It is as sensitive as the data folder. To make a folder of it: npx mapwright restore ${shellWord(path)} --data NEWDIR\n`,
    );
  },
});
