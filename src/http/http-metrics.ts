/**
 * Request metrics: counts, outcomes and durations by route, and refusals by reason. Plain numbers; they contain no account, project or
 * key.
 */

import { durationBoundsS, Histogram } from '../lib/observability/histogram.ts';
import type { Problem, ProblemCode } from './problem.ts';
import type { CutOff } from './response/output-buffers.ts';

/** Current load of a listener, and its refusals since its start. */
export interface ListenerStats {
  /** Open connections of the servers that {@link Listener.server} made. */
  readonly connections: number;
  readonly requestsInFlight: number;
  /** Open event streams, which do not count as requests. */
  readonly streams: number;
  /** Bytes of request bodies held. */
  readonly bodiesBytes: number;
  /** Bytes of responses that wait for clients. */
  readonly outputBytes: number;
  /** Problems sent, by code. */
  readonly refused: Readonly<Partial<Record<ProblemCode, number>>>;
  /** Connections closed without a response. */
  readonly connectionsRefused: { readonly tooMany: number; readonly tooManyOfAddress: number };
  /** Clients disconnected in the middle of a response. */
  readonly readersCutOff: Readonly<CutOff>;
}

/** The number of requests with one outcome: their status, or `none` if the client disconnected before the response. */
interface Ending {
  readonly ending: string;
  readonly count: number;
}

/** Above all statuses. */
const statusesEnd = 600;

/** The requests of one route and method. */
export class RouteStats {
  /** The route's pattern without a prefix, `/projects/:project_id`, and its method; both are `other` if no route matched. */
  readonly route: string;
  readonly method: string;
  readonly durations = new Histogram(durationBoundsS);
  /** By status; 0 without a response. */
  readonly #byStatus = new Array<number>(statusesEnd).fill(0);

  constructor(route: string, method: string) {
    this.route = route;
    this.method = method;
  }

  /** @param status of the answer; 0 when there was none */
  ended(status: number, seconds: number): void {
    (this.#byStatus[status] as number)++;
    this.durations.observe(seconds);
  }

  /** Only endings that occurred. */
  get endings(): readonly Ending[] {
    return this.#byStatus.flatMap((count, status) =>
      count === 0 ? [] : [{ ending: status === 0 ? 'none' : `${status}`, count }],
    );
  }
}

export class HttpMetrics {
  /** Requests for no route: an unknown path or method, a preflight, a broken form. */
  readonly other = new RouteStats('other', 'other');
  /** Requests that the fallback answered. */
  readonly fallback = new RouteStats('forwarded', 'any');
  /** Problems that were sent, by status and reason; there are as many as the program has reasons. */
  readonly refusals = new Map<
    string,
    { readonly status: number; readonly code: ProblemCode; readonly reason: string; count: number }
  >();
  readonly #routes = new Map<object, RouteStats>();

  /** The stats of an endpoint: always the same object. */
  at(endpoint: { readonly path: string; readonly method: string }): RouteStats {
    const present = this.#routes.get(endpoint);
    if (present !== undefined) return present;
    const made = new RouteStats(endpoint.path, endpoint.method);
    this.#routes.set(endpoint, made);
    return made;
  }

  refused({ status, code, reason }: Problem): void {
    const name = `${status} ${reason}`;
    const present = this.refusals.get(name);
    if (present === undefined) this.refusals.set(name, { status, code, reason, count: 1 });
    else present.count++;
  }

  get refusedByCode(): Partial<Record<ProblemCode, number>> {
    const counts: Partial<Record<ProblemCode, number>> = {};
    for (const { code, count } of this.refusals.values()) counts[code] = (counts[code] ?? 0) + count;
    return counts;
  }

  /** Statistics of each route with at least one request. */
  get routes(): readonly RouteStats[] {
    return [...this.#routes.values(), this.other, this.fallback].filter(({ endings }) => endings.length > 0);
  }
}
