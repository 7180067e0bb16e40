/**
 * A paced client: an open loop. Each request is due at a time that was settled before the first was sent, and its latency counts from
 * then, however long it waited for a free connection or for the client itself. A client that sends when it has been answered would ask
 * nothing of a server that stands still, and so leave out of its percentiles what everybody else had to wait (coordinated omission).
 *
 * Timers are as coarse as what is measured, so there is none: the loop turns as fast as it can and takes a core to itself.
 */
import type net from 'node:net';
import { AnswerReader } from '../lib/answers.ts';
import type { Request, Target } from '../lib/ask.ts';
import { connected, encode } from '../lib/connection.ts';
import { percentile } from '../lib/statistics.ts';

/** Requests at a steady rate. */
export interface Stream {
  /** One after the other, from the first again after the last. */
  readonly requests: readonly Request[];
  readonly perSecond: number;
}

export interface PacedLoad {
  readonly target: Target;
  /** They share the connections; each has latencies of its own. */
  readonly streams: readonly Stream[];
  readonly connections: number;
  /** For which latencies are counted. */
  readonly seconds: number;
  /** Before these: sent likewise, not counted. */
  readonly leadSeconds: number;
}

/** In milliseconds. */
export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface PacedStream extends Latencies {
  /** Requests sent, and answered, the lead's included. */
  readonly sent: number;
}

export interface Paced {
  /** As they were given. */
  readonly streams: readonly PacedStream[];
  /** How much later than due the client itself got to requests, in milliseconds: part of their latencies, and none of the server's. */
  readonly late: Latencies;
}

/** A request in its place. */
export interface Due {
  /** Milliseconds from the beginning. */
  readonly atMs: number;
  /** Indices. */
  readonly stream: number;
  readonly request: number;
}

/** An answer that is not there so long after the last request was due will not come; milliseconds. */
const patienceMs = 30_000;

/** Rejects when an answer was no success or a connection failed. */
export async function runPaced({ target, streams, connections, seconds, leadSeconds }: PacedLoad): Promise<Paced> {
  const due = schedule(streams, leadSeconds + seconds);
  const bytes = streams.map(({ requests }) => requests.map((request) => encode(target, request)));
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(target)));
  try {
    const { latencies, late } = await sendAll(due, bytes, sockets);
    const counted = due.map(({ atMs }) => atMs >= leadSeconds * 1000);
    return {
      streams: streams.map((_, stream) => ({
        sent: due.filter((request) => request.stream === stream).length,
        ...latenciesOf(latencies.filter((_, i) => counted[i] === true && due[i]?.stream === stream)),
      })),
      late: latenciesOf(late.filter((_, i) => counted[i] === true)),
    };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** When every request is due, soonest first. Streams begin half a beat in, so that not all of them strike at once. */
export function schedule(streams: readonly Stream[], seconds: number): Due[] {
  const due = streams.flatMap(({ requests, perSecond }, stream) =>
    Array.from({ length: Math.max(1, Math.round(perSecond * seconds)) }, (_, i) => ({
      atMs: ((i + 0.5) * 1000) / perSecond,
      stream,
      request: i % requests.length,
    })),
  );
  return due.sort((a, b) => a.atMs - b.atMs);
}

/** @param values in milliseconds, in any order; left in ascending order */
export function latenciesOf(values: Float64Array): Latencies {
  if (values.length === 0) throw new Error('nothing was measured');
  values.sort();
  const at = (share: number): number => percentile(values, share);
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
}

/** Sends each request when it is due, on the connection that has been free for longest. */
function sendAll(due: readonly Due[], bytes: readonly (readonly Buffer[])[], sockets: readonly net.Socket[]) {
  const latencies = new Float64Array(due.length);
  const late = new Float64Array(due.length);
  return new Promise<{ latencies: Float64Array; late: Float64Array }>((resolve, reject) => {
    const free: ((request: number) => void)[] = [];
    let taken = 0; // requests that are due, and known to be
    let sent = 0;
    let answered = 0;
    let over = false;
    const lastMs = due.at(-1)?.atMs ?? 0;
    const started = performance.now();
    const fail = (error: Error): void => {
      over = true;
      reject(error);
    };

    const sendWaiting = (): void => {
      while (sent < taken && free.length > 0) free.shift()?.(sent++);
    };
    const turn = (): void => {
      if (over) return;
      const now = performance.now() - started;
      for (let next = due[taken]; next !== undefined && next.atMs <= now; next = due[taken]) late[taken++] = now - next.atMs;
      sendWaiting();
      if (now > lastMs + patienceMs) fail(new Error(`${due.length - answered} requests were not answered`));
      else setImmediate(turn);
    };

    for (const socket of sockets) {
      const reader = new AnswerReader();
      let current: Due | undefined;
      let index = 0;
      const send = (request: number): void => {
        index = request;
        current = due[request] as Due;
        socket.write(bytes[current.stream]?.[current.request] as Buffer);
      };
      free.push(send);
      socket.on('error', fail).on('close', () => fail(new Error('the server closed a connection')));
      socket.on('data', (part) => {
        try {
          reader.push(part as Buffer);
          const answer = reader.take();
          if (answer === undefined || current === undefined) return;
          latencies[index] = performance.now() - started - current.atMs;
          const { status, body } = answer;
          if (status !== 200 && status !== 204) throw new Error(`an answer was ${status}: ${body.toString('utf8', 0, 500)}`);
          free.push(send);
          sendWaiting();
          if (++answered < due.length) return;
          over = true;
          resolve({ latencies, late });
        } catch (error) {
          fail(error as Error);
        }
      });
    }
    turn();
  });
}
