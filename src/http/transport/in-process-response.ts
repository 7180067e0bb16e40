/**
 * A response to a request of this process: it becomes a `Response` of the Fetch standard. A complete one is handed over immediately. A
 * stream is written as to a connection: no faster than the caller reads. All bytes are copies, because the caller may change them.
 */
import { STATUS_CODES } from 'node:http';
import { Writable } from 'node:stream';
import { Deferred } from '../../lib/async/deferred.ts';
import type { InProcessRequest } from './in-process-request.ts';

/** Bytes that may wait for the caller. */
const waitingBytes = 64 * 1024;

/** Statuses of responses without content, for which `Response` refuses even an empty body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

export class InProcessResponse extends Writable {
  readonly req: InProcessRequest;
  readonly socket = undefined;
  statusCode = 200;
  headersSent = false;
  /** Whether {@link sendWhole} has sent the response. */
  sentWhole = false;
  readonly #response = new Deferred<Response>();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** The caller waits for the next piece. */
  #isWanted = false;
  /** A piece that waits for the caller. */
  #waiting: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reason: Error | undefined;

  constructor(req: InProcessRequest) {
    super({ highWaterMark: waitingBytes, emitClose: false });
    this.req = req;
    req.onBroken = (error) => this.abort(error);
  }

  /** The response, once its head is known. Rejects with the reason of {@link abort}. */
  get response(): Promise<Response> {
    return this.#response.promise;
  }

  get finished(): boolean {
    return this.sentWhole || this.writableFinished;
  }

  /** Ends the exchange; the caller gets this error. */
  abort(reason: Error): void {
    this.#reason ??= reason;
    this.destroy();
  }

  /** Hands over a complete response. `lines`: headers, each with its end of line. */
  sendWhole(status: number, lines: string, body: Buffer | string): boolean {
    if (this.headersSent || this.destroyed) return false;
    const list = lines.slice(0, -2).split('\r\n');
    this.#begin(
      status,
      list.map((line) => splitHeader(line)),
      bodiless.has(status) ? null : body,
    );
    this.sentWhole = true;
    this.destroy();
    return true;
  }

  /** @param list names and values in turn */
  writeHead(status: number, list: readonly string[]): void {
    const headers: [string, string][] = [];
    for (let i = 0; i < list.length; i += 2) headers.push([list[i] as string, list[i + 1] as string]);
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => {
          this.#isWanted = true;
          this.#waiting?.();
        },
        cancel: () => void this.destroy(),
      },
      { highWaterMark: 0 },
    );
    this.#begin(status, headers, this.req.method === 'HEAD' || bodiless.has(status) ? null : stream);
  }

  #begin(status: number, headers: [string, string][], body: Buffer | string | ReadableStream<Uint8Array> | null): void {
    this.headersSent = true;
    this.statusCode = status;
    const sent = headers.filter(([name]) => name !== 'Connection');
    // A Response refuses memory that threads share, in which evaluations are made.
    const isShared = Buffer.isBuffer(body) && body.buffer instanceof SharedArrayBuffer;
    const response = new Response(isShared ? Buffer.from(body) : body, {
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: sent,
    });
    this.#response.resolve(response);
  }

  /** As of a `ServerResponse`: calls `onTimeout` when no piece was read for this time. */
  setTimeout(ms: number, onTimeout: () => void): void {
    clearTimeout(this.#timer);
    if (!this.destroyed) this.#timer = setTimeout(onTimeout, ms).unref();
  }

  /** The head needs no flush. */
  flushHeaders(): void {}

  /** The body is read without it. */
  writeContinue(): void {}

  override _write(piece: Buffer, _: BufferEncoding, done: () => void): void {
    this.#waiting = () => {
      this.#waiting = undefined;
      this.#isWanted = false;
      this.#timer?.refresh();
      this.#body?.enqueue(new Uint8Array(piece));
      done();
    };
    if (this.#isWanted) this.#waiting();
  }

  override _final(done: () => void): void {
    this.#body?.close();
    done();
  }

  override _destroy(_: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#waiting = undefined;
    if (!this.headersSent) this.#response.reject(this.#reason ?? brokenOff());
    else if (!this.finished) this.#body?.error(this.#reason ?? brokenOff());
    this.req.stop(this.#reason);
    // Node would emit it after all promises have settled: a caller that awaits one response after the other would never let it.
    queueMicrotask(() => this.emit('close'));
    done(null);
  }
}

const brokenOff = () => new Error('The server ended the response before it was complete.');

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
