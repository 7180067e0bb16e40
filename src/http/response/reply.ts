/**
 * What an endpoint answers, and how it gets onto the wire.
 *
 * An answer that is one piece of bytes is one write, headers included. A list that is too large for that is written in pieces, with
 * a turn of the event loop between them, no faster than it is read. Either way a reader that takes nothing for a while, or too
 * little, is cut off: what waits for it is held in memory (`answers.ts`). What is not short is coded for clients that ask for it
 * (`compression.ts`), in pieces where it takes a while.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cors } from '../guard/cors.ts';
import {
  type Coding,
  type Compression,
  type Content,
  codedBytesMin,
  codedTag,
  codingOf,
  codings,
  compressSync,
  compressSyncBytesMax,
  type Encoder,
} from './compression.ts';
import { type EventSource, EventStream, type EventStreams } from './event-stream.ts';
import { Outgoing } from './outgoing.ts';
import { type OutputBuffers, pieceBytes } from './output-buffers.ts';
import { StreamWriter, take } from './stream-writer.ts';

export interface ReplyHead {
  readonly status: number;
  /** The entity tag, in its quotation marks; of the content as it is, whatever it is coded to. At one address never given to other bytes. */
  readonly etag?: string;
  /**
   * Headers of this answer alone (`Link`, `Allow` ...). `Cache-Control` replaces the usual one; the rest must not repeat what is set
   * here (`Vary` and `Content-Encoding` among them).
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON document, ready to be sent; a string is sent as UTF-8. */
export interface JsonReply extends ReplyHead {
  readonly json: Buffer | string;
}

/** Anything else that is at hand: metrics, a page. */
export interface TextReply extends ReplyHead {
  readonly text: Buffer | string;
  readonly contentType: string;
}

/** A JSON document in parts, of any size each. The parts are asked for while the answer is written; the iterator is always closed. */
export interface StreamReply extends ReplyHead {
  readonly stream: Iterable<Buffer | string>;
  /** Memory that the parts still to come take for this answer alone: it counts while the answer waits for its reader. */
  readonly held?: { readonly bytes: number } | undefined;
}

/** A stream of events (`text/event-stream`), which goes on until somebody ends it. */
export interface EventReply extends ReplyHead {
  /** Begins it, once its head is out: not for a HEAD, and not when the client is gone. */
  readonly events: (stream: EventStream) => EventSource;
}

/** An answer without content: 204, 304. */
export type EmptyReply = ReplyHead & { readonly json?: never; readonly text?: never; readonly stream?: never };

export type Reply = JsonReply | TextReply | StreamReply | EventReply | EmptyReply;

/** What all answers of a listener share. */
export interface SendingContext {
  /** Where what waits for its reader is counted, and cut off. */
  readonly answers: OutputBuffers;
  /** Makes answers shorter for clients that ask for it; `undefined` where that is left to others. */
  readonly compression: Compression | undefined;
  /** What browsers are told; `undefined` for nothing. */
  readonly cors: Cors | undefined;
  /** The streams of events that are open. */
  readonly streams: EventStreams;
  readonly limits: {
    /** How long a connection is kept for another request, in milliseconds. */
    readonly keepAliveTimeoutMs: number;
  };
}

/** How one answer is to be sent. */
export interface Sending extends Content {
  readonly context: SendingContext;
  readonly requestId: string;
  /** Send the headers that a GET would get, and nothing else. */
  readonly headOnly: boolean;
  /** This is the last answer on the connection. */
  readonly close: boolean;
  /** Header lines that go by who asks, each with its end of line; mostly ''. */
  readonly extraHeaders: string;
  /** A stream broke after its first piece: the answer cannot be mended, the connection is cut. Reported once. */
  onBroken(error: unknown): void;
  /** An answer that took a while to be coded cannot be sent; nothing of it is out. Reported once. */
  onUnsent(error: unknown): void;
}

const jsonType = 'application/json; charset=utf-8';

/** What the value of a header may be: anything else could end its line, or mean something else to another program. */
const sendable = /^[\x20-\x7e]*$/;

/**
 * Sends an answer. Returns as soon as it is under way; a stream goes on by itself. Throws, with nothing sent, when the first piece of
 * a stream cannot be made.
 *
 * `res` may be one whose client has gone: then nothing happens, except that a stream is closed.
 */
export function send(res: ServerResponse, reply: Reply, sending: Sending): void {
  if (res.destroyed) {
    if ('stream' in reply) reply.stream?.[Symbol.iterator]().return?.();
  } else if ('json' in reply && reply.json !== undefined) sendBytes(res, reply, reply.json, jsonType, sending);
  else if ('text' in reply && reply.text !== undefined) sendBytes(res, reply, reply.text, reply.contentType, sending);
  else if ('stream' in reply && reply.stream !== undefined) sendStream(res, reply, sending);
  else if ('events' in reply) sendEvents(res, reply, reply.events, sending);
  else sendNothing(res, reply, sending);
}

