/** `mapwright demo`: imports the example projects of this package into a running server, or simulates the sensors of the office there. */

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../lib/package.ts';
import { ApiClient, clientOptions, needsKey } from '../api-client.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption, optionalText, UsageError } from '../option-parsing.ts';
import { type ImportedProject, importFiles } from './import/import-documents.ts';
import { pushSimulation, simulatedSources } from './support/push-simulation.ts';

const folder = fileURLToPath(new URL('data/examples', packageRoot()));
const office = path.join(folder, 'office.json');

export const demoCommand = command({
  ...commandOutlines.demo,
  options: {
    live: {
      type: 'boolean',
      default: false,
      describe: 'Load only the office, and push simulated data into it every second until Ctrl-C',
    },
    project: optionalText('project', 'With --live: the identifier of an office that is there already'),
    ...clientOptions,
    ...jsonOption,
  },
  examples: [
    ['demo', 'into the server on this machine, with the key in MAPWRIGHT_KEY'],
    ['demo --live', 'an office where people come, walk and leave'],
    ['demo --url http://127.0.0.1:8071 --key mw_...', 'into another server'],
  ],
  needs: needsKey,
  async handler({ live, project, url, key, json }) {
    if (project !== undefined && !live) throw new UsageError('--project needs --live, which simulates the sensors of an office.');
    const client = new ApiClient({ url, key });
    if (live) return simulate(client, project ?? (await loadOffice(client, json)), json);
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
    const files = names.sort().map((name) => path.join(folder, name));
    await importFiles(client, files, json);
    if (!json) process.stdout.write('To edit them, in the folder of the server: npx mapwright console --open\n');
  },
});

/** Creates the office, and returns its identifier. */
async function loadOffice(client: ApiClient, json: boolean): Promise<string> {
  const [created] = await importFiles(client, [office], json);
  return (created as ImportedProject).id;
}

/** Pushes simulated responses until SIGINT or SIGTERM. */
async function simulate(client: ApiClient, id: string, json: boolean): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  // Also refuses a project that is no office, before anything is printed.
  const sources = await simulatedSources(client, id);
  const say = (text: string) => void (json || process.stdout.write(text));
  say(`
Pushing the occupancy, bookings, visitors and safety of the office every second. An evacuation ends every other minute.
To watch it, in the folder of the server: npx mapwright console ${id} --open
Then switch on Live, and choose First floor.
On any page: npx mapwright publish ${id} --refresh 5
Ctrl-C ends the simulation.
`);
  await pushSimulation(client, sources, stop.signal);
  say(
    `\nThe simulation has ended. The map keeps its last data until the server restarts. To go on: npx mapwright demo --live --project ${id}\n`,
  );
}
