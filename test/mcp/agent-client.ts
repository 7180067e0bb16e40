/** An agent of a test: the official client, on a server over HTTP, and what a call of a tool answers. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Test } from 'tap';
import type { Mapwright } from '../support/mapwright.ts';

/** What a tool answers, as an agent reads it. */
export interface Called {
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly data: any;
  readonly version_before?: { readonly id: string; readonly name: string };
  readonly next?: string;
  /** What was refused; what the API said of it is the data. */
  readonly error?: {
    readonly status: number;
    readonly detail?: string;
    readonly retry_after?: number;
    readonly left?: Readonly<Record<string, unknown>>;
  };
}

export type Call = (name: string, args?: Record<string, unknown>) => Promise<Called>;

/** Revisions of the protocol: the newest one, and the last with a handshake. */
export const revisions = { newest: { pin: '2026-07-28' }, older: 'legacy' } as const;

export interface TestAgent {
  readonly client: Client;
  readonly call: Call;
}

export async function agentOf(
  t: Test,
  { port }: Pick<Mapwright, 'port'>,
  key: string,
  revision: keyof typeof revisions = 'newest',
): Promise<TestAgent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: revisions[revision] } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
  t.teardown(() => client.close());
  return { client, call: callOf(client) };
}

export const callOf =
  (client: Client): Call =>
  async (name, args = {}) => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
    const called = structuredContent as unknown as Called;
    const [text] = content;
    if (text?.type !== 'text' || text.text !== JSON.stringify(structuredContent)) throw new Error('text and structure differ');
    if ((isError === true) !== (called.error !== undefined)) throw new Error('isError differs from error');
    return called;
  };

/** The message of a request, as clients send it before 2026. */
export const message = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', id: 1, method, params });