/** Sends all bytes of an answer but does not end it: for a caller that has to see to the connection before it closes. */
export function sendUnended(res: ServerResponse, reply: TextReply, sending: Sending): void {
  writeHead(res, reply, headLines(res.req, reply, reply.contentType, Buffer.byteLength(reply.text), sending));
  if (sending.headOnly) res.flushHeaders();
  else res.write(reply.text);
}

function sendNothing(res: ServerResponse, reply: ReplyHead, sending: Sending): void {
  const confirms = reply.status === 304 && sending.context.compression !== undefined;
  const head = confirms && reply.etag !== undefined ? { ...reply, etag: heldTag(reply.etag, res.req) } : reply;
  const lines = headLines(res.req, head, undefined, undefined, sending, confirms ? 'identity' : undefined);
  // Any other status would need a length of 0.
  if ((head.status === 204 || head.status === 304) && isSentWhole(res, head, lines, '', 'latin1', sending)) return;
  writeHead(res, head, lines);
  res.end();
}

/** The tag that a 304 confirms: that of the form which its client has, and of several the one that it would get now. */
function heldTag(etag: string, { headers }: IncomingMessage): string {
  const held = headers['if-none-match'] ?? '';
  const forms: readonly Coding[] = [codingOf(headers['accept-encoding']), 'identity', ...codings];
  return forms.map((coding) => codedTag(etag, coding)).find((tag) => held.includes(tag)) ?? etag;
}

function sendBytes(res: ServerResponse, head: ReplyHead, bytes: Buffer | string, type: string, sending: Sending): void {
  // Counted in characters, a text looks no longer than it is.
  if (bytes.length < codedBytesMin || sending.context.compression === undefined) sendWhole(res, head, bytes, type, sending);
  else sendCoded(res, head, bytes, type, sending, sending.context.compression);
}

/** Sends bytes that are not short, in the coding that their client wants. */
function sendCoded(
  res: ServerResponse,
  head: ReplyHead,
  bytes: Buffer | string,
  type: string,
  sending: Sending,
  compression: Compression,
): void {
  const coding = codingOf(res.req.headers['accept-encoding']);
  if (sending.headOnly && coding !== 'identity') {
    // How long it would be is not worth finding out.
    writeHead(res, head, headLines(res.req, head, type, undefined, sending, coding));
    res.end();
    return;
  }
  const length = Buffer.byteLength(bytes);
  if (coding !== 'identity' && length <= compressSyncBytesMax) {
    sendWhole(res, head, compressSync(bytes, coding), type, sending, coding);
    return;
  }
  const kept = compression.find(sending, head.etag, coding);
  if (kept !== undefined) {
    sendWhole(res, head, kept, type, sending, coding);
    return;
  }
  if (coding === 'identity' || compression.full) {
    sendWhole(res, head, bytes, type, sending, 'identity');
    return;
  }
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  if (length > pieceBytes) {
    writeHead(res, head, headLines(res.req, head, type, undefined, sending, coding));
    sending.context.answers.holdUntilClosed(res, length);
    const pieces = piecesOf(buffer);
    writerOf(res, pieces, sending, compression.begin(sending, head.etag, coding)).start(take(pieces).piece);
    return;
  }
  compression.begin(sending, head.etag, coding).end(buffer, (error, coded) => {
    if (res.destroyed) return;
    try {
      if (error !== undefined) throw error;
      sendWhole(res, head, coded, type, sending, coding);
    } catch (unsent) {
      sending.onUnsent(unsent);
    }
  });
}

