/** A subscriber of the change feed: the events it received, record by record, and the position from which it would resume. */
import http from 'node:http';
import type { Mapwright } from './mapwright.ts';

export interface FeedEvent {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: data of a server under test; each test says what it expects
  readonly data: any;
}

/** The events up to an id. */
export interface FeedRecord {
  readonly id: string;
  readonly events: readonly FeedEvent[];
}

export interface FollowOptions {
  readonly key?: string;
  /** Credentials in place of a key. */
  readonly session?: http.OutgoingHttpHeaders;
  /** Goes into the header. */
  readonly lastEventId?: string;
  /** Goes into the address. */
  readonly after?: string;
}

export class Followed {
  readonly res: http.IncomingMessage;
  /** The last id that was heard. */
  id = '';
  /** Whole records that nobody has asked for yet. */
  readonly records: FeedRecord[] = [];
  comments = 0;
  isOver = false;
  /** What has come of a record that is not whole. */
  #events: FeedEvent[] = [];
  #text = '';
  #look: () => void = () => undefined;

  constructor(res: http.IncomingMessage) {
    this.res = res;
    res.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    res.on('error', () => undefined);
    res.once('close', () => {
      this.isOver = true;
      this.#look();
    });
  }

  /** Waits for something; `false` when the stream ended first. */
  async until(there: () => boolean): Promise<boolean> {
    while (!there()) {
      if (this.isOver) return false;
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
    return true;
  }

  /** The next whole record. Rejects when the stream ends before. */
  async next(): Promise<FeedRecord> {
    if (!(await this.until(() => this.records.length > 0))) throw new Error('the stream ended');
    return this.records.shift() as FeedRecord;
  }

  /** Names of the events of the next record. */
  async names(): Promise<string[]> {
    return (await this.next()).events.map(({ name }) => name);
  }

  /** Waits until it knows where it would go on. */
  async begun(): Promise<this> {
    if (!(await this.until(() => this.id !== ''))) throw new Error('the stream ended');
    return this;
  }

  async over(): Promise<void> {
    await this.until(() => false);
  }

  /** Goes away in the middle of whatever is on its way. */
  leave(): void {
    this.res.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() as string;
    for (const block of blocks) this.#block(block);
    this.#look();
  }

  #block(block: string): void {
    let name: string | undefined;
    let data = '';
    let id: string | undefined;
    for (const line of block.split('\n')) {
      const colon = line.indexOf(': ');
      const [field, value] = [line.slice(0, colon), line.slice(colon + 2)];
      if (line.startsWith(':')) this.comments++;
      else if (field === 'event') name = value;
      else if (field === 'data') data = value;
      else if (field === 'id') id = value;
      else if (field !== 'retry') throw new Error(`no line of an event: ${line}`);
    }
    if (name !== undefined) this.#events.push({ name, data: JSON.parse(data) });
    if (id === undefined) return;
    this.id = id;
    if (this.#events.length > 0) this.records.push({ id, events: this.#events });
    this.#events = [];
  }
}

/** Follows a path below the version prefix; rejects when that is refused. */
export function follow(mapwright: Mapwright, at: string, options: FollowOptions = {}): Promise<Followed> {
  const { key = mapwright.key, lastEventId, after } = options;
  const credentials = options.session ?? { authorization: `Bearer ${key}` };
  const headers = { ...credentials, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) };
  const path = `/v1${at}${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`;
  return new Promise((resolve, reject) => {
    const req = http.get({ host: '127.0.0.1', port: mapwright.port, path, headers, agent: false }, (res) => {
      if (res.statusCode === 200) resolve(new Followed(res));
      else {
        res.resume();
        reject(new Error(`refused: ${res.statusCode}`));
      }
    });
    req.on('error', reject);
  });
}

/** The LSN in an id. */
export const lsnOf = (id: string): number => Number.parseInt(id.split('-')[1] as string, 36);
