/** Asks the server that has the data folder open which data sources of live maps fail. */
import type { FailingOfAccount } from '../../server/admin/admin-operations.ts';
import { askServer } from '../../server/admin/control-socket.ts';
import { isInUse } from '../../server/lifecycle/data-folder.ts';
import { plural } from '../output/format-values.ts';
import { printableLine } from '../output/printable.ts';
import { type Check, type CheckFinding, ok, warn } from './check.ts';

/** Time limit of the answer, in milliseconds: a server whose disk stalls may not answer. */
const answerMs = 5000;

/** Data sources that are named; the number of the others follows. */
const namedMax = 10;

export const sourcesCheck: Check = {
  name: 'data sources',
  async run({ data, live }): Promise<CheckFinding> {
    if (!live) return ok('--no-live: nothing is fetched');
    let failing: readonly FailingOfAccount[];
    try {
      if (!isInUse(data)) return ok('not asked: no server has the folder open');
      failing = await askServer(data, 'failing-sources.list', {}, undefined, AbortSignal.timeout(answerMs));
    } catch (error) {
      return ok(`unknown: ${reasonOf(error as NodeJS.ErrnoException)}`);
    }
    if (failing.length === 0) return ok('none fails');
    const named = failing.slice(0, namedMax).map(described);
    const more = failing.length > namedMax ? [`and ${failing.length - namedMax} more`] : [];
    return warn(
      `${plural(failing.length, 'data source')} ${failing.length === 1 ? 'fails' : 'fail'}: ${[...named, ...more].join('; ')}`,
      'Their maps show the last good data, or none. Correct the data source or its host; a published map uses the correction after it is published again. In the console, open the project and its problems.',
    );
  },
};

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ABORT_ERR') return `the server did not answer within ${answerMs / 1000} s`;
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'the program that has the folder open takes no commands';
  return message;
}

function described(source: FailingOfAccount): string {
  const { account, project, project_id, name, data_source_id, published, code, detail, body_at } = source;
  const form = published ? ' as it was published' : '';
  const good = body_at === null ? 'no good response yet' : `last good response ${body_at}`;
  return printableLine(
    `"${name}" (${data_source_id})${form} of the project "${project}" (${project_id}) of ${account}: ${code}, ${detail} (${good})`,
  );
}
