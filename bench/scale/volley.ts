/**
 * A volley: a list of requests, each of them sent once, over many connections; every answer must be a success. Load generators send for a
 * time and the same things over and over; here what is sent is the work itself.
 */
import type net from 'node:net';
import { type Answered, AnswerReader } from '../lib/answers.ts';
import type { Request, Target } from '../lib/ask.ts';
import { connected, encode } from '../lib/connection.ts';

export const connectionsDefault = 64;

/**
 * Each connection sends its next request when it has its answer. Resolves with the seconds from the first request to the last answer;
 * rejects when an answer was no success or a connection failed.
 *
 * @param onAnswer called for every response, in any order, with the index of its request and its body
 */
export async function volley(
  target: Target,
  requests: readonly Request[],
  connections = connectionsDefault,
  onAnswer?: (request: number, body: Buffer) => void,
): Promise<number> {
  const prepared = requests.map((request) => encode(target, request));
  const sockets = await Promise.all(Array.from({ length: Math.min(connections, requests.length) }, () => connected(target)));
  let next = 0;
  const started = performance.now();
  try {
    await Promise.all(
      sockets.map(async (socket) => {
        const ask = asker(socket);
        for (let i = next++; i < prepared.length; i = next++) {
          const { status, body } = await ask(prepared[i] as Buffer);
          if (status !== 200 && status !== 204) {
            const { method, path } = requests[i] as Request;
            throw new Error(`${method} ${path}: ${status} ${body.toString('utf8', 0, 500)}`);
          }
          onAnswer?.(i, body);
        }
      }),
    );
    return (performance.now() - started) / 1000;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Sends a request and waits for its answer; one at a time. */
function asker(socket: net.Socket) {
  const reader = new AnswerReader();
  let waiting: { resolve(answer: Answered): void; reject(error: Error): void } | undefined;
  const fail = (error: Error) => waiting?.reject(error);
  socket.on('error', fail).on('close', () => fail(new Error('the server closed a connection')));
  socket.on('data', (bytes) => {
    try {
      reader.push(bytes as Buffer);
      const answer = reader.take();
      if (answer !== undefined) waiting?.resolve(answer);
    } catch (error) {
      fail(error as Error);
    }
  });
  return (request: Buffer) =>
    new Promise<Answered>((resolve, reject) => {
      waiting = { resolve, reject };
      socket.write(request);
    });
}
