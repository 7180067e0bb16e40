/**
 * The steps of a request that concern its body: it is read, whoever waited for it is authenticated again, and it is parsed. A body that an
 * endpoint reads itself is handed to it while it arrives (`body-stream.ts`).
 */
import { nextSlice, runCooperatively } from '../../lib/async/cooperative.ts';
import { type Exchange, type Flow, noBody, noFaults } from '../exchange.ts';
import { problems } from '../problem.ts';
import {
  ClientGoneError,
  declaredLength,
  type JsonBody,
  largeBodyBytes,
  parseBody as parseJsonBody,
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
  // Better now than when most of it is there. Nothing is reserved: a client that announces much and sends little takes no room from others.
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

/** The endpoint gets the body while it arrives. */
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
  throw problems.unauthorized();
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

/** A large body is parsed in slices, when the large bodies before it of the same account are done. */
export function parseBody<Principal>(exchange: Exchange<Principal>): Flow {
  const { context, account, endpoint } = exchange;
  const bytes = exchange.takeBytes();
  if (bytes === undefined) return 'next';
  if (bytes.length > largeBodyBytes && account !== undefined) {
    exchange.turn = context.bodyTurns.enter(account, () => void parseLargeBody(exchange, bytes));
    return 'stop';
  }
  const isLeftOut = bytes.length === 0 && endpoint?.bodyIsOptional === true;
  setBody(exchange, isLeftOut ? { value: noBody, faults: noFaults } : parseJsonBody(bytes, context.options.admitBody));
  return 'next';
}

/** Its turn has come. Never throws. */
async function parseLargeBody<Principal>(exchange: Exchange<Principal>, bytes: Buffer): Promise<void> {
  exchange.working = true;
  try {
    await nextSlice();
    const parsed = await runCooperatively(parsingBody(bytes, exchange.context.options.admitBody));
    // A client that went away meanwhile has changed nothing, and gets no answer.
    if (exchange.over) throw new ClientGoneError('the client went away before its request was carried out');
    // The handler works for more than a slice, too.
    await nextSlice();
    exchange.working = false;
    setBody(exchange, parsed);
    exchange.proceed();
  } catch (error) {
    exchange.working = false;
    exchange.fail(error);
  }
  // Where the endpoint is still at work, the turn is over when that is done.
  if (!exchange.working) exchange.workDone();
}

function setBody<Principal>(exchange: Exchange<Principal>, { value, faults }: JsonBody): void {
  if (faults.length > 0 && exchange.endpoint?.reportsFaults !== true) throw problems.validationFailed(faults);
  exchange.body = value;
  exchange.faults = faults;
}
