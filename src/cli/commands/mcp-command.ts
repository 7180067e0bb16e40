/** `mapwright mcp`: the tools of agents over standard input and output. */
import type { Log } from '../../lib/observability/logger.ts';
import { RefusedError } from '../../mcp/maps-api.ts';
import { apiRoot, clientOptions, needsKey } from '../api-client.ts';
import { ApiError } from '../api-error.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';

/** Standard output belongs to the protocol. */
const line = ({ err }: Readonly<Record<string, unknown>>, message: string): void => {
  process.stderr.write(`${message}${err instanceof Error ? `: ${err.stack ?? err.message}` : ''}\n`);
};
const log: Log = { info: line, warn: line, error: line };

export const mcpCommand = command({
  ...commandOutlines.mcp,
  options: clientOptions,
  examples: [
    ['mcp', 'for a client that starts it, with MAPWRIGHT_KEY and perhaps MAPWRIGHT_URL in its environment'],
    ['mcp --url https://maps.example', 'for a server elsewhere'],
  ],
  needs: needsKey,
  notes: 'A client of the Model Context Protocol starts this. Servers also take such clients at /mcp.',
  async handler({ url, key }) {
    const { serveStdio } = await import('../../mcp/stdio.ts');
    try {
      await serveStdio({ root: apiRoot(url), key, log });
    } catch (error) {
      if (error instanceof RefusedError) throw new ApiError(error.message, error.refusal.status);
      throw error;
    }
  },
});
