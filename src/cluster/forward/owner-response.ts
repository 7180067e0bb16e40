/**
 * A response of the owner on its way to the client. A short one is passed on when it is complete, in one write. A long one or a stream is
 * passed on piece by piece, no faster than the client reads it.
 */
import type { FallbackExchange } from '../../http/fallback.ts';
import { discard } from '../../http/request/receive.ts';
import { Outgoing } from '../../http/response/outgoing.ts';
import type { PendingBytes } from '../../http/response/output-buffers.ts';
import { peerHeader } from '../peers/peer-signature.ts';

/** A body of at most this length is passed on when it is complete. */
const wholeBytesMax = 64 * 1024;

/** Bodies of at most this length are joined with their head as text, which is one write of one piece. */
const joinedBytesMax = 16 * 1024;

/** Headers that are treated in a special way, by name in lower case. */
const special: ReadonlyMap<string, 'dropped' | 'date' | 'length' | 'type' | 'peer'> = new Map([
  // Valid for one connection only.
  ...['connection', 'keep-alive', 'transfer-encoding', 'proxy-connection', 'upgrade'].map((name) => [name, 'dropped'] as const),
  ['date', 'date'],
  ['content-length', 'length'],
  ['content-type', 'type'],
  [peerHeader, 'peer'],
]);

/** Status and headers of a response. */
export class OwnerHead {
  readonly status: number;
  /** Headers for the client without `Date`, each with its end of line. */
  lines = '';
  contentLength: number | undefined = undefined;
  contentType = '';
  /** The header with which a process refuses a request before it reads it. */
  peer: string | undefined = undefined;
  #date = '';

  /** @param raw names and values alternating */
  constructor(status: number, raw: readonly (Buffer | string)[]) {
    this.status = status;
    for (let i = 0; i < raw.length; i += 2) this.#add(textOf(raw[i]), textOf(raw[i + 1]));
  }

  #add(name: string, value: string): void {
    switch (special.get(name.toLowerCase())) {
      case 'dropped':
        return;
      case 'date':
        this.#date = value;
        return;
      case 'peer':
        this.peer = value;
        return;
      case 'length':
        this.contentLength = Number(value);
        break;
      case 'type':
        this.contentType = value;
        break;
      default:
    }
    this.lines += `${name}: ${value}\r\n`;
  }

  /** Headers for the client, names and values alternating. */
  get headers(): string[] {
    const lines = this.#date === '' ? this.lines : `${this.lines}Date: ${this.#date}\r\n`;
    return lines
      .slice(0, -2)
      .split('\r\n')
      .flatMap((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 2)];
      });
  }

  /** Sets the length of a body that came in chunks and is complete. */
  setLength(bytes: number): void {
    if (this.contentLength === undefined) this.#add('Content-Length', `${bytes}`);
  }

  /** Whether the response is a stream of events, which does not end. */
  get isEvents(): boolean {
    return this.status === 200 && this.contentType.startsWith('text/event-stream');
  }

  /** Whether the response is short enough to be held until it is complete. */
  isShort(headOnly: boolean): boolean {
    if (this.status === 204 || this.status === 304) return true;
    // It may say that nothing was done.
    if (this.status === 503 && this.contentType.startsWith('application/problem+json')) return true;
    return this.contentLength !== undefined && (headOnly || this.contentLength <= wholeBytesMax);
  }
}

const textOf = (value: Buffer | string | undefined): string =>
  typeof value === 'string' ? value : (value?.toString('latin1') ?? '');

/** Sends a complete response. */
export function sendWhole(exchange: FallbackExchange, head: OwnerHead, body: Buffer): void {
  const { res, context } = exchange;
  if (body.length > 0) head.setLength(body.length);
  exchange.beginReply();
  const { keepAliveTimeoutMs } = context.limits;
  const isSent =
    !exchange.close &&
    res instanceof Outgoing &&
    res.sendWhole(
      head.status,
      head.lines,
      keepAliveTimeoutMs,
      body.length <= joinedBytesMax ? body.toString('latin1') : body,
      'latin1',
    );
  if (!isSent) {
    writeHead(exchange, head);
    if (body.length > 0) res.write(body);
    endResponse(exchange);
  }
  if (res.writableLength > 0) context.outputBuffers.holdWhole(res, body.length);
}

/** Passes a response on piece by piece. */
export class ResponseRelay {
  readonly #exchange: FallbackExchange;
  readonly #resume: () => void;
  #pending: PendingBytes | undefined;

  /**
   * Sends the head. Throws a problem if too many streams are open.
   *
   * @param resume lets the owner's connection be read again
   */
  constructor(exchange: FallbackExchange, head: OwnerHead, resume: () => void) {
    this.#exchange = exchange;
    this.#resume = resume;
    const { res, headOnly } = exchange;
    const isStream = head.isEvents && !headOnly;
    if (isStream) exchange.becomeStream(head.status);
    exchange.beginReply();
    writeHead(exchange, head);
    if (isStream) {
      // A client that half-closes its connection would normally still get its response; this one would have no end.
      res.socket?.once('end', () => res.destroy());
      res.flushHeaders();
    }
    res.on('drain', () => {
      this.#taken();
      this.#resume();
    });
    res.once('close', () => this.#taken());
  }

  /** Passes on a piece; `false`: the owner's connection must not be read until `resume`. */
  write(piece: Buffer): boolean {
    const { res, context } = this.#exchange;
    if (res.destroyed || res.write(piece)) return true;
    this.#taken();
    this.#pending = context.outputBuffers.hold(res, piece.length);
    return false;
  }

  end(): void {
    const { res, context } = this.#exchange;
    endResponse(this.#exchange);
    if (res.writableLength > 0) context.outputBuffers.holdWhole(res, 0);
  }

  #taken(): void {
    if (this.#pending !== undefined) this.#exchange.context.outputBuffers.release(this.#pending);
    this.#pending = undefined;
  }
}

function writeHead({ res, close }: FallbackExchange, { status, headers }: OwnerHead): void {
  res.writeHead(status, close ? [...headers, 'Connection', 'close'] : headers);
}

function endResponse({ req, res, leavesBodyOpen, context }: FallbackExchange): void {
  // Closing a connection with unread bytes resets it, and the reset may overtake the response.
  if (leavesBodyOpen) discard(req, context.limits.lingerMs, () => res.end());
  else res.end();
}
