/** `mapwright console`: makes an address at which a browser is signed in to the console of a running server. */

import { accountName } from '../../account-arguments.ts';
import { command } from '../../command-declaration.ts';
import { commandOutlines } from '../../command-outlines.ts';
import { dataOption, jsonOption } from '../../option-parsing.ts';
import { printJson } from '../../output/stdout.ts';
import { runOperation } from '../../run-operation.ts';
import { consoleAccount } from './console-account.ts';
import { openBrowser } from './open-browser.ts';

const options = {
  account: {
    type: 'string',
    defaultDescription: '"default", or the only one',
    describe: 'Name of the account',
    coerce: (name: string | undefined) => (name === undefined ? undefined : accountName('--account')(name)),
  },
  person: { type: 'string', defaultDescription: 'the first owner', describe: 'Who is signed in: a name, or an id' },
  open: { type: 'boolean', default: false, describe: 'Open the address in the browser' },
  ...dataOption,
  ...jsonOption,
} as const;

export const consoleCommand = command({
  ...commandOutlines.console,
  positionals: { id: { type: 'string', describe: 'Project whose editor opens: its id, or its name if only one has it' } },
  options,
  examples: [
    ['console --open', 'opens the browser, signed in'],
    ["console 'City walk' --open", 'opens the editor of a project'],
    ["console --account acme --person 'Anna Lind'", 'prints an address for a person of an account'],
  ],
  notes:
    'The address works once, within 10 minutes. The session ends 30 days after its last use. The console shows and ends sessions, and invites others.',
  async handler({ id, account, person, open, data, json }) {
    const name = account ?? consoleAccount((await runOperation(data, 'accounts.list', {})).map((listed) => listed.name));
    const {
      urls,
      expires,
      person: signedIn,
    } = await runOperation(data, 'console.open', {
      account: name,
      ...(person !== undefined && { person }),
      ...(id !== undefined && { open: id }),
    });
    const [url = ''] = urls;
    const failed = open ? await openBrowser(url) : undefined;
    if (json) {
      printJson({ account: name, person: signedIn, url, urls, expires, opened: open && failed === undefined });
      return;
    }
    process.stdout.write(`${urls.join('\n')}\n`);
    if (failed !== undefined) process.stderr.write(`Cannot open a browser (${failed}). Open the address yourself.\n`);
    process.stderr.write(
      `Signs one browser in to the account "${name}" as "${signedIn}", until ${expires.slice(0, 16).replace('T', ' ')} UTC.\n`,
    );
  },
});
