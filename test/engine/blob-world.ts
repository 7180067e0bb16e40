/** An engine on disk with files, and a clock. */
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Test } from 'tap';
import type { Target } from '../../src/engine/command.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { addFile, type FileUpload, storeBytes } from '../../src/engine/files/store-file.ts';
import type { StoredFiles } from '../../src/engine/files/stored-files.ts';
import { openEngine } from '../../src/engine/open-engine.ts';
import { blobPath } from '../../src/storage/blobs/blob-path.ts';
import { accountIn, create, done, foldersIn, member, project, recordingLog, remove } from '../support/engine.ts';
import { temporaryFolder } from '../support/process.ts';

export const hourMs = 60 * 60 * 1000;

type Stored = NonNullable<Awaited<ReturnType<typeof storeBytes>>>;

/** An engine with files, and a clock that a test moves. */
export class BlobWorld {
  readonly folder: string;
  readonly logged;
  readonly #log;
  #now = Date.now();
  #engine: Engine | undefined;
  accountId = '';
  projectId = '';

  readonly #options: EngineOptions;

  constructor(t: Test, options: EngineOptions = {}) {
    this.#options = options;
    this.folder = temporaryFolder(t);
    ({ log: this.#log, logged: this.logged } = recordingLog());
    t.teardown(() => this.#engine?.close());
  }

  get engine(): Engine {
    return this.#engine as Engine;
  }

  get files(): StoredFiles {
    return this.engine.files as StoredFiles;
  }

  async close(): Promise<void> {
    await this.#engine?.close();
    this.#engine = undefined;
  }

  async open(): Promise<this> {
    await this.close();
    const folders = { ...foldersIn(this.folder), blobs: path.join(this.folder, 'blobs') };
    const own = { segmentBytes: 1024 * 1024, snapshotPauseMs: 0, log: this.#log, clock: () => this.#now, onFatal: () => {} };
    this.#engine = (await openEngine(folders, { ...this.#options, ...own })).engine;
    this.accountId = await accountIn(this.engine);
    const [present] = [...(this.engine.state.accounts.get(this.accountId)?.projects.values() ?? [])];
    this.projectId = present?.id ?? (await done(this.engine, create(project(this.accountId))));
    return this;
  }

  /** A request that uploads a file. @param given of it; by default, nothing refuses it */
  request(given: Partial<FileUpload> = {}): FileUpload {
    const { accountId, projectId } = this;
    return { accountId, projectId, name: 'a.png', shard: 0, bytesMax: 1e6, refuse: () => {}, ...given };
  }

  /** Stores the bytes of an upload, which are held, and adds no file. */
  async store(bytes: Buffer | AsyncIterable<Buffer>, given?: Partial<FileUpload>): Promise<Stored> {
    const pieces = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes;
    const stored = await storeBytes(this.engine, this.files, this.request(given), pieces);
    if (stored === undefined) throw new Error('there is no such project');
    return stored;
  }

  async upload(bytes: Buffer, given?: Partial<FileUpload>): Promise<{ id: string; digest: string }> {
    const stored = await this.store(bytes, given);
    try {
      const show = (_: unknown, target: Target) => (target.kind === 'member' ? target.id : '');
      const outcome = await addFile(this.engine, this.request(given), stored, { show });
      if (outcome.outcome !== 'done') throw new Error(outcome.outcome);
      return { id: outcome.shown, digest: stored.blob.digest };
    } finally {
      stored.blob.hold.release();
    }
  }

  /** An upload that is refused after its bytes are stored, as by a quota. */
  async refused(bytes: Buffer): Promise<void> {
    (await this.store(bytes)).blob.hold.release();
  }

  delete(id: string): Promise<string> {
    return done(this.engine, remove(member(this.accountId, this.projectId, 'files', id)));
  }

  /** Makes a snapshot of a new record, and waits for the collection after it. */
  async snapshot(): Promise<void> {
    await done(this.engine, create(member(this.accountId, this.projectId, 'popups')));
    await this.engine.snapshot();
    await this.files.collector.collect(0);
  }

  /** Some days with a snapshot each. */
  async days(count: number): Promise<void> {
    for (let day = 0; day < count; day++) {
      await this.snapshot();
      this.pass(25 * hourMs);
    }
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Number of blobs on the disk. */
  get blobCount(): number {
    const names = fs.readdirSync(path.join(this.folder, 'blobs'), { recursive: true });
    return names.filter((name) => String(name).length > 64).length;
  }

  has(digest: string): boolean {
    return fs.existsSync(blobPath(path.join(this.folder, 'blobs'), digest));
  }
}
