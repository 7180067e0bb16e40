/** A store of blobs on a simulated disk, in this thread. */
import { createHash } from 'node:crypto';
import type { Files } from '../../src/lib/files/files.ts';
import { BlobStore, type BlobStoreOptions } from '../../src/storage/blobs/blob-store.ts';
import type { StoredBlob } from '../../src/storage/blobs/blob-upload.ts';
import { Disk, type Operation, rootPath } from '../disk/disk.ts';
import { SimulatedDisk } from '../disk/simulated-disk.ts';
import { recordingLog } from '../support/engine.ts';
import { InlineBlobWorker } from './inline-worker.ts';

export const FOLDER = `${rootPath}/blobs`;

export interface Opened {
  readonly store: BlobStore;
  readonly worker: InlineBlobWorker;
  readonly fatal: Error[];
  readonly logged: ReturnType<typeof recordingLog>['logged'];
}

/** Opens a store with pieces of 1,000 bytes. */
export function open(files: Files, options: Partial<BlobStoreOptions> = {}): Opened {
  const worker = new InlineBlobWorker(files, FOLDER);
  const fatal: Error[] = [];
  const { log, logged } = recordingLog();
  const store = BlobStore.open(files, FOLDER, {
    log,
    worker,
    pieceBytes: 1000,
    onFatal: (error) => fatal.push(error),
    ...options,
  });
  return { store, worker, fatal, logged };
}

/** A store on a new disk, with the operations since it opened. */
export function openNew(options: Partial<BlobStoreOptions> = {}): Opened & { files: SimulatedDisk; operations: Operation[] } {
  const files = new SimulatedDisk(new Disk());
  const opened = open(files, options);
  return { ...opened, files, operations: files.record() };
}

/** Stores bytes and keeps the hold. Writes them in two parts, the second often less than a piece. */
export async function store(blobs: BlobStore, bytes: Uint8Array, bytesMax = 1_000_000): Promise<StoredBlob> {
  const upload = blobs.upload({ bytesMax });
  const middle = Math.floor(bytes.byteLength * 0.8);
  await upload.write(bytes.subarray(0, middle));
  await upload.write(bytes.subarray(middle));
  return upload.finish();
}

/** Bytes that differ for each name. */
export const sample = (name: string, bytes: number): Buffer => Buffer.alloc(bytes, `${name} is a blob. `);

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Path of a blob in {@link FOLDER}. */
export const pathOf = (digest: string): string => `${FOLDER}/${digest.slice(0, 2)}/${digest}`;

/** Paths of all files below {@link FOLDER}. */
export function filesIn(files: Files, folder = FOLDER): string[] {
  return files.list(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    return files.stat(path) === undefined ? filesIn(files, path) : [path];
  });
}

/** What a process reads in a file. */
export function bytesOf(files: Files, path: string): Buffer {
  const fd = files.open(path, 'r');
  const bytes = Buffer.alloc(files.size(fd));
  files.read(fd, bytes, 0);
  files.close(fd);
  return bytes;
}
