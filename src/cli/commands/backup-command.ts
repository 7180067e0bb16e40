/** `mapwright backup`: writes a consistent copy of all data into one file. */

import { resolve, sep } from 'node:path';
import type { BackupReport } from '../../storage/backup/backup-runner.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { dataOption, jsonOption, shardOption, whileItRuns } from '../option-parsing.ts';
import { exitCodes } from '../output/exit-codes.ts';
import { formatBytes, plural, shellWord } from '../output/format-values.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';
import { runOperation } from '../run-operation.ts';

const describeLostBlobs = (lost: BackupReport['lostBlobs'], data: string): string =>
  [
    `It is without the bytes of ${plural(lost.length, 'file')} that the data folder has lost:`,
    ...lost.map(({ problem }) => `  ${problem}`),
    `Restore an older backup next to it, or upload the pictures again. To see which files these are: npx mapwright verify --data ${shellWord(data)}`,
    '',
  ].join('\n');

export const backupCommand = command({
  ...commandOutlines.backup,
  positionals: {
    target: { type: 'string', demandOption: true, describe: 'A folder, or a new file' },
  },
  options: { ...dataOption, ...shardOption, ...jsonOption },
  examples: [
    ['backup backups/', 'into a new file in that folder'],
    ['backup /mnt/usb/before-the-move.backup', 'into this file'],
  ],
  needs: () => 'Name the target: npx mapwright backup DIR, or a new file.',
  notes: `${whileItRuns} It contains the files of projects. Exit code 3 if the data folder has lost some. For scheduled backups: serve --backup-dir. To restore one: mapwright restore.`,
  async handler({ target, shard, data, json }) {
    // The server's working folder may differ, so the path is made absolute. A trailing slash marks a folder.
    const whole = resolve(target) + (/[/\\]$/.test(target) ? sep : '');
    const report = await withProgress('Backing up', (onProgress) => {
      return runOperation(data, 'backup', { target: whole, ...(shard === undefined ? {} : { shard }) }, { onProgress });
    });
    const { lostBlobs, ...rest } = report;
    if (lostBlobs.length > 0) process.exitCode = exitCodes.damaged;
    if (json) return printJson({ ...rest, lost_files: lostBlobs });
    const { path, lsn, bytes, node } = rest;
    process.stdout.write(
      `Wrote a backup up to record ${lsn}: ${path}${node === undefined ? '' : ` on the machine of the node ${node}`}, ${formatBytes(bytes)}, synced and verified.\n` +
        `It is as sensitive as the data folder. To restore it: npx mapwright restore ${shellWord(path)} --data NEWDIR\n`,
    );
    if (lostBlobs.length > 0) process.stdout.write(describeLostBlobs(lostBlobs, data));
  },
});
