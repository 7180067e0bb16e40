/** A server of its own for a test: on a temporary folder and a loopback port, with an account and its key, asked over real HTTP. */
import fs from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { Test } from 'tap';
import { basePathOf } from '../../src/http/proxy.ts';
import { createServer, type InMemoryServerOptions, type MapwrightServer, type ServerOptions } from '../../src/index.ts';
import { nodeFiles } from '../../src/lib/files/files.ts';
import { oneMachine } from '../../src/server/lifecycle/cluster-hooks.ts';
import { openServer } from '../../src/server/server.ts';
import { payloadRecords } from '../../src/storage/wal/format/frame.ts';
import { listSegments } from '../../src/storage/wal/format/segment.ts';
import { readSegment } from '../../src/storage/wal/read/read-segment.ts';
import { type ChangeSet, decodeRecord } from '../../src/store/operations/record.ts';
import { undescribed } from './described.ts';
import { workersOfTier } from './in-thread.ts';
import { tier } from './tier.ts';

/** A resource as it was answered. */
export interface Shown {
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface ProblemShown {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

export class Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;

  constructor(status: number, headers: IncomingHttpHeaders, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** The document, whatever it is. */
  get json(): unknown {
    return JSON.parse(this.text);
  }

  /** The resource that a success carries. Throws for anything else. */
  get shown(): Shown {
    if (this.status !== 200) throw new Error(`not a success: ${this.status} ${this.text.slice(0, 500)}`);
    return this.json as Shown;
  }

  /** The list that a success carries. Throws for anything else. */
  get list(): Shown[] {
    return this.shown as unknown as Shown[];
  }

  get problem(): ProblemShown {
    return this.json as ProblemShown;
  }

  /** The pointers of the errors, in the order of the response. */
  get pointers(): string[] {
    return (this.problem.errors ?? []).map(({ pointer }) => pointer);
  }
}

export interface Ask {
  /** Sent as it is when it is a string or bytes, as JSON otherwise; nothing when it is `undefined`. */
  readonly body?: unknown;
  /** In lower case; '' leaves out one that is sent otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Another key than the server's first; '' for none. */
  readonly key?: string;
}

export const silent = { info() {}, warn() {}, error() {} };

/** How a refusal begins that nothing but time mends. */
const busy = 'The server is busy: nothing was changed';
/** A tenth of a second each. */
const busyWaitsMax = 100;

/** The smallest log segments, which are the quickest to make. */
const quickStart = { segmentBytes: 1024 * 1024 };

/**
 * What the server of a test does unless the test says otherwise. Automatic versions add records and events at a time of their own: tests that
 * are about them say `versions: true`.
 */
const quiet = { log: silent, versions: false };

type Storage = 'memory' | 'folder';

/** Like `createServer` on a folder, with the workers of the tier: for tests of what a server stores and answers. */
export function serverOfTier(options: ServerOptions): ReturnType<typeof openServer> {
  return openServer(options, undefined, { ...oneMachine, engine: { workers: workersOfTier() } });
}

/** The options that there are without a folder. */
function withoutFolder(options: Partial<ServerOptions>): Omit<InMemoryServerOptions, 'inMemory'> {
  const { data, backup, auditLog, sync, segmentBytes, snapshotBytes, snapshotMinutes, snapshotPauseMs, ...others } = options;
  return others;
}

/** Starts a server with the workers of the tier that lives until the test is over, with one account, `ann`. */
export function startMapwright(t: Test, options: Partial<ServerOptions> = {}): Promise<Mapwright> {
  return start(t, options, 'folder');
}

/**
 * Like {@link startMapwright}, for tests of requests that neither restart the server nor read its files: in memory, which starts without
 * threads and twenty times as fast, and with a folder in `npm run test:all`.
 */
export function startForRequests(t: Test, options: Partial<ServerOptions> = {}): Promise<Mapwright> {
  return start(t, options, tier === 'all' ? 'folder' : 'memory');
}

async function start(t: Test, options: Partial<ServerOptions>, storage: Storage): Promise<Mapwright> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'mapwright-test-'));
  const mapwright = new Mapwright(home, options, storage);
  t.teardown(async () => {
    await mapwright.close();
    fs.rmSync(home, { recursive: true, force: true });
  });
  await mapwright.start();
  mapwright.key = await mapwright.newKey('ann');
  return mapwright;
}

export class Mapwright {
  readonly #home: string;
  #options: Partial<ServerOptions>;
  readonly #storage: Storage;
  #folders = 0;
  #server: MapwrightServer | undefined;
  #agent = new Agent({ keepAlive: true });
  /** The data folder; another one after {@link crash}. */
  data: string;
  port = 0;
  /** The key that requests carry unless they say otherwise. */
  key = '';

  constructor(home: string, options: Partial<ServerOptions>, storage: Storage = 'folder') {
    this.#home = home;
    this.#options = options;
    this.#storage = storage;
    this.data = path.join(home, 'data');
  }

  get server(): MapwrightServer {
    if (this.#server === undefined) throw new Error('the server is not running');
    return this.#server;
  }

  /** A target as the description has it, whether it carries what the public address has before it, or not. */
  #withoutBase(target: string): string {
    const { publicUrl } = this.#options;
    const base = publicUrl === undefined ? '' : basePathOf(publicUrl);
    return target.startsWith(`${base}/`) ? target.slice(base.length) : target;
  }

