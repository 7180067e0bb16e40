/** What one account sends to harm another: the parts that all attacks share. */
import http from 'node:http';
import { headersOf, type Request, type Target } from '../lib/ask.ts';
import type { Goal } from '../row.ts';

export const sizes = {
  full: {
    bodyBytes: 5 * 1024 * 1024,
    objects: 45_000,
    operations: 1000,
    streams: 1000,
    events: 2000,
    publications: 6000,
    publishedBytes: 28 * 1024 * 1024,
    dangling: 150_000,
  },
  tiny: {
    bodyBytes: 20_000,
    objects: 20,
    operations: 3,
    streams: 2,
    events: 5,
    publications: 3,
    publishedBytes: 20_000,
    dangling: 20,
  },
} as const;
export type Sizes = (typeof sizes)[keyof typeof sizes];

/** How often each status was answered; 0 is a connection that failed. */
export type Statuses = Map<number, number>;

export interface Attack {
  /** The end of the name of its bench. */
  readonly name: string;
  readonly what: string;
  readonly goal?: Goal;
  /** Makes what the attack needs. Gives what one round of it does, until it is over or the signal says so. */
  prepare(target: Target, sizes: Sizes): Promise<(signal: AbortSignal, statuses: Statuses) => Promise<unknown>>;
}

/**
 * Sends a request and throws its answer away. Never rejects: who is attacked may hang up.
 *
 * @param until text with which the answer is read far enough
 * @param headers sent besides those of every request
 */
export function send(
  target: Target,
  request: Request,
  signal: AbortSignal,
  statuses: Statuses,
  until?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  return new Promise((resolve) => {
    const { method, path, body } = request;
    let status = 0;
    let tail = '';
    const over = (): void => {
      if (!signal.aborted || status !== 0) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      resolve();
    };
    const req = http.request(
      target.url + path,
      { method, headers: { ...headersOf(target, request), ...headers }, agent: false, signal },
      (res) => {
        status = res.statusCode ?? 0;
        res.on('error', () => undefined);
        res.on('data', (part: Buffer) => {
          if (until === undefined) return;
          const text = tail + part.toString('latin1');
          if (text.includes(until)) req.destroy();
          tail = text.slice(-until.length);
        });
      },
    );
    req.on('error', () => undefined);
    req.once('close', over);
    if (body !== undefined) req.setHeader('content-length', Buffer.byteLength(body));
    req.end(body);
  });
}
