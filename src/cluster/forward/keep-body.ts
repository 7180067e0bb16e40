/** Reads the body of a client into memory, so that it can be sent to several owners, one after the other. */
import type { FallbackExchange } from '../../http/fallback.ts';
import { receive } from '../../http/request/receive.ts';

/** One of them is called, once. */
export interface KeptBody {
  received(bytes: Buffer): void;
  /** It is too long to be kept. @param begun what was read of it */
  overflowed(begun: Buffer): void;
  failed(error: unknown): void;
}

/**
 * @param credentials of the client: its requests are counted for them, because only the owner knows the account of a key
 * @param length in bytes, as declared
 */
export function keepBody(exchange: FallbackExchange, credentials: string, length: number, body: KeptBody): void {
  const { limits, bodyWatch } = exchange.context;
  try {
    if (credentials !== '') exchange.countFor(credentials);
    exchange.expectBody();
  } catch (problem) {
    body.failed(problem);
    return;
  }
  receive(exchange.req, {
    bytesMax: limits.bodyBytesMax,
    bytesExpected: length,
    watch: bodyWatch,
    hold: (more) => exchange.holdBody(more),
    received: (bytes) => {
      exchange.bodyReceived(undefined);
      body.received(bytes);
    },
    overflowed: (begun) => body.overflowed(begun),
    failed: (error) => body.failed(error),
  });
}
