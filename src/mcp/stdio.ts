/** The same tools over standard input and output, for clients that start a program: requests go to a server over HTTP. */
import type { Log } from '../lib/observability/logger.ts';
import { type Right, rightsOfAccess } from '../model/people/roles.ts';
import { Agent } from './agent.ts';
import { AgentVersions } from './agent-versions.ts';
import { ImportThread } from './import/import-thread.ts';
import { MapsApi, RefusedError } from './maps-api.ts';

/** The client of a pipe waits until it ends. */
const isGone = (): boolean => false;

export interface StdioOptions {
  /** Root of the API: `http://127.0.0.1:8070/v1`. */
  readonly root: string;
  readonly key: string;
  /** Gets faults; standard output belongs to the protocol. */
  readonly log: Log;
}

/**
 * Serves until standard input ends.
 *
 * @throws {RefusedError} if the server does not take the key, or is not reached
 */
export async function serveStdio({ root, key, log }: StdioOptions): Promise<void> {
  const send = async (request: Request): Promise<Response> => {
    try {
      return await fetch(request);
    } catch (error) {
      const { cause, message } = error as Error;
      const reason = cause instanceof Error ? cause.message : message;
      throw new RefusedError({ status: 503, detail: `The server at ${root} does not answer: ${reason || message}.` });
    }
  };
  const api = new MapsApi(send, root, { caller: '', authorization: `Bearer ${key}` });
  const { access } = await api.get<{ readonly access: keyof typeof rightsOfAccess }>('/me');
  const rights: ReadonlySet<Right> = new Set(rightsOfAccess[access]);
  const imports = new ImportThread(log);
  const agent = new Agent({
    ...{ api, rights, versions: new AgentVersions() },
    convert: (task) => imports.plan('', task, isGone),
    isGone,
    onFault: (err) => log.error({ err }, 'a tool of agents failed'),
  });
  const { stdioProtocol } = await import('./protocol.ts');
  await stdioProtocol(agent);
  await imports.close();
}
