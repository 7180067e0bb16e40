/** Names of requests: the client's own where it sends a usable one, else one of ours. They stand in the answer and in the log. */
import { randomBytes } from 'node:crypto';
import { withoutKeys } from '../lib/secrets.ts';

/** What a client's `X-Request-Id` may look like: nothing that could break a log line, a header or a shell; and no key by mistake. */
const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Digits of the counter: as many for every id, so that two refusals of one kind have one length. */
const countDigits = 7;

/**
 * A source of request ids for one process: a random prefix, so that two processes do not collide, and a counter, so that making one
 * costs no randomness. An id is a name, not a secret.
 */
export function requestIds(prefix: string = randomBytes(6).toString('base64url')): (sent: unknown) => string {
  let count = 0;
  return (sent) =>
    typeof sent === 'string' && acceptable.test(sent) && withoutKeys(sent) === sent
      ? sent
      : `${prefix}-${(++count).toString(36).padStart(countDigits, '0')}`;
}
