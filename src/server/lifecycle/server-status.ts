/** What a server does with requests: it serves them, or it refuses them because it stops, has failed, or waits for a stalled disk or database. */
import type { Readiness } from '../../api/health-endpoints.ts';
import { type Problem, problems } from '../../http/problem.ts';
import { type StalledMedium, StoppedError } from '../../lib/errors.ts';

/** The server's own status, independent of the disk. */
type OwnStatus = Exclude<Readiness['status'], 'restoring' | 'stalled'>;

/** Each begins with the name of its alarm. */
const stallDetails: Readonly<Record<StalledMedium, string>> = {
  disk: 'flush_stalled: the disk has not finished a write or a sync of the log',
  database: 'append_stalled: the database of the cluster has not acknowledged a write',
};

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

  /** Whether requests are refused, for good. */
  get isStopping(): boolean {
    return this.#closed || this.#own !== 'ready';
  }

  /** Every request is refused. */
  close(): void {
    this.#closed = true;
  }

  /**
   * @param stalled the operation that does not complete; `undefined` if none is stalled
   * @param unproven why the owner of a cluster cannot answer; `undefined` if it can
   */
  readiness(stalled: { readonly ms: number; readonly medium: StalledMedium } | undefined, unproven?: string): Readiness {
    if (this.#own !== 'ready') return { status: this.#own };
    if (stalled === undefined) return unproven === undefined ? { status: 'ready' } : { status: 'stalled', detail: unproven };
    return { status: 'stalled', detail: `${stallDetails[stalled.medium]} for ${Math.round(stalled.ms / 1000)} s` };
  }

  /** The problem for a request over HTTP; `undefined` if it is served. */
  unavailable(): Problem | undefined {
    if (this.#closed) return problems.unavailable('The server is closed.', 5, 'stopping');
    if (this.#own === 'draining') return problems.unavailable('The server is stopping.', 5, 'stopping');
    return this.#own === 'failed' ? problems.unavailable('The server has failed and must be restarted.', 5, 'failed') : undefined;
  }

  /** Throws a {@link StoppedError} once the server is closed, for requests of this process: on a connection there are none then. */
  refuseWhenClosed(): void {
    if (this.#closed) throw new StoppedError('this server is closed');
  }
}
