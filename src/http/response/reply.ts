/**
 * Replies of endpoints, and how they are sent.
 *
 * A reply of one piece is one write, headers included. A larger list is written in pieces, with a turn of the event loop between them,
 * no faster than the client reads it. A client that reads nothing, or too little, for too long is disconnected, because its unread bytes
 * stay in memory (`output-buffers.ts`). Bodies that are not short are compressed for clients that accept it (`compression.ts`); long
 * ones in pieces. Files are read in pieces, too, and never compressed (`file-source.ts`). Bodies that are stored compressed are decompressed for
 * clients that do not accept it (`gunzip-source.ts`). One pump sends all that is made in pieces (`body-pump.ts`).
 */
import { plural } from '../../lib/text/plural.ts';
import type { Cors } from '../guard/cors.ts';
import { Problem } from '../problem.ts';
import { type ByteRange, rangeOf } from '../range.ts';
import { InProcessResponse } from '../transport/in-process-response.ts';
import type { HttpRequest, HttpResponse } from '../transport/transport.ts';
import { BodyPump, type BodySource, countedPieces, type Pumping, reservedMemory } from './body-pump.ts';
import {
  acceptsGzip,
  type Coding,
  type CompressibleContent,
  type Compression,
  codedBytesMin,
  codedTag,
  codingOf,
  codings,
  compressSync,
  compressSyncBytesMax,
} from './compression.ts';
import { type EventSource, EventStream, type EventStreams } from './event-stream.ts';
import { fileSource, type OpenFile, readAndClose } from './file-source.ts';
import { type GunzipSteps, gunzipBytes, gunzipSource, gzipPieceBytes, sourceOfBytes, sourceOfFile } from './gunzip-source.ts';
import { Outgoing } from './outgoing.ts';
import { type OutputBuffers, pieceBytes } from './output-buffers.ts';
import { codedSource, partsSource, take } from './parts-source.ts';

