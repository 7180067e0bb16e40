/** Requests of the page about sessions and people, which are not part of the API. */
import type { ProblemError } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { noProof, type Proof } from './credential.ts';
import { refusalText } from './refusal-text.ts';
import { serverRoot } from './server-root.ts';

/** The server refuses the session, the key or the code. */
export class RefusedError extends Error {}

/** What is asked for does not fit what is there: a code of somebody else than who is signed in. */
export class ConflictError extends Error {}

/**
 * Asks a route of the console, and returns its JSON; `undefined` for an empty answer. Rejects with the refusal in the words of the server.
 *
 * @param path below `console/`: `session`
 */
export async function askConsole(
  method: 'POST' | 'GET' | 'PATCH' | 'DELETE',
  path: string,
  { headers, credentials }: Proof = noProof,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${serverRoot()}console/${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    credentials,
    cache: 'no-store',
  }).catch(() => {
    throw new Error(texts.signIn.noServer);
  });
  if (response.status === 204) return undefined;
  const said: unknown = await response.json().catch(() => undefined);
  if (response.ok) return said;
  const { detail, errors = [] } = (said ?? {}) as Partial<ProblemError>;
  if (typeof detail !== 'string') throw new Error(texts.signIn.notMapwright);
  const text = refusalText({ detail, errors });
  const Refusal = { 401: RefusedError, 409: ConflictError }[response.status] ?? Error;
  throw new Refusal(text);
}
