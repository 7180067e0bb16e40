/** `mapwright console`: makes an address at which a browser is signed in to the console of a running server. */

import { accountName } from '../../account-arguments.ts';
import { command } from '../../command-declaration.ts';
import { commandOutlines } from '../../command-outlines.ts';
import { dataOption, jsonOption, listFrom } from '../../option-parsing.ts';
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
  project: {
    type: 'string',
    default: '',
    defaultDescription: 'all',
    describe: 'Restrict the session to the project with this id; may be repeated',
    coerce: listFrom('project'),
  },
  'read-only': { type: 'boolean', default: false, describe: 'A session that cannot change anything' },
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
    ['console --account acme --read-only', 'prints an address for an account, for looking only'],
  ],
  notes: 'The address works once, within 10 minutes. The session ends after 12 hours; "keys list" shows it.',
  async handler({ id, account, project: projects, readOnly, open, data, json }) {
    const name = account ?? consoleAccount((await runOperation(data, 'accounts.list', {})).map((listed) => listed.name));
    const { urls, expires } = await runOperation(data, 'console.open', {
      account: name,
      projects,
      readOnly,
      ...(id !== undefined && { open: id }),
    });
    const [url = ''] = urls;
    const failed = open ? await openBrowser(url) : undefined;
    if (json) {
      printJson({ account: name, url, urls, expires, opened: open && failed === undefined });
      return;
    }
    process.stdout.write(`${urls.join('\n')}\n`);
    if (failed !== undefined) process.stderr.write(`Cannot open a browser (${failed}). Open the address yourself.\n`);
    process.stderr.write(`Signs one browser in to the account "${name}", until ${expires.slice(0, 16).replace('T', ' ')} UTC.\n`);
  },
});
