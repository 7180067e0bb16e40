/** `mapwright mcp`: the tools of agents over standard input and output. */
import type { Log } from '../../lib/observability/logger.ts';
import { RefusedError } from '../../mcp/maps-api.ts';
import { ApiClient, clientOptions, needsKey } from '../api-client.ts';
import { ApiError } from '../api-error.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { printableLine } from '../output/printable.ts';

/** Standard output belongs to the protocol. */
const line = ({ err }: Readonly<Record<string, unknown>>, message: string): void => {
  const reason = err instanceof Error ? `: ${printableLine(err.message)}` : '';
  process.stderr.write(`${message}${reason}\n`);
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
    const { url: root } = new ApiClient({ url, key });
    const { serveStdio } = await import('../../mcp/stdio.ts');
    try {
      await serveStdio({ root, key, log });
    } catch (error) {
      throw new ApiError(
        printableLine((error as Error).message),
        error instanceof RefusedError ? error.refusal.status : undefined,
      );
    }
  },
});
