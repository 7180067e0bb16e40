/** Our server with a probe in its process (probe.ts). */
import http from 'node:http';
import path from 'node:path';
import { removeFolder, temporaryFolder } from '../lib/child.ts';
import { type Ours, type OursOptions, startOurs } from '../servers/ours.ts';
import type { Vitals } from './probe.ts';

export interface Probed extends Ours {
  /** As it is now; with `reset`, pauses and delays are counted again from now on; with `collect`, once no garbage is left. */
  vitals(first?: 'reset' | 'collect'): Promise<Vitals>;
}

/** No snapshot starts automatically, so that only the measured work runs. */
export const noSnapshots = ['--snapshot-mb', '65536', '--snapshot-minutes', '1000000'];

export async function startProbed(program: string, options: OursOptions = {}): Promise<Probed> {
  const folder = temporaryFolder();
  const socketPath = path.join(folder, 'probe.sock');
  const probe = new URL(`./probe.js?socket=${encodeURIComponent(socketPath)}`, import.meta.url).href;
  const nodeFlags = ['--expose-gc', '--import', probe, ...(options.nodeFlags ?? [])];
  const server = await startOurs(program, { ...options, nodeFlags });
  return {
    ...server,
    vitals: (first) => ask(socketPath, `/${first ?? ''}`),
    async stop() {
      await server.stop();
      removeFolder(folder);
    },
  };
}

function ask(socketPath: string, asked: string): Promise<Vitals> {
  return new Promise((resolve, reject) => {
    const req = http.get({ socketPath, path: asked, agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      res.on('end', () => resolve(JSON.parse(text) as Vitals));
      res.on('error', reject);
    });
    req.on('error', reject);
  });
}
