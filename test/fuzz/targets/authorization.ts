/** The Authorization header: nobody gets in with anything but a key, whole, sent once, after one scheme. */
import type { IncomingMessage } from 'node:http';
import { authenticate } from '../../../src/engine/keys.ts';
import { Authenticator } from '../../../src/http/guard/authentication.ts';
import { Problem } from '../../../src/http/problem.ts';
import { newKey } from '../../../src/model/key.ts';
import { runLeaves } from '../../../src/store/run-leaf.ts';
import { State } from '../../../src/store/state.ts';
import { must, type Target } from '../target.ts';

export function authorization(): Target {
  const state = new State(runLeaves);
  const [valid, revoked, expired, other] = [newKey(), newKey(), newKey(), newKey()];
  const created = new Date(0).toISOString();
  const terms = { created, access: 'write', projects: [], label: '', replacedBy: '', rate: '', kind: 'key', person: '' } as const;
  for (const { id, digest } of [valid, revoked, expired]) {
    const ends = { revoked: id === revoked.id ? created : '', expires: id === expired.id ? created : '' };
    state.keys.set(id, { ...terms, ...ends, id, accountId: id, digest });
  }
  const authenticator = new Authenticator({ authenticate: (token) => authenticate(state, token, Date.now()).key?.accountId });
  const caller = { requestId: 'r', address: '' };
  const letIn = (req: IncomingMessage): string | undefined => {
    try {
      return authenticator.principalOf(req, caller);
    } catch (error) {
      must(error instanceof Problem && error.status === 401, `a refusal is a 401, not ${error}`);
      return undefined;
    }
  };
  // A header with the key in it as it is; what follows the first line feed is a second one.
  const place = '<key>';
  const seeds = [
    `Bearer ${place}`,
    `bearer  ${place}`,
    `BEARER ${place}=`,
    `Basic ${place}`,
    `Bearer ${place}\nBearer ${place}`,
    '<revoked>',
    'Bearer <other>',
    'Bearer <expired>',
  ];
  return {
    name: 'authorization',
    inputs: 25_000,
    seeds: seeds.map((text) => Buffer.from(text)),
    words: [place, '<revoked>', '<expired>', '<other>', 'Bearer ', 'bearer', ' ', '=', ',', '\n', 'mw_', '\t', '"', '_', '-'],
    outcomes: ['let in', 'kept out'],
    run(input) {
      const lines = input
        .toString('latin1')
        .replaceAll(place, valid.text)
        .replaceAll('<revoked>', revoked.text)
        .replaceAll('<expired>', expired.text)
        .replaceAll('<other>', other.text)
        .split('\n')
        .map((line) => line.trim());
      const rawHeaders = lines.flatMap((line, i) => [i % 2 === 0 ? 'Authorization' : 'AUTHORIZATION', line]);
      const req = { headers: { authorization: lines[0] }, rawHeaders } as unknown as IncomingMessage;
      const principal = letIn(req);
      must(letIn(req) === principal, 'the second time it is another answer');
      const [scheme, ...rest] = (lines[0] ?? '').split(' ');
      const sound = lines.length === 1 && scheme?.toLowerCase() === 'bearer' && rest.length === 1 && rest[0] === valid.text;
      must(
        (principal === valid.id) === sound && (principal === undefined) !== sound,
        `${principal} for ${JSON.stringify(lines)}`,
      );
      return sound ? 'let in' : 'kept out';
    },
  };
}
