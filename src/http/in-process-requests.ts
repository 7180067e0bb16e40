/**
 * Requests of this process: the same steps, counts and limits as for requests on connections, from a `Request` to a `Response` of the Fetch
 * standard.
 */
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { sliceMs } from '../lib/async/cooperative.ts';
import type { Connections } from './connection.ts';
import { Exchange } from './exchange.ts';
import type { RequestOwner } from './in-flight.ts';
import { steps } from './pipeline.ts';
import { InProcessRequest } from './transport/in-process-request.ts';
import { InProcessResponse } from './transport/in-process-response.ts';
import type { Identity } from './transport/transport.ts';

export class InProcessRequests<Principal> {
  readonly #connections: Connections<Principal>;
  readonly #owner: RequestOwner;
  readonly #open = new Set<InProcessResponse>();
  /** When other work could last run, in milliseconds. */
  #turnMs = 0;

  constructor(connections: Connections<Principal>) {
    this.#connections = connections;
    this.#owner = {
      onStream: () => connections.ended(1),
      onOver: (wasStream) => {
        if (!wasStream) connections.ended(1);
      },
    };
  }

  /** See `Listener.fetch`. */
  async fetch(request: Request, identity: Identity<Principal> | undefined): Promise<Response> {
    const { signal } = request;
    signal.throwIfAborted();
    const req = new InProcessRequest(request);
    const res = new InProcessResponse(req);
    const abort = (): void => res.abort(signal.reason as Error);
    signal.addEventListener('abort', abort);
    this.#open.add(res);
    res.once('close', () => {
      signal.removeEventListener('abort', abort);
      this.#open.delete(res);
    });
    this.#connections.inFlight++;
    const expectation = req.headers.expect === undefined || /^100-continue$/i.test(req.headers.expect) ? 'nothing' : 'unknown';
    const { context } = this.#connections;
    new Exchange(context, steps, this.#owner, req, res, expectation, false, identity).proceed();
    const response = await res.response;
    await this.#letOthersRun();
    return response;
  }

  /** A caller that awaits one response after the other would otherwise keep the event loop to itself. */
  async #letOthersRun(): Promise<void> {
    if (performance.now() - this.#turnMs < sliceMs) return;
    await setImmediate();
    this.#turnMs = performance.now();
  }

  /** Breaks off all that are open. */
  abort(reason: Error): void {
    for (const res of this.#open) res.abort(reason);
  }
}
