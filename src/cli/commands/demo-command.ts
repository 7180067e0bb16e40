/** `mapwright demo`: loads the example projects into a running server. */

import { clientOptions, needsKey } from '../api-client.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption } from '../option-parsing.ts';
import { demo } from './support/demo.ts';

export const demoCommand = command({
  ...commandOutlines.demo,
  options: { ...clientOptions, ...jsonOption },
  examples: [
    ['demo', 'into the server on this machine, with the key in MAPWRIGHT_KEY'],
    ['demo --url http://127.0.0.1:8071 --key mw_...', 'into another server'],
  ],
  needs: needsKey,
  async handler({ url, key, json }) {
    await demo({ url, key, json });
  },
});
