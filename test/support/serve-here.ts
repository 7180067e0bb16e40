/** A server on a folder in this process, for tests of commands that reach it by its address. */
import path from 'node:path';
import type { Test } from 'tap';
import type { ServerOptions } from '../../src/index.ts';
import { serverOfTier, silent } from './mapwright.ts';
import { temporaryFolder } from './process.ts';

export interface ServedHere {
  readonly url: string;
  /** A key of the account `default`, as the first start of the command makes it. */
  readonly key: string;
  /** The data folder. */
  readonly data: string;
  close(): Promise<void>;
}

/** Starts it; closed when the test has ended. */
export async function serveHere(t: Pick<Test, 'teardown'>, options: Partial<ServerOptions> = {}): Promise<ServedHere> {
  const data = path.join(temporaryFolder(t), 'data');
  const server = await serverOfTier({ log: silent, ...options, data });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close());
  t.teardown(close);
  const { url } = await server.listen(0);
  return { url, data, key: (await server.createKey('default')).key, close };
}
