/** Looks up keys and sessions for the listener: in the state, recording every use, and every rejection in the audit log. */
import { createHash } from 'node:crypto';
import type { Principal } from '../../api/authorize.ts';
import type { Api } from '../../api/declaration.ts';
import type { Engine } from '../../engine/engine.ts';
import { expiryMs, grantOf } from '../../engine/key-state.ts';
import { authenticate } from '../../engine/keys.ts';
import { authenticateSession, renewSession } from '../../engine/session-keys.ts';
import type { KeyLookup } from '../../http/guard/authentication.ts';
import type { Allowance } from '../../http/guard/rate-limit.ts';
import type { SessionCookie } from '../../http/guard/session-cookie.ts';
import { problems } from '../../http/problem.ts';
import type { Identity } from '../../http/transport/transport.ts';
import type { Key } from '../../model/account.ts';
import { type Right, rightsOfRole } from '../../model/people/roles.ts';
import { textOfShard } from '../console/console-code.ts';
import type { AuditLog } from './audit-log.ts';
import { type KeyUsage, nextGrainMs } from './key-usage.ts';
import type { RateLimiters } from './rate-limiters.ts';

/** A principal, and how long it may be cached. */
export interface LookedUp extends Principal {
  /** The token buckets of its requests; `undefined` without a rate limit. */
  readonly allowances: readonly Allowance[] | undefined;
  /** Unix time in milliseconds. */
  readonly untilMs: number;
}

interface Parts {
  readonly engine: Engine;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  readonly rates: RateLimiters;
  readonly cookie: SessionCookie;
  /** The shard of a cluster, which sessions name; 0 on one machine. */
  readonly shard: number;
  /** Unix time in milliseconds. */
  readonly clock: () => number;
}

export function keyLookup({ engine, audit, lastUse, rates, cookie, shard, clock }: Parts): KeyLookup<LookedUp> {
  const { state } = engine;
  const principalOf = (key: Key, now: number): LookedUp => {
    const { rights, projects } = grantOf(state, key);
    lastUse.note(key.id, now);
    if (key.person !== '') lastUse.note(key.person, now);
    return {
      ...{ accountId: key.accountId, keyId: key.id, personId: key.person, rights, projects },
      reach: reachOf(key, rights, projects),
      allowances: rates.tokenBucketsOf(state, key),
      // Looked up again when it expires, and when its next use must be recorded.
      untilMs: Math.min(expiryMs(key), nextGrainMs(now)),
    };
  };
  return {
    clock,
    authenticate(token, { address, requestId }): LookedUp | undefined {
      const now = clock();
      const { key, refused } = authenticate(state, token, now);
      if (key !== undefined) return principalOf(key, now);
      audit.refused({ ...refused, address, request: requestId });
      return undefined;
    },
    sessions: {
      cookie,
      authenticate(text, secrets, { address, requestId }) {
        const now = clock();
        const verdict = authenticateSession(state, textOfShard(shard, text) ?? '', secrets, now);
        if (verdict.key !== undefined) {
          renewSession(engine, verdict.key);
          return { principal: principalOf(verdict.key, now), secret: verdict.secret };
        }
        audit.refused({ ...verdict.refused, address, request: requestId });
        return undefined;
      },
    },
    onMalformedCredential({ address, requestId }) {
      audit.refused({ reason: 'malformed', key: '', account: '', address, request: requestId });
    },
    validUntilMs: ({ untilMs }) => untilMs,
    accessVersion: () => state.accessVersion,
  };
}

/** Names the projects that a key reaches, and whether it sees secrets. Those of a key never change; those of a person may. */
function reachOf({ id, kind }: Key, rights: ReadonlySet<Right>, projects: ReadonlySet<string> | undefined): string {
  if (projects === undefined) return '';
  if (kind === 'key') return id;
  const names = [rights.has('write') ? 'write' : 'read', ...[...projects].sort()].join();
  return createHash('sha256').update(names).digest('base64url').slice(0, reachLength);
}

/** A program around the server may do everything in its accounts. */
const everyRight: ReadonlySet<Right> = new Set(rightsOfRole.owner);

/** Characters in the name of the projects of a person. */
const reachLength = 16;

/** The identity of a request of this process in the account of that name, without restrictions and without rate limits. */
export function accountIdentity({ state, journal }: Pick<Engine, 'state' | 'journal'>, name: string): Identity<LookedUp> {
  let known: string | undefined;
  return {
    principal() {
      // Later a rename does not matter, but another account of that name is not this one.
      const account = known === undefined ? state.accountNamed(name) : state.accounts.get(known);
      if (account === undefined) throw problems.unknownAccount(name);
      known = account.id;
      return {
        ...{ accountId: known, keyId: '', personId: '', rights: everyRight, projects: undefined, reach: '' },
        ...{ allowances: undefined, untilMs: Number.POSITIVE_INFINITY },
      };
    },
    rejectionGate: () => journal.durable(state.lsn),
  };
}

export function onForbidden(audit: AuditLog): NonNullable<Api['onForbidden']> {
  return ({ keyId, accountId }, reason, { address, requestId }) => {
    audit.refused({ reason, key: keyId, account: accountId, address, request: requestId });
  };
}
