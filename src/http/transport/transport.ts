/**
 * The two transports of the pipeline: a connection of `node:http`, and a call in this process, which has no connection
 * (`in-process-request.ts`, `in-process-response.ts`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InProcessRequest } from './in-process-request.ts';
import type { InProcessResponse } from './in-process-response.ts';

/** `socket` is undefined for a call in this process. */
export type HttpRequest = IncomingMessage | InProcessRequest;
export type HttpResponse = ServerResponse | InProcessResponse;

/** The origin of a request, for the audit log. */
export interface Caller {
  readonly requestId: string;
  /** Client address: without a trusted proxy the other end of the connection; '' if it is closed. */
  readonly address: string;
  /** The port of this side of the connection; `undefined` for a call in this process. */
  readonly port?: number | undefined;
  /** The address of this side of the connection. */
  readonly localAddress?: string | undefined;
  /** True if the client has gone, or has its response. */
  readonly over?: boolean;
}

/** The client of a call in this process, given beside the request: no header of the request can name it. */
export interface Identity<Principal> {
  /** Throws a 401 problem if it does not exist, or no longer. */
  principal(): Principal;
  /** Awaited before this 401 is sent: what it shows must be durable first. */
  rejectionGate(): Promise<void> | undefined;
}
