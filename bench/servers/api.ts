/** A server of a comparison: it answers the same API, this one or a peer. */
import type { Target } from '../lib/ask.ts';

export interface Api extends Target {
  /** As the table calls it. */
  readonly name: string;
  /** What a reader must know of how it was run. */
  readonly note?: string;
  /** Its process, if that is measured. */
  readonly pid?: number;
  stop(): Promise<void>;
}

/** What each of these starts. */
type Started<Starting extends readonly (() => Promise<Api>)[]> = { [At in keyof Starting]: Awaited<ReturnType<Starting[At]>> };

/** Runs `use` with the servers started, and stops them whatever happens. */
export async function withServers<const Starting extends readonly (() => Promise<Api>)[], T>(
  starting: Starting,
  use: (...servers: Started<Starting>) => Promise<T>,
): Promise<T> {
  const servers: Api[] = [];
  try {
    for (const begin of starting) servers.push(await begin());
    return await use(...(servers as unknown as Started<Starting>));
  } finally {
    for (const server of servers) await server.stop();
  }
}
