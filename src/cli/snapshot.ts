/** `mapwright snapshot`: folds a snapshot now. */
import type { CommandModule } from 'yargs';
import { dataOption, jsonOption, withOptions } from './options.ts';
import { runOperation } from './run-operation.ts';
import { plural } from './words.ts';

export const snapshotCommand: CommandModule<object, { data: string; json: boolean }> = {
  command: 'snapshot',
  describe: 'Fold the log into a snapshot now (while the server runs, or not)',
  builder: withOptions({ ...dataOption, ...jsonOption }),
  async handler({ data, json }) {
    const { report, lsn } = await runOperation(data, 'snapshot', {});
    if (json) {
      process.stdout.write(`${JSON.stringify({ lsn, ...report }, null, 2)}\n`);
    } else if (report === undefined) {
      process.stdout.write(`Nothing was written since snapshot ${lsn}: there is nothing to fold.\n`);
    } else {
      const { records, bytes, chunks, copied } = report;
      process.stdout.write(
        `Snapshot ${lsn}: ${plural(records, 'record')} folded in, ${plural(chunks, 'chunk')} (${copied} unchanged), ${plural(bytes, 'byte')}.\n`,
      );
    }
  },
};
