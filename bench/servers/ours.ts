/** Our server as a process of its own on the core of the servers, on a folder of its own. */
import fs from 'node:fs';
import path from 'node:path';
import { call } from '../lib/ask.ts';
import { removeFolder, start, temporaryFolder } from '../lib/child.ts';
import { onAllCores, onServerCore } from '../lib/pin.ts';
import type { Api } from './api.ts';

export interface Ours extends Api {
  /** The data folder. */
  readonly folder: string;
  readonly pid: number;
}

export interface OursOptions {
  /** Further flags of `mapwright serve`. */
  readonly flags?: readonly string[];
  /** Whether it may use all cores, instead of the one of the servers. */
  readonly allCores?: boolean;
  /** Flags of Node. */
  readonly nodeFlags?: readonly string[];
  /** A data folder with the key to it, none if it is new; it is left in place. By default a new one, removed afterwards. */
  readonly data?: { readonly folder: string; readonly key?: string };
}

/** The command line of a compiled program: bundled, as users run it, or as modules where there is no bundle. */
export function cliOf(program: string): string {
  const bundled = path.join(program, 'bin', 'mapwright.js');
  return fs.existsSync(bundled) ? bundled : path.join(program, 'src', 'cli', 'mapwright.js');
}

/** @param program folder of the compiled program, `program` of a `Context` */
export async function startOurs(
  program: string,
  { flags = [], nodeFlags = [], data, allCores = false }: OursOptions = {},
): Promise<Ours> {
  const folder = data?.folder ?? temporaryFolder();
  const command = [process.execPath, ...nodeFlags, cliOf(program), 'serve', '--data', folder, '--port', '0', ...flags];
  const { process: running, match } = await start(
    allCores ? onAllCores(command) : onServerCore(command),
    /^Listening on (http:\S+),/m,
  );
  const key = data?.key ?? (await running.until(/\bmw_[\w-]+/))[0];
  return {
    name: 'mapwright',
    url: `${match[1]}/api/v1`,
    key,
    folder,
    pid: running.pid,
    async stop() {
      await running.stop();
      if (data === undefined) removeFolder(folder);
    },
  };
}

/** Starts a program once and uses it, so that its compiled code is kept: all its later starts find the same. */
export async function keepCode(program: string): Promise<void> {
  const server = await startOurs(program);
  try {
    await call(server, 'POST', '/projects', { name: 'first' });
    await call(server, 'GET', '/projects');
  } finally {
    await server.stop();
  }
}
