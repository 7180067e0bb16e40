/** `mapwright demo`: loads the example projects into a running server. */
import type { CommandModule } from 'yargs';
import { demo } from './demo.ts';
import { jsonOption, withOptions } from './options.ts';

export const demoCommand: CommandModule<object, { url: string; key: string; json: boolean }> = {
  command: 'demo',
  describe: 'Load the example projects into a running server, through its API',
  builder: withOptions({
    url: { type: 'string', default: 'http://127.0.0.1:8070', describe: 'Where the server listens' },
    key: {
      type: 'string',
      demandOption: 'An API key: --key mw_..., or in MAPWRIGHT_KEY',
      describe: 'An API key (also from MAPWRIGHT_KEY)',
    },
    ...jsonOption,
  }),
  async handler({ url, key, json }) {
    await demo({ url, key, json });
  },
};
