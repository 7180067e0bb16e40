/**
 * The content of a version's blob: the rows of the project's files as JSON, a line feed, and the project as JSON, as a GET shows it.
 * Compressed with brotli.
 */
import { pipeline, Readable } from 'node:stream';
import zlib from 'node:zlib';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { BlobDamagedError } from '../../lib/errors.ts';
import { BytePieces } from '../../lib/json/byte-pieces.ts';
import { parsingJson } from '../../lib/json/json.ts';
import type { Body, Value } from '../../model/value.ts';
import { blobPath } from '../../storage/blobs/blob-path.ts';
import type { BlobStore } from '../../storage/blobs/blob-store.ts';
import type { BlobUpload, StoredBlob } from '../../storage/blobs/blob-upload.ts';
import type { OpenBlob } from '../../storage/blobs/open-blob.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { compressText } from '../files/compress-text.ts';
import type { VersionTurn } from '../version-turns.ts';

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

/** Bytes that are read, and decompressed, at a time. */
const pieceBytes = 256 * 1024;

/** Base-2 logarithm of the bytes in which repetitions are found. 22, the default, makes at most 6 % less of a map, and takes 90 MB more. */
const windowBits = 18;

const encoding = { [zlib.constants.BROTLI_PARAM_QUALITY]: quality, [zlib.constants.BROTLI_PARAM_LGWIN]: windowBits };

/** Memory of an encoder, with its pieces, in bytes. */
const encoderBytes = 24 * 1024 * 1024;

/** Memory of a parsed project for each byte of its JSON, with the joined JSON: an estimate, since vertices need the most. */
const parsedBytes = 3;

/** The files of a project now. */
export const filesOf = (project: StoredProject): readonly Value[] =>
  Array.from(project.collection('files', '')?.capture() ?? [], ({ value }) => value);

/**
 * Stores a version in pieces: a write of the project never waits for it. Rejects as the calls of the upload do, and with a MemoryFullError.
 *
 * @param pauseMs see {@link versionPauseMs}; 0 where something waits for the version
 */
export async function storeVersion(
  turn: VersionTurn<'storing'>,
  upload: BlobUpload,
  files: readonly Value[],
  project: Iterable<string | Buffer>,
  pauseMs: number,
): Promise<StoredBlob> {
  try {
    turn.hold(encoderBytes);
    await compressText(parts(files, project), {
      encoder: zlib.createBrotliCompress({ params: encoding }),
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

/** A turn in which a version may be read; the bytes that are read count for the budget until its end. */
type Reading = VersionTurn<'reading'>;

/**
 * The JSON of a version: of its files, and of its project in pieces. Rejects with BlobDamagedError if the blob is damaged, and with a
 * MemoryFullError if the version does not fit.
 */
export async function readVersion(
  turn: Reading,
  blobs: BlobStore,
  version: Value,
): Promise<{ readonly files: Buffer; readonly project: BytePieces }> {
  const content = contentOf(turn, blobs, version);
  const [files, first] = await firstLine(content, blobs, version);
  const project = new BytePieces();
  project.add(first);
  for await (const piece of content) project.add(piece);
  return { files, project };
}

/** The content of a version, parsed in slices. Rejects as {@link readVersion} does. */
export async function parseVersion(turn: Reading, blobs: BlobStore, version: Value): Promise<VersionContent> {
  const { files, project } = await readVersion(turn, blobs, version);
  return { files: filesIn(files), project: await parseProject(turn, project) };
}

/** Parses the JSON of a project that the server wrote, in slices. @param pieces are taken */
export async function parseProject(turn: Reading, pieces: BytePieces): Promise<Body> {
  turn.hold(parsedBytes * pieces.bytes);
  const bytes = await runCooperatively(pieces.joining());
  const json = await runCooperatively(parsingJson(bytes, { isOwn: true }));
  if (json.failure !== undefined) throw new Error(`a version cannot be parsed: ${json.failure}`);
  return json.value as Body;
}

/**
 * A file of a version, with the digest of its bytes; `undefined` if it has none with this identifier. Only the list of files is
 * decompressed. Rejects as {@link readVersion} does.
 */
export async function readVersionFile(
  turn: VersionTurn<'listing'>,
  blobs: BlobStore,
  version: Value,
  id: string,
): Promise<Value | undefined> {
  if ((version['files'] as readonly string[]).length === 0) return undefined;
  const content = contentOf(turn, blobs, version);
  try {
    const [files] = await firstLine(content, blobs, version);
    return filesIn(files).find((file) => file.id === id);
  } finally {
    await content.return();
  }
}

const filesIn = (json: Buffer): Value[] => JSON.parse(json.toString()) as Value[];

/** The JSON of the files, and what follows it in its last piece. */
async function firstLine(
  content: AsyncGenerator<Buffer, void>,
  blobs: BlobStore,
  version: Value,
): Promise<readonly [line: Buffer, rest: Buffer]> {
  const line: Buffer[] = [];
  for (;;) {
    const { value: piece } = await content.next();
    if (piece === undefined) throw damaged(blobs, version['digest'] as string, 'its content ends too early');
    const end = piece.indexOf(lineFeed);
    line.push(end < 0 ? piece : piece.subarray(0, end));
    if (end >= 0) return [Buffer.concat(line), piece.subarray(end + 1)];
  }
}

/**
 * Decompresses a version in the thread pool, as far as its pieces are taken. Joining the pieces takes long: a version may have a gigabyte.
 */
async function* contentOf(
  turn: VersionTurn<'reading' | 'listing'>,
  blobs: BlobStore,
  version: Value,
): AsyncGenerator<Buffer, void> {
  const [digest, bytes] = [version['digest'] as string, version['bytes'] as number];
  const opened = await blobs.openBlob(digest, bytes, turn.accountId);
  try {
    for await (const piece of decompressed(blobs, opened)) {
      turn.hold(piece.length);
      yield piece;
    }
  } finally {
    await opened.close();
  }
}

async function* decompressed(blobs: BlobStore, opened: OpenBlob): AsyncGenerator<Buffer, void> {
  const brotli = zlib.createBrotliDecompress({ chunkSize: pieceBytes });
  // The pieces that it yields reject with its error.
  pipeline(Readable.from(bytesOf(opened), { objectMode: false }), brotli, () => undefined);
  let bytes = 0;
  try {
    for await (const piece of brotli as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > versionBytesMax) throw new Error(`it has more than ${versionBytesMax} bytes`);
      yield piece;
    }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? damaged(blobs, opened.digest, (error as Error).message)
      : error;
  }
}

async function* bytesOf({ handle, bytes }: OpenBlob): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(pieceBytes, bytes - at));
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    // Brotli reports the end.
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

const damaged = (blobs: BlobStore, digest: string, found: string): BlobDamagedError =>
  new BlobDamagedError(digest, blobPath(blobs.folder, digest), found);
