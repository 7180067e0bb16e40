/** Looks up keys for the listener: in the state, recording every use, and every rejection in the audit log. */
import type { Principal } from '../../api/authorize.ts';
import type { Api } from '../../api/declaration.ts';
import type { Engine } from '../../engine/engine.ts';
import { endMs } from '../../engine/key-state.ts';
import { authenticate } from '../../engine/keys.ts';
import type { KeyLookup } from '../../http/guard/authentication.ts';
import type { Allowance } from '../../http/guard/rate-limit.ts';
import { problems } from '../../http/problem.ts';
import type { Identity } from '../../http/transport/transport.ts';
import type { State } from '../../store/state.ts';
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
  readonly state: State;
  readonly audit: AuditLog;
  readonly lastUse: KeyUsage;
  readonly rates: RateLimiters;
  /** Unix time in milliseconds. */
  readonly clock: () => number;
}

export function keyLookup({ state, audit, lastUse, rates, clock }: Parts): KeyLookup<LookedUp> {
  return {
    clock,
    authenticate(token, { address, requestId }): LookedUp | undefined {
      const now = clock();
      const { key, refused } = authenticate(state, token, now);
      if (refused !== undefined) {
        audit.refused({ ...refused, address, request: requestId });
        return undefined;
      }
      lastUse.note(key.id, now);
      return {
        accountId: key.accountId,
        keyId: key.id,
        readOnly: key.access === 'read',
        allowances: rates.tokenBucketsOf(state, key),
        projects: key.projects.length === 0 ? undefined : new Set(key.projects),
        // Looked up again when it expires, and when its next use must be recorded.
        untilMs: Math.min(endMs(state.keys, key), nextGrainMs(now)),
      };
    },
    onMalformedCredential({ address, requestId }) {
      audit.refused({ reason: 'malformed', key: '', account: '', address, request: requestId });
    },
    validUntilMs: ({ untilMs }) => untilMs,
    accessVersion: () => state.accessVersion,
  };
}

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
        ...{ accountId: known, keyId: '', readOnly: false, projects: undefined },
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
