/**
 * An answer as our own servers write it: one that is whole goes to the socket as one text, headers and all.
 *
 * What Node does for every answer (looking through its headers for those that it might have to add, corking, three turns of its queue)
 * takes longer than the rest of a read. It is left out where nothing of it is needed: for an answer of known length on a connection that
 * stays, which is nearly every one. All others are written by Node as ever, and so is everything on a foreign server, whose responses
 * may have been extended by somebody else.
 */
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';

/** What a header of ours may have in its value without a closer look. */
const plain = /^[\x20-\x7e]*$/;

export class Outgoing<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /**
   * Sends a whole answer in one write. `false`, and nothing sent, when it has to go the long way.
   *
   * @param headers names and values in turn, `Date` and `Connection` left out
   * @param keepAliveMs how long the connection will be kept for another request, in milliseconds
   * @param encoding of the body; `latin1` where it has as many bytes as characters
   */
  sendWhole(
    status: number,
    headers: readonly (string | number)[],
    keepAliveMs: number,
    body: string,
    encoding: 'latin1' | 'utf8',
  ): boolean {
    const { socket } = this;
    if (!this.shouldKeepAlive || socket?.writable !== true || isAnswered(this)) return false;
    // Who asked for a word before sending a body may send it or not, whatever the answer is: Node closes such a connection. HTTP/1.0
    // has rules of its own.
    if (this.req.headers.expect !== undefined || this.req.httpVersionMinor !== 1) return false;
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (let at = 0; at < headers.length; at += 2) {
      const value = headers[at + 1] as string | number;
      if (typeof value === 'string' && !plain.test(value)) return false;
      text += `${headers[at]}: ${value}\r\n`;
    }
    text += `Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
    this.statusCode = status;
    // Node's word for an answer of which no more is to come.
    this.finished = true;
    socket.write(text + body, encoding, (error) => {
      // Node itself tells of a connection that broke.
      if (!(error instanceof Error)) this.emit('finish');
    });
    return true;
  }
}

/** Whether an answer is on its way, or a part of one. */
export function isAnswered(res: ServerResponse): boolean {
  // Of one that was sent whole, Node knows no headers.
  return res.headersSent || res.finished;
}

let dateText = '';
let dateUntilMs = 0;

/** The time as HTTP writes it, which changes once a second. */
function dateNow(): string {
  const now = Date.now();
  if (now >= dateUntilMs || now < dateUntilMs - 1000) {
    dateText = new Date(now).toUTCString();
    dateUntilMs = now - (now % 1000) + 1000;
  }
  return dateText;
}
