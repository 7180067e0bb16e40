/**
 * An answer as our own servers write it: one that is whole goes to the socket as one text, headers and all.
 *
 * What Node does for every answer (looking through its headers for those that it might have to add, corking, three turns of its queue)
 * takes longer than the rest of a read. It is left out where nothing of it is needed: for an answer of known length on a connection that
 * stays, which is nearly every one. All others are written by Node as ever, and so is everything on a foreign server, whose responses
 * may have been extended by somebody else.
 */
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';

export class Outgoing<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #sent = false;

  /** Whether {@link sendWhole} has sent it; `headersSent` does not tell. */
  get sentWhole(): boolean {
    return this.#sent;
  }

  /**
   * Sends a whole answer in one write. `false`, and nothing sent, when it has to go the long way.
   *
   * @param lines headers in ASCII, each with its end of line, `Date` and `Connection` left out
   * @param keepAliveMs how long the connection will be kept for another request, in milliseconds
   * @param encoding of a text; `latin1` where it has as many bytes as characters
   */
  sendWhole(status: number, lines: string, keepAliveMs: number, body: Buffer | string, encoding: 'latin1' | 'utf8'): boolean {
    const { socket } = this;
    if (!this.shouldKeepAlive || socket?.writable !== true || this.headersSent || this.#sent) return false;
    // Who asked for a word before sending a body may send it or not, whatever the answer is: Node closes such a connection. HTTP/1.0
    // has rules of its own.
    if (this.req.headers.expect !== undefined || this.req.httpVersionMinor !== 1) return false;
    this.#sent = true;
    this.statusCode = status;
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${dateNow()}\r\n`;
    const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
    const taken = (error?: Error | null): void => {
      // Not before: a connection with a finished answer is idle to Node, and a server that stops closes those at once.
      this.finished = true;
      // Node itself tells of a connection that broke.
      if (!(error instanceof Error)) this.emit('finish');
    };
    if (typeof body === 'string') socket.write(start + kept + body, encoding, taken);
    else {
      socket.cork();
      socket.write(start + kept, 'latin1');
      socket.write(body, taken);
      socket.uncork();
    }
    return true;
  }
}

/** Whether an answer is on its way, or a part of one. */
export function isAnswered(res: ServerResponse): boolean {
  return res.headersSent || (res instanceof Outgoing && res.sentWhole);
}

/** Whether all of an answer was taken. Since Node 24 `writableFinished` knows only of those that Node itself has written. */
export function isComplete(res: ServerResponse): boolean {
  return res instanceof Outgoing && res.sentWhole ? res.finished : res.writableFinished;
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
