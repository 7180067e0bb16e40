/**
 * A body that the program around this server has read before it passed the request on, as the body parsers of Express and NestJS do for all
 * routes. The stream of the request never emits it again.
 */
import type { IncomingMessage } from 'node:http';
import { type Problem, problems } from '../problem.ts';
import { InProcessRequest } from '../transport/in-process-request.ts';
import { Incoming } from '../transport/incoming.ts';
import type { HttpRequest } from '../transport/transport.ts';
import { declaredLength } from './body.ts';

/** What body parsers leave: the bytes (by convention in `rawBody`), or what they made of them. */
interface Parsed {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/** What is kept of a body that was read before; `undefined` for nothing. */
const keptOf = ({ rawBody, body }: IncomingMessage & Parsed): unknown => rawBody ?? body ?? undefined;

/** The bytes of a body that was read before; what a parser made of JSON becomes JSON again. */
export function keptBody(req: IncomingMessage): Buffer {
  const kept = keptOf(req);
  if (kept === undefined || !announcesBody(req)) return Buffer.alloc(0);
  if (typeof kept === 'string') return Buffer.from(kept);
  if (kept instanceof Uint8Array) return Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength);
  return Buffer.from(JSON.stringify(kept));
}

/** Another program has read the body. */
export const wasReadBefore = (req: HttpRequest): req is IncomingMessage =>
  // Our own request classes keep a body until it is asked for.
  !(req instanceof Incoming || req instanceof InProcessRequest) && req.readableEnded;

/** The problem of a body that was read before and not kept; `undefined` for other requests. */
export const lostBody = (req: HttpRequest): Problem | undefined =>
  wasReadBefore(req) && announcesBody(req) && keptOf(req) === undefined ? problems.bodyLost() : undefined;

const announcesBody = (req: IncomingMessage): boolean =>
  req.headers['transfer-encoding'] !== undefined || declaredLength(req) > 0;
