/**
 * Reads and parses the body of an exchange. An endpoint that streams its body gets it while it arrives (`body-stream.ts`).
 */
import { nextSlice, runCooperatively } from '../lib/async/cooperative.ts';
import { type Exchange, noBody, noFieldErrors } from './exchange.ts';
import type { AccountLoad } from './guard/admission.ts';
import { problems } from './problem.ts';
import { ClientGoneError, declaredLength, type JsonBody, parseJsonBody, parsingBody, refusedByHeaders } from './request/body.ts';
import { BodyStream } from './request/body-stream.ts';
import { codingOf, decodePieces, decodeWhole, unsupportedCoding } from './request/coded-body.ts';
import { receive } from './request/receive.ts';
import type { StreamedBody } from './route.ts';

/** Receives the whole body, and then continues the exchange. */
export function receiveBody<Principal>(exchange: Exchange<Principal>): void {
  const { context, req, account } = exchange;
  const { admission, bodyWatch } = context;
  const bodyBytesMax = bodyBytesMaxOf(exchange);
  const refusal = refusedByHeaders(req, bodyBytesMax, { isPatch: exchange.endpoint?.acceptsPatch === true });
  if (refusal !== undefined) throw refusal;
  exchange.coding = codingOf(exchange);
  // Only the queue of an account bounds how many bodies are decoded together.
  if (exchange.coding !== undefined && account === undefined) throw unsupportedCoding('identity');
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
}

/** Passes the body to the endpoint while it arrives. */
export function streamBody<Principal>(exchange: Exchange<Principal>, content: StreamedBody): void {
  const { bodyWatch, limits } = exchange.context;
  const [bytesMax, flag] = content === 'file' ? [limits.fileBytesMax, '--file-mb'] : [limits.streamedBytesMax, '--import-mb'];
  const isBeacon = content === 'beacon';
  const refusal = isBeacon ? undefined : refusedByHeaders(exchange.req, bytesMax, { flag, isJson: content === 'json' });
  if (refusal !== undefined) throw refusal;
  const coding = isBeacon ? undefined : codingOf(exchange);
  exchange.expectBody();
  const pieces = new BodyStream(exchange.req, {
    ...{ bytesMax, flag },
    watch: bodyWatch,
    holds: (bytes) => exchange.holdBodyInAll(bytes),
    complete: () => {
      exchange.bodyReceived(undefined);
      refuseIfLost(exchange);
    },
  });
  exchange.pieces = coding === undefined ? pieces : decodePieces(pieces, coding, { bytesMax, flag });
}

/** Throws if the key has expired, or a person has lost the right, while the body arrived. */
function refuseIfLost<Principal>(exchange: Exchange<Principal>): void {
  const { endpoint, route } = exchange;
  if (endpoint === undefined || endpoint.public === true) return;
  const principal = exchange.identify();
  endpoint.authorize?.(principal, route.params, exchange);
}

/** Maximum length of the body, in bytes, as sent and decoded. */
const bodyBytesMaxOf = <Principal>({ context: { limits }, endpoint }: Exchange<Principal>): number =>
  Math.min(limits.bodyBytesMax, endpoint?.bodyBytesMax ?? limits.bodyBytesMax);

/** Parses a body in this turn. */
export function parseNow<Principal>(exchange: Exchange<Principal>, bytes: Buffer): void {
  const { context, endpoint } = exchange;
  setBody(exchange, isOmitted(endpoint, bytes) ? omittedBody : parseJsonBody(bytes, context.options.admitBody));
}

const omittedBody: JsonBody = { value: noBody, fieldErrors: noFieldErrors };

const isOmitted = (endpoint: { readonly bodyIsOptional?: boolean } | undefined, bytes: Buffer): boolean =>
  bytes.length === 0 && endpoint?.bodyIsOptional === true;

/** The body without its coding. */
async function decodedBody<Principal>(exchange: Exchange<Principal>, bytes: Buffer): Promise<Buffer> {
  const { coding } = exchange;
  if (coding === undefined) return bytes;
  return await decodeWhole(bytes, coding, { bytesMax: bodyBytesMaxOf(exchange) }, (more) => exchange.holdBody(more));
}

/** Parses a large body, or decodes and parses a coded one, when its turn among those of its account comes, and then continues the exchange. */
export function parseLater<Principal>(exchange: Exchange<Principal>, account: AccountLoad, bytes: Buffer): void {
  exchange.bodySlot = exchange.context.bodyQueue.enter(account, () => void parseLargeBody(exchange, bytes));
}

/** Runs when the turn of a large body begins. Never throws. */
async function parseLargeBody<Principal>(exchange: Exchange<Principal>, bytes: Buffer): Promise<void> {
  exchange.working = true;
  try {
    await nextSlice();
    const decoded = await decodedBody(exchange, bytes);
    const parsed = isOmitted(exchange.endpoint, decoded)
      ? omittedBody
      : await runCooperatively(parsingBody(decoded, exchange.context.options.admitBody));
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

function setBody<Principal>(exchange: Exchange<Principal>, { value, fieldErrors }: JsonBody): void {
  if (fieldErrors.length > 0 && exchange.endpoint?.reportsFieldErrors !== true) throw problems.validationFailed(fieldErrors);
  exchange.body = value;
  exchange.fieldErrors = fieldErrors;
}
