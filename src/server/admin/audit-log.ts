/**
 * The audit log: rejected keys and sessions, and changes of keys, people and accounts. JSON lines, append-only (mode 0600).
 *
 *     {"time":"…","event":"key.created","key":"k7m2q5x3wz4a","account":"019b…","access":"read","projects":[],"expires":""}
 *     {"time":"…","event":"key.refused","reason":"expired","key":"k7m2q5x3wz4a","account":"019b…","address":"127.0.0.1","request":"…"}
 *     {"time":"…","event":"key.refused","reason":"unknown","more":12345,"seconds":60}
 *
 * A key is identified by its public part, a person by an identifier: no line contains a key, or the text that was sent as one, or a name, so
 * that a person can be erased.
 *
 * Changes are written before the command returns. Rejections are written asynchronously, within a second. Their number is bounded, because
 * any client can cause them: a limited number of lines per minute and reason, and one count of the rest. A large file is rotated, and a few
 * older ones are kept. A full disk loses lines, but never fails a request.
 */
import fs from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Forbidden } from '../../api/authorize.ts';
import type { KeyRefusal, RefusedKey } from '../../engine/keys.ts';
import { isFileAt } from '../../lib/files/files.ts';
import { assertSame, type FolderIdentity } from '../../lib/files/open-folder.ts';
import type { Log } from '../../lib/observability/logger.ts';
import { redactKeys } from '../../lib/text/redact.ts';

/** Maximum number of lines for rejections of one reason per minute. */
export const linesPerMinuteMax = 20;
/** Size at which a file is rotated, in bytes. */
const auditBytesMax = 10 * 1024 * 1024;
/** Number of older files: `.1` is the newest of them. A flood would take most of a week to rotate out all earlier lines. */
export const olderFilesMax = 4;

const minuteMs = 60_000;
/** Maximum delay before a rejection is written, in milliseconds. */
const delayMs = 1000;

type AuditEvent =
  | 'key.created'
  | 'key.rotated'
  | 'key.limited'
  | 'key.revoked'
  | 'link.created'
  | 'session.created'
  | 'session.ended'
  | 'person.created'
  | 'person.changed'
  | 'person.bound'
  | 'person.removed'
  | 'person.erased'
  | 'account.created'
  | 'account.renamed'
  | 'account.limited'
  | 'account.deleted';

type RefusalReason = KeyRefusal | Forbidden;

const noRefusals: Readonly<Record<RefusalReason, number>> = {
  malformed: 0,
  unknown: 0,
  expired: 0,
  revoked: 0,
  'read-only': 0,
  'other-project': 0,
  people: 0,
};

interface Refused extends Omit<RefusedKey, 'reason'> {
  readonly reason: RefusalReason;
  /** The client's address, or that of a proxy. */
  readonly address: string;
  readonly request: string;
}

/** Rejections of one reason since `since` (monotonic milliseconds). */
interface Window {
  readonly since: number;
  lines: number;
  more: number;
}

interface AuditOptions {
  readonly log: Log;
  /** Unix time in milliseconds. */
  readonly clock: () => number;
  /** The data folder; nothing is written after it was replaced. */
  readonly root?: FolderIdentity;
  /** Default: {@link auditBytesMax}. */
  readonly bytesMax?: number;
  /** Writes a change in another place as well. A failure is logged. */
  readonly onChange?: (entry: object) => Promise<void>;
}

export class AuditLog {
  /** Number of rejections since the start, by reason. */
  readonly refusals: Record<RefusalReason, number> = { ...noRefusals };
  readonly #path: string | undefined;
  readonly #options: AuditOptions;
  readonly #windows = new Map<RefusalReason, Window>();
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #file: fs.promises.FileHandle | undefined;
  #bytes = 0;
  /** The file was created, and its directory entry may not be durable yet. */
  #nameDue = false;
  #failed = false;
  #closed = false;

  /** @param path the file, created with the first line; `undefined`: nothing is written */
  constructor(path: string | undefined, options: AuditOptions) {
    this.#path = path;
    this.#options = options;
  }

