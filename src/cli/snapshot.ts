/** `mapwright snapshot`: folds a snapshot now. */
import { command } from './command.ts';
import { dataOption, jsonOption, whileItRuns } from './options.ts';
import { withProgress } from './progress.ts';
import { runOperation } from './run-operation.ts';
import { printJson } from './stdout.ts';
import { megabytes, plural } from './words.ts';

export const snapshotCommand = command<{ data: string; json: boolean }>({
  command: 'snapshot',
  describe: 'Fold the log into a snapshot now; a server does so by itself',
  options: { ...dataOption, ...jsonOption },
  examples: [['snapshot', 'the next start has less to read']],
  notes: whileItRuns,
  async handler({ data, json }) {
    const { report, lsn } = await withProgress('Folding a snapshot', () => runOperation(data, 'snapshot', {}));
    if (json) printJson({ lsn, ...report });
    else if (report === undefined) {
      process.stdout.write(`Nothing was written since snapshot ${lsn}: there is nothing to fold.\n`);
    } else {
      const { records, bytes, chunks, copied } = report;
      process.stdout.write(
        `Snapshot ${lsn}: ${plural(records, 'record')} folded in, ${plural(chunks, 'chunk')} (${copied} unchanged), ${megabytes(bytes)}.\n`,
      );
    }
  },
});
