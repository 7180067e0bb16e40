/**
 * Event streams: responses that do not end (WHATWG HTML, 9.2). A source makes the text of the events. This file sends it, no faster than
 * the client reads, and disconnects stalled clients.
 *
 * An open stream is not a request in flight: it costs its connection and its unread bytes, and it ends when the server drains.
 */
import { performance } from 'node:perf_hooks';
import type { HttpResponse } from '../transport/transport.ts';
import type { OutputBuffers, PendingBytes } from './output-buffers.ts';

/** The source of the events of one stream. */
export interface EventSource {
  /** Whether a part of an event is written, and its rest is not. */
  readonly isWithinEvent: boolean;
  /** Everything written so far was sent: more may be written. */
  drained(): void;
  /** Called at a fixed interval. Writes at least a comment if nothing was written for a while. */
  heartbeat(): void;
  /** The stream is closed. Idempotent. */
  onClose(): void;
}

/** The reconnection delay of the client, in milliseconds. Its bytes also make proxies forward the head. */
const opening = 'retry: 2000\n\n';
const parting = ': the stream ends here\n\n';

/** How long heartbeats may run before the event loop gets a turn, in milliseconds. */
const sliceMs = 5;

export class EventStream {
  readonly #res: HttpResponse;
  readonly #responses: OutputBuffers;
  readonly #streams: EventStreams;
  #source: EventSource | undefined;
  #pending: PendingBytes | undefined;
  #over = false;

  constructor(res: HttpResponse, responses: OutputBuffers, streams: EventStreams) {
    this.#res = res;
    this.#responses = responses;
    this.#streams = streams;
  }

  /** Must be called after the head is sent. */
  start(begin: (stream: EventStream) => EventSource): void {
    const res = this.#res;
    res.once('close', () => this.#stop());
    // A client that half-closes its connection would normally still get its response; this one would have no end.
    res.socket?.once('end', () => res.destroy());
    res.on('drain', () => {
      this.#taken();
      this.#source?.drained();
    });
    this.#streams.add(this);
    if (this.#over) return;
    res.write(opening);
    const source = begin(this);
    if (this.#over) source.onClose();
    else this.#source = source;
  }

  /** Writes text. `false`: write nothing more until `drained` is called on the source. */
  write(text: Buffer): boolean {
    if (this.#over) return false;
    if (this.#res.write(text)) return true;
    this.#taken();
    this.#pending = this.#responses.hold(this.#res, text.length);
    return false;
  }

  beat(): void {
    this.#source?.heartbeat();
  }

  /** Ends the stream with a last comment. Within an event nothing more is sent: its beginning would count as an event. */
  end(): void {
    if (this.#over) return;
    this.#res.end(this.#source?.isWithinEvent === true ? undefined : parting);
    // A stalled client does not read the end either.
    this.#responses.cutOffWhenStalled(this.#res);
    this.#leave();
  }

  /** Closes the connection without a last comment. */
  cut(): void {
    this.#res.destroy();
    this.#stop();
  }

  #stop(): void {
    this.#taken();
    this.#leave();
  }

  #leave(): void {
    if (this.#over) return;
    this.#over = true;
    this.#streams.delete(this);
    const source = this.#source;
    this.#source = undefined;
    source?.onClose();
  }

  #taken(): void {
    if (this.#pending !== undefined) this.#responses.release(this.#pending);
    this.#pending = undefined;
  }
}

export class EventStreams {
  readonly #heartbeatMs: number;
  readonly #gate: () => Promise<void> | undefined;
  readonly #open = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #draining = false;

  /** @param gate whether heartbeats may be written; if its promise rejects, they are left out */
  constructor({ heartbeatMs }: { readonly heartbeatMs: number }, gate: () => Promise<void> | undefined = () => undefined) {
    this.#heartbeatMs = heartbeatMs;
    this.#gate = gate;
  }

  add(stream: EventStream): void {
    if (this.#draining) {
      stream.end();
      return;
    }
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#beatAll(), this.#heartbeatMs).unref();
  }

  delete(stream: EventStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends all open streams, and each that is opened later. */
  drain(): void {
    this.#draining = true;
    for (const stream of this.#open) stream.end();
  }

  #beatAll(): void {
    const gate = this.#gate();
    if (gate === undefined) this.#beat([...this.#open]);
    else {
      gate.then(
        () => this.#beat([...this.#open]),
        () => undefined,
      );
    }
  }

  /** Runs in slices, because ten thousand writes take a while. */
  #beat(streams: EventStream[]): void {
    const started = performance.now();
    for (let stream = streams.pop(); stream !== undefined; stream = streams.pop()) {
      stream.beat();
      if (performance.now() - started < sliceMs) continue;
      setImmediate(() => this.#beat(streams));
      return;
    }
  }
}
