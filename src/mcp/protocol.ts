/**
 * The Model Context Protocol over an {@link Agent}, with the official SDK: revision 2026-07-28, and those of 2025 without sessions. The build
 * bundles this module and the SDK into one file, which only a server that agents use loads.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Agent } from './agent.ts';

/** Handles the message of a request. */
export type HandleMessage = (headers: Headers, message: unknown, agent: Agent) => Promise<Response>;

export function httpProtocol(): HandleMessage {
  const { fetch } = createMcpHandler(({ authInfo }) => serverOf(authInfo?.extra?.['agent'] as Agent), { legacy: 'reject' });
  return async (headers, message, agent) => {
    const { method } = message as { readonly method?: unknown };
    // Nothing here changes without a request of the agent, and a stream would hold a connection.
    if (method === 'subscriptions/listen') return noSubscriptions(message);
    const request = new Request('http://in-process/mcp', { method: 'POST', headers });
    if (await isLegacyRequest(request, message)) return await answerOlder(request, message, agent);
    // The token stays outside of the SDK.
    const authInfo = { token: '', clientId: '', scopes: [], extra: { agent } };
    return await fetch(request, { parsedBody: message, authInfo });
  };
}

/** A revision of 2025, without a session: each message has a server of its own, and its answer is JSON. */
async function answerOlder(request: Request, message: unknown, agent: Agent): Promise<Response> {
  const server = serverOf(agent);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

const noSubscriptions = (message: unknown): Response =>
  Response.json(
    {
      jsonrpc: '2.0',
      id: (message as { readonly id?: unknown }).id ?? null,
      error: { code: ProtocolErrorCode.MethodNotFound, message: 'This server has no subscriptions.' },
    },
    { status: 404 },
  );

/** Longest line, in bytes: as large as a message over HTTP. */
const lineBytesMax = 12 * 1024 * 1024;

/**
 * Serves one agent over standard input and output, until the input ends and all calls are answered. Rejects if a line is longer than 12 MiB.
 */
export async function stdioProtocol(agent: Agent): Promise<void> {
  // The SDK forgets calls that run when its input ends.
  const input = new PassThrough({ highWaterMark: lineBytesMax });
  process.stdin.pipe(input, { end: false });
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: lineBytesMax });
  const failed = new Promise<never>((_, reject) => {
    serveStdio(() => serverOf(agent), { transport, onerror: (error) => isTooLong(error) && reject(tooLong()) });
  });
  await Promise.race([once(process.stdin, 'end'), failed]);
  // A line that has arrived becomes a call in this turn or the next one.
  do await setImmediate();
  while (agent.running > 0);
  input.end();
}

const isTooLong = ({ message }: Error): boolean => /^ReadBuffer exceeded/.test(message);
const tooLong = (): Error =>
  new Error('A line of standard input is longer than 12 MiB. Import large texts with npx mapwright import.');

function serverOf(agent: Agent): Server {
  const { name, version, instructions } = agent.info;
  const server = new Server({ name, title: 'mapwright', version }, { capabilities: { tools: {}, resources: {} }, instructions });
  server.setRequestHandler('tools/list', () => ({ tools: agent.tools() }));
  server.setRequestHandler('tools/call', async ({ params: { name: tool, arguments: args = {} } }) => {
    const result = await agent.call(tool, args);
    if (result === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool "${tool}" for this key. tools/list has those that there are.`,
      );
    return { ...result };
  });
  server.setRequestHandler('resources/list', () => ({ resources: agent.resources() }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: agent.templates() }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = await agent.read(uri);
    if (found === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such resource, or the key does not reach it.');
    return { contents: [{ uri, ...found }] };
  });
  return server;
}
