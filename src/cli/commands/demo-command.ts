/** `mapwright demo`: imports the example projects of this package into a running server. */

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../lib/package.ts';
import { ApiClient, clientOptions, needsKey } from '../api-client.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption } from '../option-parsing.ts';
import { importFiles } from './import-command.ts';

const folder = fileURLToPath(new URL('data/examples', packageRoot()));

export const demoCommand = command({
  ...commandOutlines.demo,
  options: { ...clientOptions, ...jsonOption },
  examples: [
    ['demo', 'into the server on this machine, with the key in MAPWRIGHT_KEY'],
    ['demo --url http://127.0.0.1:8071 --key mw_...', 'into another server'],
  ],
  needs: needsKey,
  async handler({ url, key, json }) {
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
    const files = names.sort().map((name) => path.join(folder, name));
    await importFiles(new ApiClient({ url, key }), files, json);
    if (!json) process.stdout.write('To edit them, in the folder of the server: npx mapwright console --open\n');
  },
});
