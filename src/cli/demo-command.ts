/** `mapwright demo`: loads the example projects into a running server. */
import type { CommandModule } from 'yargs';
import { clientOptions } from './api-client.ts';
import { demo } from './demo.ts';
import { jsonOption, withOptions } from './options.ts';

export const demoCommand: CommandModule<object, { url: string; key: string; json: boolean }> = {
  command: 'demo',
  describe: 'Load the example projects into a running server, through its API',
  builder: withOptions({
    ...clientOptions,
    ...jsonOption,
  }),
  async handler({ url, key, json }) {
    await demo({ url, key, json });
  },
};
