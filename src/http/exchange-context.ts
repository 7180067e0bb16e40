/** What all exchanges of a listener share: where requests lead, who may ask, what is counted, and whom to tell. */
import type { Socket } from 'node:net';
import type { Addresses } from './addresses.ts';
import type { Accounts } from './auth.ts';
import type { AdmitBody } from './body.ts';
import type { BodyTurns } from './body-turns.ts';
import type { ApiRequest, Endpoint } from './endpoint.ts';
import type { FramingLimits } from './framing.ts';
import type { AccountLoad, Load } from './load.ts';
import type { Observer } from './observer.ts';
import type { Problem } from './problem.ts';
import type { QueryValues } from './query.ts';
import type { SendingContext } from './reply.ts';
import type { Router } from './router.ts';
import type { Traffic } from './traffic.ts';
import type { Watch } from './watch.ts';

export interface ExchangeContext<Principal> extends SendingContext {
  readonly router: Router<Principal>;
  readonly addresses: Addresses;
  readonly accounts: Accounts<Principal>;
  readonly traffic: Traffic;
  readonly limits: FramingLimits & {
    readonly bodyBytesMax: number;
    readonly streamedBytesMax: number;
    readonly lingerMs: number;
    readonly keepAliveTimeoutMs: number;
  };
  readonly load: Load;
  /** The turns of large bodies. */
  readonly bodyTurns: BodyTurns;
  readonly admitBody: AdmitBody | undefined;
  /** Gives up bodies that stall. */
  readonly bodies: Watch;
  readonly observer: Observer<Principal>;
  /** Whether connections are to end with their next answer. */
  readonly draining: boolean;
  unavailable?(): Problem | undefined;
  rejectionGate?(): Promise<void> | undefined;
  /** Counts a request, and what is left of its limits; throws a 429. What it returns ends with `load.end`; `undefined` where nobody is counted. */
  countIn(principal: Principal, exchange: { callerFields: string }): AccountLoad | undefined;
  /** Public part of the key that a request came with; `undefined` where that is not known. */
  keyIdOf(principal: Principal): string | undefined;
  nameRequest(sent: unknown): string;
  /** A request is answered with a refusal. */
  onRefused(problem: Problem): void;
  /** The answer of a request is a stream of events, which goes on: it is not in flight any more. */
  onStream(socket: Socket): void;
  /** The exchange of a request that came over `socket` is over: its answer is out, or its client gone. */
  onOver(socket: Socket, wasStream: boolean): void;
}

/** What the client expects before it sends its body (`Expect`); `continue`: a word from us; `unknown`: what nobody can give. */
export type Expectation = 'nothing' | 'continue' | 'unknown';

/** What was asked for, as far as the head of a request says. */
export interface Asked<Principal> {
  readonly endpoint: Endpoint<Principal>;
  /** The path's pattern, prefix included. */
  readonly path: string;
  readonly params: ApiRequest<Principal>['params'];
  readonly query: QueryValues;
  readonly principal: Principal;
}

/**
 * Names the content that a GET asks for, in one way however the request spells its path, its query and its key; `undefined` when the key
 * is not known. No part has a space in it.
 */
export function contentKey<Principal>(
  asked: Asked<Principal>,
  keyIdOf: (principal: Principal) => string | undefined,
): string | undefined {
  const { endpoint, path, params, query, principal } = asked;
  const keyId = endpoint.public === true ? '' : keyIdOf(principal);
  if (keyId === undefined) return undefined;
  const names = Object.values(params).map(encodeURIComponent).join('/');
  const values = new URLSearchParams(query);
  values.sort();
  return `${keyId} ${path} ${names} ${values}`;
}