function* piecesOf(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** @param coding in which these bytes are, where the client could also have got them otherwise */
function sendWhole(
  res: ServerResponse,
  head: ReplyHead,
  bytes: Buffer | string,
  type: string,
  sending: Sending,
  coding?: Coding,
): void {
  const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
  const lines = headLines(res.req, head, type, length, sending, coding);
  // Latin-1 is the encoding that needs no look at each character.
  const encoding = length === bytes.length ? 'latin1' : 'utf8';
  if (sending.headOnly) {
    writeHead(res, head, lines);
    res.end();
    return;
  }
  if (!isSentWhole(res, head, lines, bytes, encoding, sending)) {
    writeHead(res, head, lines);
    // Node puts a string behind the headers and sends both as one piece. Given to `end`, the string would have an empty piece behind it,
    // and to gather the two costs as much as most of a handler.
    res.cork();
    res.write(bytes, encoding);
    res.uncork();
    res.end();
  }
  // Usually the kernel has taken everything by now.
  if (res.writableLength > 0) sending.context.answers.holdWhole(res, length);
}

function isSentWhole(
  res: ServerResponse,
  { status }: ReplyHead,
  lines: string,
  body: Buffer | string,
  encoding: 'latin1' | 'utf8',
  sending: Sending,
): boolean {
  return (
    !sending.close &&
    res instanceof Outgoing &&
    res.sendWhole(status, lines, sending.context.limits.keepAliveTimeoutMs, body, encoding)
  );
}

function sendStream(res: ServerResponse, head: StreamReply, sending: Sending): void {
  const parts = head.stream[Symbol.iterator]();
  const { compression } = sending.context;
  const wanted = compression && codingOf(res.req.headers['accept-encoding']);
  const kept = wanted && compression?.find(sending, head.etag, wanted);
  if (kept !== undefined) {
    parts.return?.();
    sendWhole(res, head, kept, jsonType, sending, wanted);
    return;
  }
  const { piece, done } = take(parts);
  if (done) {
    sendBytes(res, head, piece, jsonType, sending);
    return;
  }
  const coding = compression?.full === true ? 'identity' : wanted;
  writeHead(res, head, headLines(res.req, head, jsonType, undefined, sending, coding));
  if (sending.headOnly) {
    parts.return?.();
    res.end();
    return;
  }
  const coder = coding === undefined || coding === 'identity' ? undefined : compression?.begin(sending, head.etag, coding);
  writerOf(res, parts, sending, coder, head.held).start(piece);
}

function writerOf(
  res: ServerResponse,
  parts: Iterator<Buffer | string>,
  sending: Sending,
  coder: Encoder | undefined,
  behind?: StreamReply['held'],
): StreamWriter {
  return new StreamWriter(res, parts, sending.context.answers, coder, (error) => sending.onBroken(error), behind);
}

function sendEvents(res: ServerResponse, head: ReplyHead, events: EventReply['events'], sending: Sending): void {
  // Proxies that gather answers would keep an event until the next ones have come.
  const headers = { ...head.headers, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
  writeHead(res, head, headLines(res.req, { ...head, headers }, 'text/event-stream', undefined, sending));
  if (sending.headOnly) res.end();
  else new EventStream(res, sending.context.answers, sending.context.streams).start(events);
}

function writeHead(res: ServerResponse, { status }: ReplyHead, lines: string): void {
  // Names and values in turn are the form that Node needs no object for.
  const list = lines
    .slice(0, -2)
    .split('\r\n')
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 2)];
    });
  res.writeHead(status, list);
}

/**
 * The headers of an answer as they are sent, each with its end of line; those are left out that Node adds.
 *
 * @param coding of an answer that another client could get in another one
 */
function headLines(
  req: IncomingMessage,
  head: ReplyHead,
  type: string | undefined,
  length: number | undefined,
  sending: Sending,
  coding?: Coding,
): string {
  const { cors } = sending.context;
  let lines = `X-Request-Id: ${sending.requestId}\r\nX-Content-Type-Options: nosniff\r\n${sending.extraHeaders}`;
  if (type !== undefined) lines += `Content-Type: ${type}\r\n`;
  if (length !== undefined) lines += `Content-Length: ${length}\r\n`;
  if (head.etag !== undefined) lines += `ETag: ${coding === undefined ? head.etag : codedTag(head.etag, coding)}\r\n`;
  if (coding !== undefined) {
    if (coding !== 'identity') lines += `Content-Encoding: ${coding}\r\n`;
    lines += cors?.varies === true ? 'Vary: Origin, Accept-Encoding\r\n' : 'Vary: Accept-Encoding\r\n';
  } else if (cors?.varies === true) lines += 'Vary: Origin\r\n';
  const own = head.headers;
  let cacheControl = false;
  if (own !== undefined) {
    for (const name in own) {
      const value = own[name] as string;
      if (!sendable.test(value))
        throw new TypeError(`the header ${name} of an answer must be printable ASCII, not ${JSON.stringify(value)}`);
      lines += `${name}: ${value}\r\n`;
      if (name === 'Cache-Control') cacheControl = true;
    }
  }
  // What an account sees is for nobody else's cache, and may only be used again once its ETag has been confirmed.
  if (!cacheControl) lines += head.status < 400 ? 'Cache-Control: private, no-cache\r\n' : 'Cache-Control: no-store\r\n';
  if (cors !== undefined) lines += cors.linesFor(req);
  return sending.close ? `${lines}Connection: close\r\n` : lines;
}
