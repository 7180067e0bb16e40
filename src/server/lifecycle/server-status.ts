/** What a server does with requests: it serves them, or it refuses them because it stops, has failed, or waits for a stalled disk. */
import type { Readiness } from '../../api/health-endpoints.ts';
import { type Problem, problems } from '../../http/problem.ts';
import { StoppedError } from '../../lib/errors.ts';

/** The server's own status, independent of the disk. */
type OwnStatus = Exclude<Readiness['status'], 'restoring' | 'stalled'>;

export class ServerStatus {
  #own: OwnStatus = 'ready';
  /** A program that keeps calling the handler must not get data that another process may have changed since. */
  #closed = false;

  /** After the journal failed. Final. */
  fail(): void {
    this.#own = 'failed';
  }

  /** Requests in flight are completed, new ones are refused. */
  drain(): void {
    if (this.#own === 'ready') this.#own = 'draining';
  }

  /** Every request is refused. */
  close(): void {
    this.#closed = true;
  }

  /** @param stalled the operation that the disk does not complete; `undefined` if none is stalled */
  readiness(stalled: { readonly ms: number } | undefined): Readiness {
    if (this.#own !== 'ready' || stalled === undefined) return { status: this.#own };
    const detail = `flush_stalled: the disk has not finished a write or a sync of the log for ${Math.round(stalled.ms / 1000)} s`;
    return { status: 'stalled', detail };
  }

  /** The problem for a request over HTTP; `undefined` if it is served. */
  unavailable(): Problem | undefined {
    if (this.#closed) return problems.unavailable('The server is closed.', 5, 'stopping');
    if (this.#own === 'draining') return problems.unavailable('The server is stopping.', 5, 'stopping');
    return this.#own === 'failed' ? problems.unavailable('The server has failed and must be restarted.', 5, 'failed') : undefined;
  }

  /** Throws a {@link StoppedError} for a call without HTTP, unless it is served. */
  refuseUnlessReady(): void {
    if (this.#own !== 'ready')
      throw new StoppedError(this.#own === 'failed' ? 'this server has failed' : 'this server is closed');
  }
}
