/** People of the account `ann`, as an owner makes them: over HTTP, without a browser. */
import type { Invitation, PersonWish } from '../../src/api/console/people-endpoints.ts';
import type { Mapwright } from '../support/mapwright.ts';
import { signIn } from '../support/signed-in.ts';

/** Sends a request about sessions and people. Rejects unless it succeeds. */
export type AskConsole = (method: string, path: string, body?: object) => Promise<unknown>;

/** Signs the first owner in. */
export async function signInAsOwner(mapwright: Mapwright): Promise<AskConsole> {
  const owner = await signIn(mapwright);
  return async (method, target, body) => {
    const { status, json } = await owner.ask(method, `/console/${target}`, body);
    if (status >= 400) throw new Error(`${method} ${target}: ${status} ${JSON.stringify(json)}`);
    return status === 204 ? undefined : json;
  };
}

/** Creates a person. The address of their invitation, and their identifier. */
export async function invitePerson(
  mapwright: Mapwright,
  wish: PersonWish,
): Promise<{ readonly id: string; readonly url: string }> {
  const ask = await signInAsOwner(mapwright);
  const { id, path } = (await ask('POST', 'people', wish)) as Invitation;
  return { id, url: `http://127.0.0.1:${mapwright.port}${path}` };
}

/** Ends all sessions of the first owner. */
export async function endSessions(mapwright: Mapwright): Promise<void> {
  const ask = await signInAsOwner(mapwright);
  await ask('DELETE', 'sessions');
}
