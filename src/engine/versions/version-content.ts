/**
 * The content of a version's blob: the rows of the project's files as JSON, a line feed, and the project as JSON, as a GET shows it.
 * Compressed with brotli.
 */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import { parsingJson } from '../../lib/json/json.ts';
import type { Body, Value } from '../../model/value.ts';
import { blobPath } from '../../storage/blobs/blob-path.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { compressText } from '../files/compress-text.ts';

/** The state of a project that a version keeps. */
export interface VersionContent {
  /** As a GET shows it, with all its collections. */
  readonly project: Body;
  readonly files: readonly Value[];
}

/** Level 5 makes 1.6 times the size of level 9 in a tenth of its time. */
const quality = 5;

/** The pause after each 64 KiB of a version, in milliseconds. Without it, writes wait for the processor: their p99 is three times as long. */
export const versionPauseMs = 4;

const lineFeed = 0x0a;

/** Largest version that is read, in bytes of JSON. */
export const versionBytesMax = 1024 * 1024 * 1024;

const unpack = promisify(zlib.brotliDecompress);

/** The files of a project now. */
export const filesOf = (project: StoredProject): readonly Value[] =>
  Array.from(project.collection('files', '')?.capture() ?? [], ({ value }) => value);

/**
 * Stores a version in pieces: a write of the project never waits for it. Rejects as {@link BlobStore.upload} does.
 *
 * @param pauseMs see {@link versionPauseMs}; 0 where something waits for the version
 */
export async function storeVersion(
  blobs: BlobStore,
  files: readonly Value[],
  project: Iterable<string | Buffer>,
  pauseMs: number,
): Promise<StoredBlob> {
  const upload = blobs.upload({ bytesMax: versionBytesMax });
  try {
    await compressText(parts(files, project), {
      encoder: zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality } }),
      take: (bytes) => upload.write(bytes),
      pauseMs,
    });
    return await upload.finish();
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

function* parts(files: readonly Value[], project: Iterable<string | Buffer>): Generator<string | Buffer, void> {
  yield `${JSON.stringify(files)}\n`;
  yield* project;
}

/** The bytes of a version: the JSON of its files, and that of its project. Rejects with BlobDamagedError if the blob is damaged. */
export async function readVersion(
  blobs: BlobStore,
  version: Value,
): Promise<{ readonly files: Buffer; readonly project: Buffer }> {
  const digest = version['digest'] as string;
  const packed = await blobs.read(digest, version['bytes'] as number);
  const content = await unpack(packed, { maxOutputLength: versionBytesMax }).catch((error: Error) => {
    throw damaged(blobs, digest, error.message);
  });
  const end = content.indexOf(lineFeed);
  return { files: content.subarray(0, end), project: content.subarray(end + 1) };
}

/** The content of a version, parsed in slices. */
export async function parseVersion(blobs: BlobStore, version: Value): Promise<VersionContent> {
  const { files, project } = await readVersion(blobs, version);
  return { files: JSON.parse(files.toString()) as Value[], project: (await parsed(project)) as Body };
}

/** A file of a version, with the digest of its bytes; `undefined` if it has none with this identifier. Rejects as {@link readVersion} does. */
export async function readVersionFile(blobs: BlobStore, version: Value, id: string): Promise<Value | undefined> {
  if ((version['files'] as readonly string[]).length === 0) return undefined;
  const files = await firstLine(blobs, version);
  return (JSON.parse(files.toString()) as Value[]).find((file) => file.id === id);
}

/** The JSON of the files. The rest, which may be large, is not decompressed. */
async function firstLine(blobs: BlobStore, version: Value): Promise<Buffer> {
  const digest = version['digest'] as string;
  const brotli = zlib.createBrotliDecompress();
  brotli.end(await blobs.read(digest, version['bytes'] as number));
  const parts: Buffer[] = [];
  try {
    for await (const part of brotli as AsyncIterable<Buffer>) {
      const end = part.indexOf(lineFeed);
      parts.push(end < 0 ? part : part.subarray(0, end));
      if (end >= 0) return Buffer.concat(parts);
    }
  } catch (error) {
    throw damaged(blobs, digest, (error as Error).message);
  }
  throw damaged(blobs, digest, 'its content ends too early');
}

const damaged = (blobs: BlobStore, digest: string, found: string): BlobDamagedError =>
  new BlobDamagedError(digest, blobPath(blobs.folder, digest), found);

/** Parses JSON in slices. */
export async function parsed(bytes: Buffer): Promise<unknown> {
  const json = await runCooperatively(parsingJson(bytes, { isOwn: true }));
  if (json.failure !== undefined) throw new Error(`a version cannot be parsed: ${json.failure}`);
  return json.value;
}
