/**
 * The trace of a request (W3C Trace Context): parses `traceparent` and `tracestate`, and adds a span for this server. Malformed headers are
 * ignored.
 */
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** The client's span, 16 hex digits. */
  readonly parentId: string;
  /** This server's span for the request. */
  readonly spanId: string;
  /** Two hex digits: whether the client records the trace, and whether its id is random. */
  readonly flags: string;
  /** Data of tracing systems along the way, as sent; '' if there is none. */
  readonly state: string;
}

/** Version, trace, span and flags; a later version may append more. */
const form = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
/** The known flags: sampled, and random. */
const knownFlags = 0b11;

/** One vendor's entry, and the maximum number of entries. */
const entry =
  /^(?:[a-z][a-z\d_\-*/]{0,255}|[a-z\d][a-z\d_\-*/]{0,240}@[a-z][a-z\d_\-*/]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const entriesMax = 32;

/** Parses the headers; `undefined` without a valid trace. */
export function traceContextOf(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  const [, version = '', traceId = '', parentId = '', flags = '', more] =
    (typeof traceparent === 'string' && form.exec(traceparent)) || [];
  if (version === '' || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return {
    traceId,
    parentId,
    spanId: randomBytes(8).toString('hex'),
    flags: (Number.parseInt(flags, 16) & knownFlags).toString(16).padStart(2, '0'),
    state: typeof tracestate === 'string' && isState(tracestate) ? tracestate : '',
  };
}

/** The header line with this server's span, including its end of line. */
export function traceField({ traceId, spanId, flags }: TraceContext): string {
  return `traceparent: 00-${traceId}-${spanId}-${flags}\r\n`;
}

function isState(text: string): boolean {
  const entries = text.split(',').map((part) => part.trim());
  const given = entries.filter((part) => part !== '');
  const keys = given.map((part) => part.slice(0, part.indexOf('=')));
  return given.length <= entriesMax && given.every((part) => entry.test(part)) && new Set(keys).size === keys.length;
}
