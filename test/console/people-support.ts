/** People of the account `ann`, as an owner makes them: over HTTP, without a browser. */
import type { Invitation, PersonWish } from '../../src/api/console/people-endpoints.ts';
import type { Mapwright } from '../support/mapwright.ts';

/** Sends a request about sessions and people. Rejects unless it succeeds. */
export type AskConsole = (method: string, path: string, body?: object) => Promise<unknown>;

/** Signs the first owner in. */
export async function signInAsOwner({ server, port }: Mapwright): Promise<AskConsole> {
  const root = `http://127.0.0.1:${port}/console`;
  const { path } = await server.consoleAddress('ann');
  const code = path.slice(path.indexOf('#code=') + '#code='.length);
  const json = { 'Content-Type': 'application/json' };
  const entered = await fetch(`${root}/session`, { method: 'POST', headers: json, body: JSON.stringify({ code }) });
  const { secret } = (await entered.json()) as { readonly secret: string };
  const cookie = entered.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const proof = { 'Mapwright-Session': secret, Cookie: cookie.join('; ') };
  return async (method, target, body) => {
    const response = await fetch(`${root}/${target}`, {
      method,
      headers: body === undefined ? proof : { ...proof, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : await response.json();
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