export interface ReplyHead {
  readonly status: number;
  /** The entity tag with its quotation marks, for the uncompressed content. One URL never has one tag for different bytes. */
  readonly etag?: string;
  /**
   * Headers of this response alone (`Link`, `Allow` ...). `Cache-Control` replaces the default, `Access-Control-Allow-Origin` all headers of
   * CORS; the others must not repeat the headers set here (including `Vary` and `Content-Encoding`).
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A finished JSON document; a string is sent as UTF-8. */
interface JsonReply extends ReplyHead {
  readonly kind: 'json';
  readonly json: Buffer | string;
}

/** Any other finished body: metrics, a page. */
export interface TextReply extends ReplyHead {
  readonly kind: 'text';
  readonly text: Buffer | string;
  readonly contentType: string;
}

/** A JSON document in parts, of any size each. The parts are pulled while the response is written; the iterator is always closed. */
interface StreamReply extends ReplyHead {
  readonly kind: 'stream';
  readonly stream: Iterable<Buffer | string>;
  /** Default: JSON. */
  readonly contentType?: string;
  /** Memory used by the parts not yet sent, for this response alone. It counts while the response waits for its client. */
  readonly held?: { readonly bytes: number } | undefined;
}

/** A stream of events (`text/event-stream`), which continues until one side ends it. */
interface EventReply extends ReplyHead {
  readonly kind: 'events';
  /** Starts the stream after the head is sent: not for a HEAD, and not after a disconnect. */
  readonly events: (stream: EventStream) => EventSource;
}

/** A finished body that is stored with gzip: sent so to clients that accept it, and decompressed to others. */
export interface GzipReply extends ReplyHead {
  readonly kind: 'gzip';
  /** The file is closed in every case. */
  readonly gzip: Uint8Array | OpenFile;
  /** Length of the decompressed body, in bytes. */
  readonly length: number;
  readonly contentType: string;
}

/**
 * Bytes of an open file, as they are, or of anything else that is read without blocking. A GET with status 200 may ask for a range of them; without an `etag`, not with `If-Range`. The file is
 * closed in every case.
 */
interface FileReply extends ReplyHead {
  readonly kind: 'file';
  readonly file: OpenFile;
  readonly contentType: string;
  /** It is read once, from its beginning to its end: there are no ranges of it. */
  readonly isSequential?: true;
}

/** A response without content: 204, 304. */
interface EmptyReply extends ReplyHead {
  readonly kind: 'empty';
}

export type Reply = JsonReply | TextReply | StreamReply | GzipReply | FileReply | EventReply | EmptyReply;

/** State that all responses of a listener share. */
export interface SendingContext {
  /** Counts the bytes that wait for clients, and disconnects slow clients. */
  readonly outputBuffers: OutputBuffers;
  /** Compresses responses for clients that accept it; `undefined` disables compression. */
  readonly compression: Compression | undefined;
  /** Limits how many bodies are decompressed at a time. */
  readonly gunzipSteps: GunzipSteps;
  /** CORS headers; `undefined` for none. */
  readonly cors: Cors | undefined;
  /** The open event streams. */
  readonly streams: EventStreams;
  readonly limits: {
    /** How long an idle connection is kept open, in milliseconds. */
    readonly keepAliveTimeoutMs: number;
  };
}

/** How to send one response. */
export interface Sending extends CompressibleContent {
  readonly context: SendingContext;
  readonly requestId: string;
  /** Send the headers that a GET would get, and nothing else. */
  readonly headOnly: boolean;
  /** This is the last response on the connection. */
  readonly close: boolean;
  /** Header lines that depend on the request, each with its end of line; usually ''. */
  readonly extraHeaders: string;
  /** A stream broke after its first piece, and the connection was closed. Called once. */
  onBroken(error: unknown): void;
  /** A response could not be compressed; nothing of it has been sent. Called once. */
  onUnsent(error: unknown): void;
}

const jsonType = 'application/json; charset=utf-8';

/**
 * The policy of a response that has none of its own: a document of JSON or text needs nothing, and has an origin of its own. Otherwise a
 * script in a page of the same origin could open it in a window, and send requests from there that its own policy forbids.
 */
export const documentPolicy = "sandbox; default-src 'none'";
const policyLine = `Content-Security-Policy: ${documentPolicy}\r\n`;

/** Longest body that is written at once: the kernel copies a megabyte in up to a millisecond, and no other request runs meanwhile. */
const wholeBytesMax = 1024 * 1024;

/** Valid header values: any other character could end the line, or be read differently by another program. */
const sendable = /^[\x20-\x7e]*$/;

/**
 * Sends a response. Returns as soon as the first bytes are written; a stream continues in the background. Throws, with nothing sent,
 * if the first piece of a stream cannot be made. Does nothing after a disconnect, except that it closes the stream.
 */
export function send(res: HttpResponse, reply: Reply, sending: Sending): void {
  if (res.destroyed) {
    discardReply(reply);
    return;
  }
  if (reply.kind === 'json') sendBytes(res, reply, reply.json, jsonType, sending);
  else if (reply.kind === 'text') sendBytes(res, reply, reply.text, reply.contentType, sending);
  else if (reply.kind === 'stream') sendStream(res, reply, sending);
  else if (reply.kind === 'gzip') sendGzip(res, reply, sending);
  else if (reply.kind === 'file') sendFile(res, reply, sending);
  else if (reply.kind === 'events') sendEvents(res, reply, reply.events, sending);
  else sendNothing(res, reply, sending);
}

/** Frees what a reply holds that is not sent. */
export function discardReply(reply: Reply): void {
  if (reply.kind === 'stream') reply.stream[Symbol.iterator]().return?.();
  else if (reply.kind === 'file') reply.file.close();
  else if (reply.kind === 'gzip' && !(reply.gzip instanceof Uint8Array)) reply.gzip.close();
}

/** Sends all bytes of a response without ending it: the caller closes the connection. */
export function sendUnended(res: HttpResponse, reply: TextReply, sending: Sending): void {
  writeHead(res, reply, headLines(res.req, reply, reply.contentType, Buffer.byteLength(reply.text), sending));
  if (sending.headOnly) res.flushHeaders();
  else res.write(reply.text);
}

function sendNothing(res: HttpResponse, reply: ReplyHead, sending: Sending): void {
  const confirms = reply.status === 304 && sending.context.compression !== undefined;
  const head = confirms && reply.etag !== undefined ? { ...reply, etag: heldTag(reply.etag, res.req) } : reply;
  const lines = headLines(res.req, head, undefined, undefined, sending, confirms ? 'identity' : undefined);
  // Any other status would need a length of 0.
  if ((head.status === 204 || head.status === 304) && isSentWhole(res, head, lines, '', 'latin1', sending)) return;
  writeHead(res, head, lines);
  res.end();
}

/** The entity tag in a 304: that of the form the client has. If it has several, that of the form it would get now. */
function heldTag(etag: string, { headers }: HttpRequest): string {
  const held = headers['if-none-match'] ?? '';
  const forms: readonly Coding[] = [codingOf(headers['accept-encoding']), 'identity', ...codings];
  return forms.map((coding) => codedTag(etag, coding)).find((tag) => held.includes(tag)) ?? etag;
}

function sendBytes(res: HttpResponse, head: ReplyHead, bytes: Buffer | string, type: string, sending: Sending): void {
  // The number of characters is a lower bound of the number of bytes.
  if (bytes.length < codedBytesMin || sending.context.compression === undefined) sendWhole(res, head, bytes, type, sending);
  else sendCoded(res, head, bytes, type, sending, sending.context.compression);
}

/** Sends a body that is not short, in the coding that the client prefers. */
function sendCoded(
  res: HttpResponse,
  head: ReplyHead,
  bytes: Buffer | string,
  type: string,
  sending: Sending,
  compression: Compression,
): void {
  const coding = codingOf(res.req.headers['accept-encoding']);
  if (sending.headOnly && coding !== 'identity') {
    // The compressed length is unknown, and compressing only to find it is not worth the time.
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
    const lines = headLines(res.req, head, type, undefined, sending, coding);
    const begin = (): void => writeHead(res, head, lines);
    sending.context.outputBuffers.holdUntilClosed(res, length);
    pump(res, codedSource(bytesSource(buffer), compression.begin(sending, head.etag, coding)), begin, sending);
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

/** @param coding of these bytes, if the client could have received another one */
function sendWhole(
  res: HttpResponse,
  head: ReplyHead,
  bytes: Buffer | string,
  type: string,
  sending: Sending,
  coding?: Coding,
): void {
  const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length;
  const lines = headLines(res.req, head, type, length, sending, coding);
  // Latin-1 is the fastest encoding: it needs no check of each character.
  const encoding = length === bytes.length ? 'latin1' : 'utf8';
  if (sending.headOnly) {
    writeHead(res, head, lines);
    res.end();
    return;
  }
  if (length > wholeBytesMax && !(res instanceof InProcessResponse)) {
    const whole = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    const account = countedPieces(sending.context.outputBuffers, res, { bytes: length });
    pump(res, bytesSource(whole), () => writeHead(res, head, lines), sending, account);
    return;
  }
  if (!isSentWhole(res, head, lines, bytes, encoding, sending)) {
    writeHead(res, head, lines);
    // Node appends a string to the headers and sends both as one piece. `end` with a string would append an empty piece too,
    // and joining the two costs as much as most of a handler.
    res.cork();
    res.write(bytes, encoding);
    res.uncork();
    res.end();
  }
  // Usually the kernel has accepted everything by now.
  if (res.writableLength > 0) sending.context.outputBuffers.holdWhole(res, length);
}

function isSentWhole(
  res: HttpResponse,
  { status }: ReplyHead,
  lines: string,
  body: Buffer | string,
  encoding: 'latin1' | 'utf8',
  sending: Sending,
): boolean {
  if (res instanceof InProcessResponse) return res.sendWhole(status, lines, body);
  return (
    !sending.close &&
    res instanceof Outgoing &&
    res.sendWhole(status, lines, sending.context.limits.keepAliveTimeoutMs, body, encoding)
  );
}

function sendStream(res: HttpResponse, head: StreamReply, sending: Sending): void {
  const type = head.contentType ?? jsonType;
  const parts = head.stream[Symbol.iterator]();
  const { compression } = sending.context;
  const accepted = compression && codingOf(res.req.headers['accept-encoding']);
  const kept = accepted && compression?.find(sending, head.etag, accepted);
  if (kept !== undefined) {
    parts.return?.();
    sendWhole(res, head, kept, type, sending, accepted);
    return;
  }
  const { piece, done } = take(parts);
  if (done) {
    sendBytes(res, head, piece, type, sending);
    return;
  }
  const coding = compression?.full === true ? 'identity' : accepted;
  const lines = headLines(res.req, head, type, undefined, sending, coding);
  const begin = (): void => writeHead(res, head, lines);
  if (sending.headOnly) {
    begin();
    parts.return?.();
    res.end();
    return;
  }
  const source = partsSource(piece, parts);
  const encoder = coding === undefined || coding === 'identity' ? undefined : compression?.begin(sending, head.etag, coding);
  const account = countedPieces(sending.context.outputBuffers, res, head.held);
  pump(res, encoder === undefined ? source : codedSource(source, encoder), begin, sending, account);
}

/** @param account of the memory; by default the pieces that wait count */
function pump(
  res: HttpResponse,
  source: BodySource,
  begin: () => void,
  sending: Sending,
  account = countedPieces(sending.context.outputBuffers, res),
): void {
  const pumping: Pumping = {
    begin,
    onUnsent: (error) => sending.onUnsent(error),
    onBroken: (error) => sending.onBroken(error),
  };
  new BodyPump(res, source, account, pumping).start(sending.context.outputBuffers);
}

/** Bytes in memory that are too many for one write. */
function bytesSource(bytes: Buffer): BodySource {
  const pieces = piecesOf(bytes);
  return partsSource(take(pieces).piece, pieces);
}

function sendGzip(res: HttpResponse, head: GzipReply, sending: Sending): void {
  if (!(head.gzip instanceof Uint8Array)) {
    sendGzipFile(res, head, head.gzip, sending);
    return;
  }
  const bytes = Buffer.from(head.gzip.buffer, head.gzip.byteOffset, head.gzip.byteLength);
  const { contentType } = head;
  const coding = acceptsGzip(res.req.headers['accept-encoding']) ? 'gzip' : 'identity';
  if (coding === 'gzip' && bytes.length <= pieceBytes) {
    sendWhole(res, head, bytes, contentType, sending, coding);
    return;
  }
  const { outputBuffers, gunzipSteps } = sending.context;
  const length = coding === 'gzip' ? bytes.length : head.length;
  const lines = headLines(res.req, head, contentType, length, sending, coding);
  if (sending.headOnly) {
    writeHead(res, head, lines);
    res.end();
  } else if (coding === 'gzip') {
    pump(res, bytesSource(bytes), () => writeHead(res, head, lines), sending);
  } else {
    const memory = outputBuffers.reserve(res, gunzipBytes);
    if (memory === undefined) throw gunzipFull(head);
    const source = gunzipSource(sourceOfBytes(bytes), gunzipSteps);
    pump(res, source, () => writeHead(res, head, lines), sending, reservedMemory(outputBuffers, memory));
  }
}

/** As {@link sendGzip}, a piece of the file at a time. */
function sendGzipFile(res: HttpResponse, head: GzipReply, file: OpenFile, sending: Sending): void {
  const coding = acceptsGzip(res.req.headers['accept-encoding']) ? 'gzip' : 'identity';
  const { outputBuffers, gunzipSteps } = sending.context;
  const lines = headLines(res.req, head, head.contentType, coding === 'gzip' ? file.bytes : head.length, sending, coding);
  const begin = (): void => writeHead(res, head, lines);
  if (sending.headOnly) {
    file.close();
    begin();
    res.end();
  } else if (coding === 'gzip') pump(res, fileSource(file, { start: 0, end: file.bytes }), begin, sending);
  else {
    const memory = outputBuffers.reserve(res, gunzipBytes + gzipPieceBytes);
    if (memory === undefined) {
      file.close();
      throw gunzipFull(head);
    }
    const source = gunzipSource(sourceOfFile(file), gunzipSteps);
    pump(res, source, begin, sending, reservedMemory(outputBuffers, memory));
  }
}

/** Sends a file or a range of it. Nothing is sent before the first bytes are read: if that fails, the response is an error. */
function sendFile(res: HttpResponse, reply: FileReply, sending: Sending): void {
  const { file, contentType } = reply;
  let begun: { range: ByteRange; head: ReplyHead; lines: string };
  try {
    const whole = { start: 0, end: file.bytes };
    // For other methods than GET, ranges have no meaning.
    const hasRanges = res.req.method === 'GET' && reply.status === 200 && reply.isSequential !== true;
    const asked = hasRanges ? rangeOf(res.req.headers, file.bytes, reply.etag) : undefined;
    if (asked === 'unsatisfiable') throw rangeNotSatisfiable(reply);
    const range = asked ?? whole;
    const head = asked === undefined ? (reply.isSequential ? reply : withHeaders(reply, accepted)) : partOf(reply, asked);
    begun = { range, head, lines: headLines(res.req, head, contentType, range.end - range.start, sending) };
    if (sending.headOnly) {
      writeHead(res, head, begun.lines);
      res.end();
    }
  } catch (error) {
    file.close();
    throw error;
  }
  const { range, head, lines } = begun;
  if (sending.headOnly) file.close();
  else if (range.end - range.start <= pieceBytes) {
    sending.context.outputBuffers.cutOffWhenStalled(res);
    void sendShort(res, readAndClose(file, range), (bytes) => sendWhole(res, head, bytes, contentType, sending), sending);
  } else {
    pump(res, fileSource(file, range), () => writeHead(res, head, lines), sending);
  }
}

/** Never rejects. */
async function sendShort(
  res: HttpResponse,
  reading: Promise<Buffer>,
  sendRead: (bytes: Buffer) => void,
  sending: Sending,
): Promise<void> {
  try {
    const bytes = await reading;
    if (!res.destroyed) sendRead(bytes);
  } catch (error) {
    sending.onUnsent(error);
  }
}

const accepted = { 'Accept-Ranges': 'bytes' };

const withHeaders = ({ status, etag, headers }: ReplyHead, more: Readonly<Record<string, string>>): ReplyHead => ({
  status,
  ...(etag === undefined ? {} : { etag }),
  headers: { ...headers, ...more },
});

const partOf = (reply: FileReply, { start, end }: ByteRange): ReplyHead =>
  withHeaders({ ...reply, status: 206 }, { ...accepted, 'Content-Range': `bytes ${start}-${end - 1}/${reply.file.bytes}` });

function rangeNotSatisfiable({ headers = {}, file }: FileReply): Problem {
  const { 'Cache-Control': _, ...open } = headers;
  return new Problem('range_not_satisfiable', `The range begins after the end: the file has ${plural(file.bytes, 'byte')}.`, {
    headers: { ...open, 'Content-Range': `bytes */${file.bytes}` },
  });
}

/** Seconds until the retry of a response that found no memory: clients that read leave soon, others after a timeout. */
const gunzipRetryAfterS = 5;

function gunzipFull({ headers = {} }: ReplyHead): Problem {
  // The headers that let any page read it, without how long caches may keep the body.
  const { 'Cache-Control': _, ...open } = headers;
  return new Problem(
    'unavailable',
    'The memory for responses to clients that do not accept gzip is in use. Send "Accept-Encoding: gzip", or try again later.',
    { retryAfterS: gunzipRetryAfterS, reason: 'responses_full', headers: open },
  );
}

function sendEvents(res: HttpResponse, head: ReplyHead, events: EventReply['events'], sending: Sending): void {
  // A buffering proxy would delay each event until later ones arrive.
  const headers = { ...head.headers, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
  writeHead(res, head, headLines(res.req, { ...head, headers }, 'text/event-stream', undefined, sending));
  if (sending.headOnly) res.end();
  else new EventStream(res, sending.context.outputBuffers, sending.context.streams).start(events);
}

function writeHead(res: HttpResponse, { status }: ReplyHead, lines: string): void {
  // With a flat list of names and values, Node needs no object.
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
 * The response headers, each with its end of line, except those that Node adds.
 *
 * @param coding of the body, if another client could receive another one
 */
function headLines(
  req: HttpRequest,
  head: ReplyHead,
  type: string | undefined,
  length: number | undefined,
  sending: Sending,
  coding?: Coding,
): string {
  // A public response is open to all origins, whatever the option for the API says.
  const cors = head.headers?.['Access-Control-Allow-Origin'] === undefined ? sending.context.cors : undefined;
  let lines = `X-Request-Id: ${sending.requestId}\r\nX-Content-Type-Options: nosniff\r\n${sending.extraHeaders}`;
  if (type !== undefined) lines += `Content-Type: ${type}\r\n`;
  if (length !== undefined) lines += `Content-Length: ${length}\r\n`;
  if (head.etag !== undefined) lines += `ETag: ${coding === undefined ? head.etag : codedTag(head.etag, coding)}\r\n`;
  if (coding !== undefined) {
    if (coding !== 'identity') lines += `Content-Encoding: ${coding}\r\n`;
    lines += cors?.varies === true ? 'Vary: Origin, Accept-Encoding\r\n' : 'Vary: Accept-Encoding\r\n';
  } else if (cors?.varies === true) lines += 'Vary: Origin\r\n';
  const own = head.headers;
  let [cacheControl, anyOrigin, policy] = [false, false, false];
  if (own !== undefined) {
    for (const name in own) {
      const value = own[name] as string;
      if (!sendable.test(value))
        throw new TypeError(`the response header ${name} must be printable ASCII, but it is ${JSON.stringify(value)}`);
      lines += `${name}: ${value}\r\n`;
      if (name === 'Cache-Control') cacheControl = true;
      else if (name === 'Access-Control-Allow-Origin') anyOrigin = true;
      else if (name === 'Content-Security-Policy') policy = true;
    }
  }
  // A 304 replaces headers of the copy that the client has, which may have a policy of its own.
  if (!policy && head.status !== 304) lines += policyLine;
  // Shared caches must not store private data, and a private cache must revalidate it by its ETag.
  if (!cacheControl) lines += head.status < 400 ? 'Cache-Control: private, no-cache\r\n' : 'Cache-Control: no-store\r\n';
  if (cors !== undefined && !anyOrigin) lines += cors.linesFor(req);
  return sending.close ? `${lines}Connection: close\r\n` : lines;
}
