/** `mapwright backup`: everything, as of this moment, in one file. */
import { resolve, sep } from 'node:path';
import type { CommandModule } from 'yargs';
import { dataOption, jsonOption, withOptions } from './options.ts';
import { progressLine } from './progress.ts';
import { runOperation } from './run-operation.ts';
import { megabytes, shellWord } from './words.ts';

const needs = () => 'Where to? npx mapwright backup DIR, or a file that is not there yet.';

export const backupCommand: CommandModule<object, { target: string; data: string; json: boolean }> = {
  command: 'backup <target>',
  describe: 'Write a backup into a folder or a new file (while the server runs, or not)',
  builder: (yargs) =>
    withOptions(
      { ...dataOption, ...jsonOption },
      needs,
    )(yargs.positional('target', { type: 'string', demandOption: true, describe: 'A folder, or a file that is not there yet' })),
  async handler({ target, data, json }) {
    const progress = progressLine('Backing up');
    // The server works in a folder of its own. What ends with a slash is meant to be a folder.
    const whole = resolve(target) + (/[/\\]$/.test(target) ? sep : '');
    const report = await runOperation(data, 'backup', { target: whole }, { onProgress: progress.show }).finally(progress.end);
    if (json) {
      process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
      return;
    }
    const { path, lsn, bytes } = report;
    process.stdout.write(
      `Backup of everything up to record ${lsn}: ${path}, ${megabytes(bytes)}, synced and read back.\n` +
        `It is as sensitive as the data folder. To make a folder of it: npx mapwright restore ${shellWord(path)} --data NEWDIR\n`,
    );
  },
};
