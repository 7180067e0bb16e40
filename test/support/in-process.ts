/** Requests of tests through `server.fetch`, so that what is tested over HTTP can be tested in the process by the same tests. */
import type { IncomingHttpHeaders } from 'node:http';
import type { MapwrightServer } from '../../src/index.ts';

/** A request of a test. */
export interface InProcessAsk {
  readonly method: string;
  /** Path and query, prefix included. */
  readonly target: string;
  readonly body: string | Buffer | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface InProcessAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const base = 'http://in-process';

/**
 * Makes a request in the process; `undefined` for one that a `Request` cannot express. A valid key without restrictions is replaced by the
 * name of its account, beside the request.
 */
export async function askInProcess(server: MapwrightServer, ask: InProcessAsk): Promise<InProcessAnswer | undefined> {
  const { method, target, body } = ask;
  const { authorization = '', ...headers } = ask.headers;
  const account = (await server.keys()).find(
    ({ id, state, access, projects }) =>
      state === 'valid' && access === 'write' && projects.length === 0 && authorization.startsWith(`Bearer mw_${id}`),
  )?.account;
  const sent = { ...headers, ...(account !== undefined || authorization === '' ? {} : { authorization }) };
  let request: Request;
  try {
    request = new Request(base + target, { method, headers: sent, ...(body === undefined ? {} : { body }) });
  } catch {
    return undefined;
  }
  if (request.url !== base + target) return undefined;
  const response = await server.fetch(request, { account });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (isStream) await response.body?.cancel();
  return { status: response.status, headers: Object.fromEntries(response.headers), text: isStream ? '' : await response.text() };
}
