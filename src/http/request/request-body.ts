/**
 * The steps that concern the body of a request: reading it, authenticating again after the wait, and parsing. An endpoint that streams
 * its body gets it while it arrives (`body-stream.ts`).
 */
import { nextSlice, runCooperatively } from '../../lib/async/cooperative.ts';
import { type Exchange, type Flow, noBody, noFaults } from '../exchange.ts';
import { problems } from '../problem.ts';
import {
  ClientGoneError,
  declaredLength,
  type JsonBody,
  largeBodyBytes,
  parseJsonBody,
  parsingBody,
  refusedByHeaders,
} from './body.ts';
import { BodyStream, streamedFlag } from './body-stream.ts';
import { ignoreChunks, receive } from './receive.ts';

export function readBody<Principal>(exchange: Exchange<Principal>): Flow {
  const { endpoint, req } = exchange;
  if (endpoint?.acceptsBody === true) return receiveBody(exchange);
  if (endpoint?.streamsBody === true) return streamBody(exchange);
  if (req.headers['transfer-encoding'] !== undefined) ignoreChunks(req);
  return 'next';
}

/** Waits for the whole body. */
function receiveBody<Principal>(exchange: Exchange<Principal>): Flow {
  const { context, req, account } = exchange;
  const { admission, bodyWatch, limits } = context;
  const { bodyBytesMax } = limits;
  const refusal = refusedByHeaders(req, bodyBytesMax);
  if (refusal !== undefined) throw refusal;
  const bytesExpected = declaredLength(req);
  // Refuse early, not after most of it arrived. Nothing is reserved: a client that announces much and sends little blocks no others.
  admission.check(account, bytesExpected);
  exchange.expectBody();
  receive(req, {
    bytesMax: bodyBytesMax,
    bytesExpected,
    watch: bodyWatch,
    hold: (more) => exchange.holdBody(more),
    received: (bytes) => {
      exchange.bodyReceived(bytes);
      exchange.proceed();
    },
    failed: (error) => exchange.fail(error),
  });
  return 'stop';
}

/** Passes the body to the endpoint while it arrives. */
function streamBody<Principal>(exchange: Exchange<Principal>): Flow {
  const { bodyWatch, limits } = exchange.context;
  const refusal = refusedByHeaders(exchange.req, limits.streamedBytesMax, streamedFlag);
  if (refusal !== undefined) throw refusal;
  exchange.expectBody();
  exchange.pieces = new BodyStream(exchange.req, {
    bytesMax: limits.streamedBytesMax,
    watch: bodyWatch,
    holds: (bytes) => exchange.holdBodyInAll(bytes),
    complete: () => streamComplete(exchange),
  });
  return 'next';
}

async function streamComplete<Principal>(exchange: Exchange<Principal>): Promise<void> {
  exchange.bodyReceived(undefined);
  if (isStillValid(exchange)) return;
  await exchange.context.options.rejectionGate?.();
  throw problems.unauthorized('refused');
}

/** A body may take a minute to arrive, and the key may expire or be revoked meanwhile. */
export function reauthenticate<Principal>(exchange: Exchange<Principal>): Flow {
  if (!exchange.bodyRead || isStillValid(exchange)) return 'next';
  void exchange.refuseUnauthorized();
  return 'stop';
}

function isStillValid<Principal>(exchange: Exchange<Principal>): boolean {
  return exchange.isPublic || exchange.context.authenticator.principalOf(exchange.req, exchange) !== undefined;
}

/** Parses the body; a large one in slices, after the earlier large bodies of the same account. */
export function parseBody<Principal>(exchange: Exchange<Principal>): Flow {
  const { context, account, endpoint } = exchange;
  const bytes = exchange.takeBytes();
  if (bytes === undefined) return 'next';
  if (bytes.length > largeBodyBytes && account !== undefined) {
    exchange.bodySlot = context.bodyQueue.enter(account, () => void parseLargeBody(exchange, bytes));
    return 'stop';
  }
  const isLeftOut = bytes.length === 0 && endpoint?.bodyIsOptional === true;
  setBody(exchange, isLeftOut ? { value: noBody, faults: noFaults } : parseJsonBody(bytes, context.options.admitBody));
  return 'next';
}

/** Runs when the turn of a large body begins. Never throws. */
async function parseLargeBody<Principal>(exchange: Exchange<Principal>, bytes: Buffer): Promise<void> {
  exchange.working = true;
  try {
    await nextSlice();
    const parsed = await runCooperatively(parsingBody(bytes, exchange.context.options.admitBody));
    // After a disconnect nothing was changed, and no response is possible.
    if (exchange.over) throw new ClientGoneError('the client disconnected before its request was handled');
    // The handler also takes longer than a slice.
    await nextSlice();
    exchange.working = false;
    setBody(exchange, parsed);
    exchange.proceed();
  } catch (error) {
    exchange.working = false;
    exchange.fail(error);
  }
  // If the endpoint is still running, the turn ends when it has finished.
  if (!exchange.working) exchange.workDone();
}

function setBody<Principal>(exchange: Exchange<Principal>, { value, faults }: JsonBody): void {
  if (faults.length > 0 && exchange.endpoint?.reportsFaults !== true) throw problems.validationFailed(faults);
  exchange.body = value;
  exchange.faults = faults;
}
