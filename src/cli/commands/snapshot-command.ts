/** `mapwright snapshot`: takes a snapshot immediately. */

import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { dataOption, jsonOption, shardOption, whileItRuns } from '../option-parsing.ts';
import { formatBytes, plural } from '../output/format-values.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';
import { runOperation } from '../run-operation.ts';

export const snapshotCommand = command({
  ...commandOutlines.snapshot,
  options: { ...dataOption, ...shardOption, ...jsonOption },
  examples: [['snapshot', 'shortens the next start']],
  notes: whileItRuns,
  async handler({ shard, data, json }) {
    const { report, lsn } = await withProgress('Taking a snapshot', () =>
      runOperation(data, 'snapshot', shard === undefined ? {} : { shard }),
    );
    if (json) printJson({ lsn, ...report });
    else if (report === undefined) {
      process.stdout.write(`Snapshot ${lsn} is up to date: nothing was written since.\n`);
    } else {
      const { records, bytes, chunks, copied } = report;
      process.stdout.write(
        `Snapshot ${lsn}: ${plural(records, 'record')} added, ${plural(chunks, 'chunk')} (${copied} unchanged), ${formatBytes(bytes)}.\n`,
      );
    }
  },
});
