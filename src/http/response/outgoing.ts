/**
 * The response class of our own servers: it sends a complete response to the socket in one write, headers included.
 *
 * For every response, Node searches the headers for those that it might have to add, corks the socket, and runs three turns of its queue.
 * That takes longer than the rest of a read. It is skipped where it is not needed: for a response of known length on a persistent
 * connection, which is nearly every one. Node writes all others, and all responses of a foreign server, whose response class may have
 * been extended.
 */
import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { InProcessResponse } from '../transport/in-process-response.ts';
import type { HttpResponse } from '../transport/transport.ts';

export class Outgoing<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  #sent = false;

  /** Whether {@link sendWhole} has sent the response; `headersSent` does not show that. */
  get sentWhole(): boolean {
    return this.#sent;
  }

  /**
   * Sends a complete response in one write. Returns `false`, with nothing sent, if Node has to send it.
   *
   * @param lines headers in ASCII, each with its end of line, without `Date` and `Connection`
   * @param keepAliveMs how long an idle connection is kept open, in milliseconds
   * @param encoding of a string body; `latin1` if it has as many bytes as characters
   */
  sendWhole(status: number, lines: string, keepAliveMs: number, body: Buffer | string, encoding: 'latin1' | 'utf8'): boolean {
    const { socket } = this;
    if (!this.shouldKeepAlive || socket?.writable !== true || this.headersSent || this.#sent) return false;
    // A client that sent `Expect` may send its body or not, whatever the response is, so Node closes such a connection. HTTP/1.0 has
    // other rules for persistent connections.
    if (this.req.headers.expect !== undefined || this.req.httpVersionMinor !== 1) return false;
    this.#sent = true;
    this.statusCode = status;
    const start = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}Date: ${dateNow()}\r\n`;
    const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
    const taken = (error?: Error | null): void => {
      // Not earlier: for Node, a connection with a finished response is idle, and a closing server closes idle connections immediately.
      this.finished = true;
      // Node itself reports a broken connection.
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

/** Whether at least a part of a response was sent. */
export function isResponded(res: HttpResponse): boolean {
  return res.headersSent || (res instanceof Outgoing && res.sentWhole);
}

/** Whether the whole response was sent. Since Node 24 `writableFinished` is right only for responses that Node itself has written. */
export function isComplete(res: HttpResponse): boolean {
  return res instanceof InProcessResponse || (res instanceof Outgoing && res.sentWhole) ? res.finished : res.writableFinished;
}

let dateText = '';
let dateUntilMs = 0;

/** The current time as an HTTP date, computed once a second. */
function dateNow(): string {
  const now = Date.now();
  if (now >= dateUntilMs || now < dateUntilMs - 1000) {
    dateText = new Date(now).toUTCString();
    dateUntilMs = now - (now % 1000) + 1000;
  }
  return dateText;
}
