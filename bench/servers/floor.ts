/** Starts the floor, with the answers that ours gives. */
import path from 'node:path';
import { ask, basePathOf, type Request, type Target } from '../lib/ask.ts';
import { start } from '../lib/child.ts';
import { onServerCore } from '../lib/pin.ts';
import type { Api } from './api.ts';

/** An answer to a GET. */
export interface Recorded {
  readonly path: string;
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** Base64. */
  readonly body: string;
}

/** What Node puts into an answer by itself, the floor's as well as ours. */
const byNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Serves what ours answers to these requests, all of them GETs. */
export async function startFloor(ours: Target, requests: readonly Request[]): Promise<Api> {
  const { origin } = new URL(ours.url);
  const basePath = basePathOf(ours);
  const recorded: Recorded[] = [];
  for (const request of requests) {
    const { status, rawHeaders, body } = await ask(ours, request);
    if (status !== 200) throw new Error(`${request.method} ${origin}${basePath}${request.path}: ${status}`);
    recorded.push({ path: basePath + request.path, status, headers: ownHeaders(rawHeaders), body: body.toString('base64') });
  }
  const command = [process.execPath, path.join(import.meta.dirname, 'floor-main.js')];
  const { process: running, match } = await start(onServerCore(command), /^Listening on (\S+)$/m, {
    input: JSON.stringify(recorded),
  });
  return { name: 'bare node:http', url: `${match[1]}${basePath}`, key: ours.key, pid: running.pid, stop: () => running.stop() };
}

/** Without those that Node adds. */
export const ownHeaders = (raw: readonly string[]): string[] =>
  raw.filter((_, i) => !byNode.has((raw[i - (i % 2)] as string).toLowerCase()));