  async start(): Promise<void> {
    this.#server =
      this.#storage === 'memory'
        ? await createServer({ ...quiet, ...withoutFolder(this.#options), inMemory: true })
        : await serverOfTier({
            ...quickStart,
            ...quiet,
            ...this.#options,
            data: this.data,
          });
    ({ port: this.port } = await this.#server.listen(0));
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
    await server?.close();
  }

  /** Stops in good order and starts again on what is there, from now on with these options as well. */
  async restart(options: Partial<ServerOptions> = {}): Promise<void> {
    await this.close();
    this.#options = { ...this.#options, ...options };
    await this.start();
  }

  /** Starts again on what the files hold at this moment, as after a kill: the server had no chance to tidy up. */
  async crash(): Promise<void> {
    const left = this.data;
    this.data = path.join(this.#home, `crashed-${++this.#folders}`);
    fs.mkdirSync(this.data, { mode: 0o700 });
    for (const part of ['journal', 'snapshots']) copyFolder(path.join(left, part), path.join(this.data, part));
    fs.cpSync(path.join(left, 'blobs'), path.join(this.data, 'blobs'), { recursive: true });
    await this.close();
    fs.rmSync(left, { recursive: true, force: true });
    await this.start();
  }

  /** A key of the account of that name, which is made when it is not there. */
  async newKey(account: string): Promise<string> {
    return (await this.server.createKey(account)).key;
  }

  /**
   * Segments are small here, and a machine under load makes the next one late now and then: what is refused for that is asked again.
   *
   * @param target path and query as sent, prefix included
   */
  async ask(method: string, target: string, asked: Ask = {}): Promise<Answer> {
    for (let waits = 0; ; waits++) {
      const answer = await this.#ask(method, target, asked);
      if (answer.status !== 503 || !answer.text.includes(busy) || waits === busyWaitsMax) return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #ask(method: string, target: string, { body, headers = {}, key = this.key }: Ask): Promise<Answer> {
    const sent = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all: Record<string, string> = { ...headers };
    if (key !== '') all['authorization'] ??= `Bearer ${key}`;
    if (sent !== undefined) {
      all['content-type'] ??= 'application/json';
      all['content-length'] ??= String(Buffer.byteLength(sent));
    }
    for (const name in all) if (all[name] === '') delete all[name];
    return new Promise((resolve, reject) => {
      const { port } = this;
      const req = httpRequest({ host: '127.0.0.1', port, path: target, method, headers: all, agent: this.#agent }, (res) => {
        // One without an end: that it begins is the answer.
        if (res.headers['content-type'] === 'text/event-stream') res.destroy();
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('error', reject);
        const { statusCode: status = 0, headers } = res;
        if (res.destroyed) resolve(new Answer(status, headers, ''));
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve(this.#described({ method, target, body: sent, sent: all, status, headers, text }));
        });
      });
      req.on('error', reject);
      req.end(sent);
    });
  }

  /** Checks an answer against the description of the API. */
  async #described(exchange: Parameters<typeof undescribed>[0]): Promise<Answer> {
    const fault = undescribed({ ...exchange, target: this.#withoutBase(exchange.target) });
    if (fault !== undefined) throw new Error(fault);
    return new Answer(exchange.status, exchange.headers, exchange.text);
  }

  /** @param at path below the version prefix */
  get(at: string, ask?: Ask): Promise<Answer> {
    return this.ask('GET', `/v1${at}`, ask);
  }

  post(at: string, body: unknown, ask?: Ask): Promise<Answer> {
    return this.ask('POST', `/v1${at}`, { ...ask, body });
  }

  patch(at: string, body: unknown, ask?: Ask): Promise<Answer> {
    return this.ask('PATCH', `/v1${at}`, { ...ask, body });
  }

  delete(at: string, ask?: Ask): Promise<Answer> {
    return this.ask('DELETE', `/v1${at}`, ask);
  }

  /** Number of the newest record in the log. */
  lastRecord(): number {
    const newest = listSegments(nodeFiles, path.join(this.data, 'journal')).at(-1);
    return newest === undefined ? 0 : readSegment(nodeFiles, newest).nextLsn - 1;
  }

  /** The records of the log's newest segment from number `from` on. */
  records(from: number): ChangeSet[] {
    const newest = listSegments(nodeFiles, path.join(this.data, 'journal')).at(-1);
    const records: ChangeSet[] = [];
    for (const { type, firstLsn, payload } of newest === undefined ? [] : readSegment(nodeFiles, newest).frames) {
      if (type !== 'batch') continue;
      let lsn = firstLsn;
      for (const bytes of payloadRecords(payload)) if (lsn++ >= from) records.push(decodeRecord(bytes));
    }
    return records;
  }
}

/** Copies a folder of files that may be renamed or deleted meanwhile. */
function copyFolder(from: string, to: string): void {
  fs.mkdirSync(to, { mode: 0o700 });
  for (const name of fs.readdirSync(from)) {
    try {
      fs.copyFileSync(path.join(from, name), path.join(to, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
