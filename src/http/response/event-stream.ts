/**
 * Streams of events: answers that do not end (WHATWG HTML, 9.2). What is to be told comes from elsewhere, as text; here it gets onto the
 * wire, no faster than it is taken, and whoever takes nothing is found and cut off.
 *
 * An open stream is no request in flight: it costs its connection and what waits for its reader, and it ends when the server drains.
 */
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { OutputBuffers, PendingBytes } from './output-buffers.ts';

/** Who has something to tell. */
export interface EventSource {
  /** All that was written is on its way: there is room for more. */
  drained(): void;
  /** Nothing may have been written for a while: to be told now, if only that there is nothing to tell. */
  heartbeat(): void;
  /** Nobody reads any more. May be called again. */
  onClose(): void;
}

/** How long a client waits before it comes again, in milliseconds; also what takes the head through proxies. */
const opening = 'retry: 2000\n\n';
const parting = ': the stream ends here\n\n';

/** Milliseconds of heartbeats between two turns of the event loop. */
const sliceMs = 5;

export class EventStream {
  readonly #res: ServerResponse;
  readonly #answers: OutputBuffers;
  readonly #streams: EventStreams;
  #source: EventSource | undefined;
  #held: PendingBytes | undefined;
  #over = false;

  constructor(res: ServerResponse, answers: OutputBuffers, streams: EventStreams) {
    this.#res = res;
    this.#answers = answers;
    this.#streams = streams;
  }

  /** To be called when the head is out. */
  start(begin: (stream: EventStream) => EventSource): void {
    const res = this.#res;
    res.once('close', () => this.#stop());
    // Who closes its side is still owed an answer; this one would have no end.
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

  /** Writes; `false` when nothing more is to come until the source hears that it has drained. */
  write(text: Buffer): boolean {
    if (this.#over) return false;
    if (this.#res.write(text)) return true;
    this.#taken();
    this.#held = this.#answers.hold(this.#res, text.length);
    return false;
  }

  beat(): void {
    this.#source?.heartbeat();
  }

  /** Ends in good order. */
  end(): void {
    if (this.#over) return;
    this.#res.end(parting);
    // Somebody who takes nothing does not take the end either.
    this.#answers.cutOffWhenStalled(this.#res);
    this.#leave();
  }

  /** Ends without a word. */
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
    if (this.#held !== undefined) this.#answers.release(this.#held);
    this.#held = undefined;
  }
}

export class EventStreams {
  readonly #heartbeatMs: number;
  readonly #open = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #draining = false;

  constructor({ heartbeatMs }: { readonly heartbeatMs: number }) {
    this.#heartbeatMs = heartbeatMs;
  }

  add(stream: EventStream): void {
    if (this.#draining) {
      stream.end();
      return;
    }
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#beat([...this.#open]), this.#heartbeatMs).unref();
  }

  delete(stream: EventStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends all, and each that comes later. */
  drain(): void {
    this.#draining = true;
    for (const stream of this.#open) stream.end();
  }

  /** Others have their turns between: ten thousand writes take a while. */
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
