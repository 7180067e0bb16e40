/**
 * What an endpoint answers, and how it gets onto the wire.
 *
 * An answer that is one piece of bytes is one write, headers included. A list that is too large for that is written in pieces, with
 * a turn of the event loop between them, no faster than it is read. Either way a reader that takes nothing for a while, or too
 * little, is cut off: what waits for it is held in memory (`answers.ts`).
 */
import type { ServerResponse } from 'node:http';
import type { Answers } from './answers.ts';
import { Outgoing } from './outgoing.ts';
import { StreamWriter, take } from './stream-writer.ts';

export interface ReplyHead {
  readonly status: number;
  /** The entity tag, in its quotation marks. */
  readonly etag?: string;
  /** Headers of this answer alone (`Link`, `Allow` ...). `Cache-Control` replaces the usual one; the rest must not repeat what is set here. */
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
}

/** An answer without content: 204, 304. */
export type EmptyReply = ReplyHead & { readonly json?: never; readonly text?: never; readonly stream?: never };

export type Reply = JsonReply | TextReply | StreamReply | EmptyReply;

/** How one answer is to be sent. */
export interface Sending {
  readonly requestId: string;
  /** Send the headers that a GET would get, and nothing else. */
  readonly headOnly: boolean;
  /** This is the last answer on the connection. */
  readonly close: boolean;
  /** How long the connection is kept for another request otherwise, in milliseconds. */
  readonly keepAliveMs: number;
  /** Where what waits for its reader is counted, and cut off. */
  readonly answers: Answers;
  /** Header lines that go by who asks, each with its end of line; mostly ''. */
  readonly callerFields: string;
  /** A stream broke after its first piece: the answer cannot be mended, the connection is cut. Reported once. */
  onBroken(error: unknown): void;
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
  else if ('stream' in reply && reply.stream !== undefined) sendStream(res, reply, reply.stream, sending);
  else sendNothing(res, reply, sending);
}

/** Sends all bytes of an answer but does not end it: for a caller that has to see to the connection before it closes. */
export function sendUnended(res: ServerResponse, reply: TextReply, sending: Sending): void {
  writeHead(res, reply, headLines(reply, reply.contentType, Buffer.byteLength(reply.text), sending));
  if (sending.headOnly) res.flushHeaders();
  else res.write(reply.text);
}

function sendNothing(res: ServerResponse, head: ReplyHead, sending: Sending): void {
  const lines = headLines(head, undefined, undefined, sending);
  // Any other status would need a length of 0.
  if ((head.status === 204 || head.status === 304) && isSentWhole(res, head, lines, '', 'latin1', sending)) return;
  writeHead(res, head, lines);
  res.end();
}

function sendBytes(res: ServerResponse, head: ReplyHead, bytes: Buffer | string, type: string, sending: Sending): void {
  const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
  const lines = headLines(head, type, length, sending);
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
  if (res.writableLength > 0) sending.answers.holdWhole(res, length);
}

function isSentWhole(
  res: ServerResponse,
  { status }: ReplyHead,
  lines: string,
  body: Buffer | string,
  encoding: 'latin1' | 'utf8',
  sending: Sending,
): boolean {
  return !sending.close && res instanceof Outgoing && res.sendWhole(status, lines, sending.keepAliveMs, body, encoding);
}

function sendStream(res: ServerResponse, head: ReplyHead, stream: Iterable<Buffer | string>, sending: Sending): void {
  const parts = stream[Symbol.iterator]();
  const { piece, done } = take(parts);
  if (done) {
    sendBytes(res, head, piece, jsonType, sending);
    return;
  }
  writeHead(res, head, headLines(head, jsonType, undefined, sending));
  if (sending.headOnly) {
    parts.return?.();
    res.end();
    return;
  }
  new StreamWriter(res, parts, sending.answers, (error) => sending.onBroken(error)).start(piece);
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

/** The headers of an answer as they are sent, each with its end of line; those are left out that Node adds. */
function headLines(head: ReplyHead, type: string | undefined, length: number | undefined, sending: Sending): string {
  let lines = `X-Request-Id: ${sending.requestId}\r\nX-Content-Type-Options: nosniff\r\n${sending.callerFields}`;
  if (type !== undefined) lines += `Content-Type: ${type}\r\n`;
  if (length !== undefined) lines += `Content-Length: ${length}\r\n`;
  if (head.etag !== undefined) lines += `ETag: ${head.etag}\r\n`;
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
  return sending.close ? `${lines}Connection: close\r\n` : lines;
}
