/**
 * Stores an uploaded file: its bytes first, durably, then the record that refers to them. The bytes are held until the record is applied or
 * refused; if it is refused, they are deleted (account-uploads.ts). Bytes that begin like no picture are not stored at all.
 */
import { claimedType, signatureBytes } from '../../lib/pictures/picture-signature.ts';
import { faultTexts, type PictureType } from '../../lib/pictures/picture-types.ts';
import { newSlug } from '../../model/publication.ts';
import { filePath } from '../../model/references/file-references.ts';
import type { Body } from '../../model/value.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import { findCollection } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { Command, Precondition, ProjectName, ResponseBuilder, Target } from '../command.ts';
import type { WriteOutcome, Writer } from '../write/write.ts';
import type { StoredFiles } from './stored-files.ts';
import { fileMembers, filesMax, recognizedIn, type StoredPicture } from './stored-picture.ts';

/** The bytes are no picture that a project can have. The message says why. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError';
}

/** The project has as many files as it may have. */
export class TooManyFilesError extends Error {
  override readonly name = 'TooManyFilesError';
}

export interface PictureUpload {
  readonly accountId: string;
  readonly bytesMax: number;
  /** Size of the body, if the client says it. */
  readonly announcedBytes?: number;
  /** Throws {@link UnusablePictureError} for a type that the client did not announce. */
  refuse(type: PictureType): void;
}

export interface FileUpload extends ProjectName, PictureUpload, Pick<Command, 'precondition' | 'strict' | 'by'> {
  readonly name: string;
  /** The shard that its address names. */
  readonly shard: number;
}

/** The parts of an engine that add a file. */
interface FileWriter {
  readonly state: State;
  readonly writer: Writer;
}

/** The bytes of an upload. */
export interface UploadPieces extends AsyncIterable<Uint8Array> {
  /** Sets how many bytes the upload has in memory. Throws if they exceed a limit. */
  holds?(bytes: number): void;
}

/**
 * Stores the bytes of a file of a project. Rejects with {@link TooManyFilesError}, and as {@link storePicture} does.
 *
 * @returns `undefined` if there is no such project
 */
export async function storeBytes(
  { state }: Pick<FileWriter, 'state'>,
  stored: StoredFiles,
  upload: FileUpload,
  pieces: UploadPieces,
): Promise<StoredPicture | undefined> {
  return findFiles(state, upload) === undefined ? undefined : await storePicture(stored, upload, pieces);
}

/**
 * Stores the bytes of a picture. Rejects with {@link UnusablePictureError}, with the error of the pieces, and as {@link BlobStore.upload} does:
 * then nothing refers to them.
 */
export async function storePicture(stored: StoredFiles, upload: PictureUpload, pieces: UploadPieces): Promise<StoredPicture> {
  const writing = await stored.uploads.begin(upload.accountId, upload);
  let blob: StoredBlob;
  try {
    for await (const piece of ofUsableType(pieces, upload)) {
      pieces.holds?.(writing.heldBytes + piece.byteLength);
      await writing.write(piece);
    }
    blob = await writing.finish();
    pieces.holds?.(0);
  } catch (error) {
    await writing.abort();
    throw error;
  }
  try {
    const recognized = await recognizedIn(stored, blob, upload.accountId);
    if ('fault' in recognized) throw new UnusablePictureError(faultTexts[recognized.fault]);
    return { blob, picture: recognized };
  } catch (error) {
    blob.hold.release();
    throw error;
  }
}

/** The pieces, once their first bytes are of a type that the project can have. Throws {@link UnusablePictureError} before any piece. */
async function* ofUsableType(pieces: UploadPieces, { refuse }: PictureUpload): AsyncGenerator<Uint8Array, void> {
  let head: Uint8Array = new Uint8Array(0);
  let isChecked = false;
  const check = (): void => {
    if (head.byteLength === 0) throw new UnusablePictureError('The body is empty: send the bytes of the picture.');
    const type = claimedType(head);
    if (type === undefined) throw new UnusablePictureError(faultTexts['other-type']);
    refuse(type);
    isChecked = true;
  };
  for await (const piece of pieces) {
    if (isChecked) {
      yield piece;
      continue;
    }
    head = head.byteLength === 0 ? piece : Buffer.concat([head, piece]);
    if (head.byteLength < signatureBytes) continue;
    check();
    yield head;
  }
  if (isChecked) return;
  check();
  yield head;
}

/** Adds the file to its project, durably. Throws as {@link Writer.execute} does, with nothing changed. The caller holds the bytes. */
export async function addFile<T>(
  { state, writer }: FileWriter,
  upload: FileUpload,
  picture: StoredPicture,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const { accountId, projectId, name, shard, strict, by } = upload;
  // Part of the decision, which holds the lock of the project: other uploads may end at the same time.
  const precondition: Precondition = (version, placesVersion) => {
    findFiles(state, upload);
    return upload.precondition?.(version, placesVersion) !== false;
  };
  const fixed: Body = { ...fileMembers(picture, writer.context().now), url: filePath(newSlug(shard), name) };
  const target: Target = { kind: 'member', path: { accountId, projectId, collection: 'files', parentId: '' }, id: '' };
  const command: Command = {
    ...{ action: 'create', target, body: { name }, fixed, fieldErrors: [], remember: making.remember, precondition, by },
    ...(strict && { strict }),
  };
  return await writer.execute(command, making.show);
}

/** `undefined` if there is no such project. Throws {@link TooManyFilesError} if it can have no more files. */
function findFiles(state: State, { accountId, projectId }: ProjectName): object | undefined {
  const { value } = findCollection(state, { accountId, projectId, collection: 'files', parentId: '' });
  if ((value?.collection?.size ?? 0) >= filesMax)
    throw new TooManyFilesError(`The project has ${filesMax} files, which is the limit: delete some that no map shows.`);
  return value;
}
