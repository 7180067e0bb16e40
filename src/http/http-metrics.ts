/**
 * Counts requests: how many at each route, how they ended and how long they took, and what was refused for which reason. Plain numbers,
 * read by whoever shows them; nothing in them names an account, a project or a key.
 */

import { durationBoundsS, Histogram } from '../lib/observability/histogram.ts';
import type { Problem, ProblemCode } from './problem.ts';
import type { CutOff } from './response/output-buffers.ts';

/** What a listener has under way, and what it has turned away since it was made. */
export interface ListenerStats {
  /** Open connections of the servers that {@link Listener.server} made. */
  readonly connections: number;
  readonly requestsInFlight: number;
  /** Open streams of events, which are none of these. */
  readonly streams: number;
  /** Bytes of request bodies that are held. */
  readonly bodiesBytes: number;
  /** Bytes of answers that wait for their readers. */
  readonly answersBytes: number;
  /** Answers that were refusals, by their code. */
  readonly refused: Readonly<Partial<Record<ProblemCode, number>>>;
  /** Connections that were closed unheard. */
  readonly connectionsRefused: { readonly tooMany: number; readonly tooManyOfAddress: number };
  /** Readers that were cut off in the middle of their answer. */
  readonly readersCutOff: Readonly<CutOff>;
}

/** How requests ended: their status, or `none` when their client was gone before there was an answer; and how many. */
export interface Ending {
  readonly ending: string;
  readonly count: number;
}

/** Above all statuses. */
const statusesEnd = 600;

/** The requests of one route and method. */
export class RouteStats {
  /** The route's pattern without a prefix, `/projects/:project_id`, and its method; `other` for both where it was for none. */
  readonly route: string;
  readonly method: string;
  readonly durations = new Histogram(durationBoundsS);
  /** By status; 0 when there was no answer. */
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
  /** Problems that were sent, by status and reason; there are as many as the program has reasons. */
  readonly refusals = new Map<
    string,
    { readonly status: number; readonly code: ProblemCode; readonly reason: string; count: number }
  >();
  readonly #tallies = new Map<object, RouteStats>();

  /** The tally of an endpoint, which is the same object each time. */
  at(endpoint: { readonly path: string; readonly method: string }): RouteStats {
    const present = this.#tallies.get(endpoint);
    if (present !== undefined) return present;
    const made = new RouteStats(endpoint.path, endpoint.method);
    this.#tallies.set(endpoint, made);
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

  /** Every tally with at least one request. */
  get tallies(): readonly RouteStats[] {
    return [...this.#tallies.values(), this.other].filter(({ endings }) => endings.length > 0);
  }
}
