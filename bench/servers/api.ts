/** What every server of a comparison is to a bench: somebody who answers the same API, ours or a peer's. */
import type { Target } from '../lib/ask.ts';

export interface Api extends Target {
  /** As the table calls it. */
  readonly name: string;
  /** What a reader must know of how it was run. */
  readonly note?: string;
  stop(): Promise<void>;
}

/** Runs `use` with the servers started, and stops them whatever happens. */
export async function withServers<Server extends Api, T>(
  starting: readonly (() => Promise<Server>)[],
  use: (...servers: Server[]) => Promise<T>,
): Promise<T> {
  const servers: Server[] = [];
  try {
    for (const begin of starting) servers.push(await begin());
    return await use(...servers);
  } finally {
    for (const server of servers) await server.stop();
  }
}