  /** Resolves when the line is written and synced; never rejects, since the change is already made. */
  changed(event: AuditEvent, fields: Readonly<Record<string, unknown>>): Promise<void> {
    // The server's log contains the account's name.
    const { account: accountId, ...rest } = fields;
    this.#options.log.info({ ...rest, accountId }, event.replace('.', ' '));
    this.#line({ event, ...fields });
    return Promise.all([this.#flush(true), this.#pass({ event, ...fields })]).then(() => undefined);
  }

  async #pass(fields: object): Promise<void> {
    const { onChange, clock, log } = this.#options;
    try {
      await onChange?.({ time: new Date(clock()).toISOString(), ...fields });
    } catch (error) {
      log.error({ err: error }, 'cannot store a change of keys or accounts in the audit table; audit.log has it');
    }
  }

  /** Queues a rejection; does not delay its request. */
  refused({ reason, ...fields }: Refused): void {
    this.refusals[reason]++;
    if (this.#path === undefined || this.#closed) return;
    const window = this.#window(reason);
    if (window.lines < linesPerMinuteMax) {
      window.lines++;
      this.#line({ event: 'key.refused', reason, ...fields });
    } else window.more++;
    this.#timer ??= setTimeout(() => this.#onTimer(), delayMs).unref();
  }

  /** Writes the pending lines and closes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const reason of this.#windows.keys()) this.#endWindow(reason);
    await this.#flush(false);
    await this.#closeFile();
  }

  /** The minute that a rejection belongs to. */
  #window(reason: RefusalReason): Window {
    const now = performance.now();
    const open = this.#windows.get(reason);
    if (open !== undefined && now - open.since < minuteMs) return open;
    this.#endWindow(reason);
    const window = { since: now, lines: 0, more: 0 };
    this.#windows.set(reason, window);
    return window;
  }

  /** Writes the number of rejections without a line. */
  #endWindow(reason: RefusalReason): void {
    const window = this.#windows.get(reason);
    this.#windows.delete(reason);
    if (window === undefined || window.more === 0) return;
    const seconds = Math.ceil((performance.now() - window.since) / 1000);
    this.#line({ event: 'key.refused', reason, more: window.more, seconds });
  }

  #onTimer(): void {
    const now = performance.now();
    let counting = false;
    for (const [reason, { since, more }] of this.#windows) {
      if (now - since >= minuteMs) this.#endWindow(reason);
      else counting ||= more > 0;
    }
    // The count must be written when its minute is over, even without another rejection.
    this.#timer = counting ? setTimeout(() => this.#onTimer(), delayMs).unref() : undefined;
    void this.#flush(false);
  }

  #line(fields: Readonly<Record<string, unknown>>): void {
    if (this.#path === undefined) return;
    const time = new Date(this.#options.clock()).toISOString();
    // The client chooses the request id, so it may contain a key.
    this.#waiting += `${redactKeys(JSON.stringify({ time, ...fields }))}\n`;
  }

  #flush(sync: boolean): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '') this.#writing = this.#writing.then(() => this.#write(text, sync));
    return this.#writing;
  }

  async #write(text: string, sync: boolean): Promise<void> {
    const path = this.#path as string;
    try {
      const { root } = this.#options;
      if (root !== undefined) assertSame(root);
      const bytes = Buffer.from(text);
      const file = await this.#open(path, bytes.byteLength);
      await file.appendFile(bytes);
      this.#bytes += bytes.byteLength;
      if (sync) {
        await file.datasync();
        if (this.#nameDue) await syncFolder(dirname(path));
        this.#nameDue = false;
      }
      this.#failed = false;
    } catch (error) {
      // Once per failure period: a full disk must not fill the log as well.
      if (!this.#failed) this.#options.log.error({ err: error, file: path }, 'cannot write to the audit log: lines are lost');
      this.#failed = true;
      await this.#closeFile();
    }
  }

  /** The file, rotated first if `bytes` do not fit. */
  async #open(path: string, bytes: number): Promise<fs.promises.FileHandle> {
    // The file may have been moved or deleted: then a new one is created.
    if (this.#file !== undefined && !isFileAt(path, this.#file.fd)) await this.#closeFile();
    this.#file ??= await this.#openAtLineStart(path);
    if (this.#bytes > 0 && this.#bytes + bytes > (this.#options.bytesMax ?? auditBytesMax)) {
      await this.#closeFile();
      await makeOlder(path);
      this.#file = await this.#openAtLineStart(path);
    }
    return this.#file;
  }

  /** Ends a partial line, left by a crash or a full disk, so that it does not spoil the next line. */
  async #openAtLineStart(path: string): Promise<fs.promises.FileHandle> {
    const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = fs.constants;
    const file = await fs.promises.open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
    // A link to a device, such as /dev/stdout, is allowed here.
    this.#bytes = (await file.stat()).size;
    const last = Buffer.alloc(1, '\n');
    if (this.#bytes === 0) this.#nameDue = true;
    else await file.read(last, 0, 1, this.#bytes - 1);
    if (last.toString() !== '\n') await file.appendFile('\n');
    return file;
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.promises.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames `audit.log` to `audit.log.1`, that to `audit.log.2` and so on; the oldest is overwritten. */
async function makeOlder(path: string): Promise<void> {
  for (let age = olderFilesMax; age > 0; age--) {
    const from = age === 1 ? path : `${path}.${age - 1}`;
    await fs.promises.rename(from, `${path}.${age}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
