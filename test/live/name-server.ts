/** A name server on loopback that answers each question as a test says, and counts the questions. */
import dgram from 'node:dgram';
import { once } from 'node:events';
import type { Test } from 'tap';

export interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
}

/** Addresses, the code of a failure, or no answer. */
export type NameAnswer =
  | readonly string[]
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'REFUSED'
  | 'never'
  | { readonly afterMs: number; readonly is: readonly string[] };

const codes = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 } as const;

export class NameServer {
  /** Questions so far. */
  readonly asked: Question[] = [];
  readonly #socket = dgram.createSocket('udp4');
  readonly #answer: (question: Question, nth: number) => NameAnswer;

  /** @param answer `nth` counts the questions of this name and type from 1 */
  constructor(answer: (question: Question, nth: number) => NameAnswer) {
    this.#answer = answer;
    this.#socket.on('message', (message, { port, address }) => {
      const question = questionIn(message);
      this.asked.push(question);
      const nth = this.asked.filter(({ name, type }) => name === question.name && type === question.type).length;
      const answered = this.#answer(question, nth);
      if (answered === 'never') return;
      const delayed = typeof answered === 'object' && 'afterMs' in answered;
      const reply = replyTo(message, delayed ? answered.is : answered);
      setTimeout(() => this.#send(reply, port, address), delayed ? answered.afterMs : 0);
    });
  }

  /** `127.0.0.1:port`. */
  get host(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** Questions for a name, of type A. */
  count(name: string): number {
    return this.asked.filter((each) => each.name === name && each.type === 'A').length;
  }

  async start(): Promise<void> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
  }

  close(): void {
    this.#socket.removeAllListeners('message').close();
    this.#isClosed = true;
  }

  #isClosed = false;

  #send(reply: Buffer, port: number, address: string): void {
    if (!this.#isClosed) this.#socket.send(reply, port, address);
  }
}

export async function startNameServer(t: Test, answer: (question: Question, nth: number) => NameAnswer): Promise<NameServer> {
  const server = new NameServer(answer);
  await server.start();
  t.teardown(() => server.close());
  return server;
}

const headBytes = 12;

function questionIn(message: Buffer): Question {
  const labels: string[] = [];
  let at = headBytes;
  for (let length = message[at] as number; length > 0; length = message[at] as number) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1) === 1 ? 'A' : 'AAAA' };
}

function replyTo(message: Buffer, answer: readonly string[] | keyof typeof codes): Buffer {
  const end = message.indexOf(0, headBytes) + 5;
  const head = Buffer.from(message.subarray(0, end));
  const isA = message.readUInt16BE(end - 4) === 1;
  const addresses = typeof answer === 'string' ? [] : answer.filter((address) => address.includes(':') !== isA);
  head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...addresses.map(recordOf)]);
}

/** With a time to live of 0. */
function recordOf(address: string): Buffer {
  const data = address.includes(':') ? bytesOfIPv6(address) : Buffer.from(address.split('.').map(Number));
  const record = Buffer.from([0xc0, headBytes, 0, address.includes(':') ? 28 : 1, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([record, data]);
}

function bytesOfIPv6(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const groups = (text: string): number[] => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [front, back] = [groups(before), groups(after)];
  const all = [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
