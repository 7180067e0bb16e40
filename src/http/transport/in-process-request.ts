/**
 * A request of this process, from a `Request` of the Fetch standard. Bodies are copied piece by piece, because the caller may change its
 * bytes after it has sent them, and read only as fast as the endpoint takes them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { types } from 'node:util';
import type { BodySink } from './incoming.ts';

/** Headers of a connection: there is none, so they mean nothing and must not frame the body. `Content-Length` could contradict it. */
const connectionHeaders = new Set([
  ...['connection', 'content-length', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** Size of the pieces that a sink gets, in bytes; the caller may send chunks of any size. */
const pieceBytes = 64 * 1024;

const nothing = new Uint8Array(0);

export class InProcessRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly socket = undefined;
  /** Kept, because Node forgets the signal of a `Request` that is collected. */
  readonly request: Request;
  /** Whether the whole body has arrived. */
  complete: boolean;
  /** Called when the body cannot be read. */
  onBroken: (error: Error) => void = () => undefined;
  #reader: ReadableStreamDefaultReader<unknown> | undefined;
  #sink: BodySink | undefined;
  #chunk: Uint8Array = nothing;
  #paused = false;
  #pumping = false;
  #cancelled = false;

  /** Throws a TypeError if the body was read already. */
  constructor(request: Request) {
    if (request.bodyUsed || request.body?.locked === true)
      throw new TypeError('The body of this Request was read already, or is being read: pass a new Request.');
    const { pathname, search } = new URL(request.url);
    const entries = [...request.headers].filter(([name]) => !connectionHeaders.has(name));
    this.request = request;
    this.method = request.method;
    this.url = pathname + search;
    this.headers = Object.fromEntries(entries);
    this.rawHeaders = entries.flat();
    this.complete = request.body === null;
  }

  /** From now on the body goes to this sink. */
  pipeTo(sink: BodySink): void {
    this.#sink = sink;
    if (this.complete) sink.end();
    else void this.#pump();
  }

  /** No more pieces until {@link resumeConnection}. */
  pauseConnection(): void {
    this.#paused = true;
  }

  resumeConnection(): void {
    this.#paused = false;
    if (this.#sink !== undefined && !this.complete) void this.#pump();
  }

  /** The exchange is over: the rest of the body is not read. */
  stop(reason: unknown): void {
    if (this.complete || this.#cancelled) return;
    this.#cancelled = true;
    this.#sink?.onAbort();
    const cancelled = this.#reader === undefined ? this.request.body?.cancel(reason) : this.#reader.cancel(reason);
    cancelled?.catch(() => undefined);
  }

  /** Never rejects. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      this.#reader ??= (this.request.body as ReadableStream<unknown>).getReader();
      while (!this.#paused && !this.#cancelled) {
        if (this.#chunk.length > 0) this.#pass();
        else if (await this.#isEnded(this.#reader)) return;
      }
    } catch (error) {
      if (!this.#cancelled) this.onBroken(error as Error);
    } finally {
      this.#pumping = false;
    }
  }

  #pass(): void {
    const piece = Buffer.from(this.#chunk.subarray(0, pieceBytes));
    this.#chunk = this.#chunk.subarray(piece.length);
    this.#sink?.onData(piece);
  }

  /** Reads the next chunk; whether there is none. */
  async #isEnded(reader: ReadableStreamDefaultReader<unknown>): Promise<boolean> {
    const { done, value } = await reader.read();
    if (this.#cancelled) return true;
    if (done) {
      this.complete = true;
      this.#sink?.end();
      return true;
    }
    if (!types.isUint8Array(value)) throw new TypeError('The body of a Request must be a stream of bytes (Uint8Array).');
    this.#chunk = value;
    return false;
  }
}
