/**
 * Reads of the API. A precondition is evaluated before the query runs: a client that has the current version costs no search, however much
 * the response would contain.
 */
import { problems } from '../../http/problem.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { Versioned } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { Api, Request } from '../declaration.ts';
import { etagOf, evaluatePreconditions } from './etag.ts';

/** What a read finds. */
export type Query<T> = {
  /** The version of the result, or of something that changes whenever the result does. A lookup, whatever the result's size. */
  version(state: State): Versioned<unknown>;
} & (
  | { /** Finds it directly. */ find(state: State): Versioned<T> }
  | { /** Finds it in slices; see {@link Reader.search}. */ search(state: State): Generator<void, Versioned<T>> }
);

/**
 * Replies to a GET, in this turn if what it saw is durable already, which is usual. Throws (or rejects with) a 404 or 412 problem.
 *
 * @param show makes the reply; the entity tag is that of the version that the query found
 */
export function replyTo<T>(
  api: Api,
  request: Request,
  query: Query<T>,
  show: (found: T, etag: string) => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  const { headers } = request;
  if (headers['if-none-match'] === undefined && headers['if-match'] === undefined) return run(api, request, query, show);
  const seen = api.engine.reader.read(query.version);
  const decide = ({ value, version }: Versioned<unknown>): Reply | Promise<Reply> => {
    if (value === undefined) throw problems.notFound();
    return evaluatePreconditions(headers, etagOf(api, request, version)) ?? run(api, request, query, show);
  };
  return seen instanceof Promise ? seen.then(decide) : decide(seen);
}

function run<T>(
  api: Api,
  request: Request,
  query: Query<T>,
  show: (found: T, etag: string) => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  const { reader } = api.engine;
  const seen = 'find' in query ? reader.read(query.find) : reader.search(request.scope.accountId, query.search);
  const reply = ({ value, version }: Versioned<T>): Reply | Promise<Reply> => {
    if (value === undefined) throw problems.notFound();
    const etag = etagOf(api, request, version);
    // It may have changed since the precondition was evaluated.
    return evaluatePreconditions(request.headers, etag) ?? show(value, etag);
  };
  return seen instanceof Promise ? seen.then(reply) : reply(seen);
}
