/**
 * The files of a document that is imported. Their bytes are stored while they arrive: what a piece of the document has of them is collected in
 * the turn in which the piece is read, and {@link ImportedFiles.settle} writes it before the next piece. So one piece is in memory at most.
 *
 *     begin ─▶ text ... ─▶ part: collected steps        settle: upload, digest, recognition
 */
import { BlobTooLargeError } from '../../lib/errors.ts';
import { faultTexts, type Picture } from '../../lib/pictures/picture-types.ts';
import { Base64Decoder } from '../../lib/text/base64-pieces.ts';
import { checkShape, type FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import { contentMember, DocumentFileImportSchema } from '../../model/document.ts';
import { fileAddress, filePath } from '../../model/references/file-references.ts';
import { resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import type { BlobUpload, StoredBlob } from '../../storage/blobs/blob-upload.ts';
import type { Context } from '../command.ts';
import type { StoredFiles } from './stored-files.ts';
import { fileMembers, filesMax, recognizedIn } from './stored-picture.ts';

/** Where imported files go. */
export interface ImportedFilesOptions {
  readonly accountId: string;
  /** Of new addresses: the slug for a file. */
  newSlug(): string;
  /** Maximum size of one file, in bytes. */
  readonly bytesMax: number;
  /** Of the server: addresses of files may begin with it. */
  readonly publicUrl: string;
  /** Throws if the server stores no files. */
  stored(): StoredFiles;
}

/** An element of the document's list of files. */
interface Entry {
  readonly pointer: string;
  readonly decoder: Base64Decoder;
  /** Whether it has its bytes, or some. */
  hasContent: boolean;
  upload: BlobUpload | undefined;
  /** It is refused; the rest of its bytes are skipped. */
  isRefused: boolean;
}

/** A file that is stored, and its address in the document. */
interface Imported {
  readonly name: string;
  readonly oldPath: string;
  readonly slug: string;
  readonly blob: StoredBlob;
  readonly picture: Picture;
}

type Step =
  | { readonly entry: Entry; readonly bytes: Uint8Array; readonly file?: undefined }
  | { readonly entry: Entry; readonly bytes?: undefined; readonly file: Body };

/** Memory of a file and its entries in maps, in bytes. */
const entryBytes = 1000;

const shape = shapeOf('file', DocumentFileImportSchema);

export class ImportedFiles {
  readonly #options: ImportedFilesOptions;
  readonly #files: Imported[] = [];
  readonly #slugs = new Set<string>();
  #count = 0;
  #entry: Entry | undefined;
  #steps: Step[] = [];

  constructor(options: ImportedFilesOptions) {
    this.#options = options;
  }

  get publicUrl(): string {
    return this.#options.publicUrl;
  }

  /** Memory of the files, without their bytes. */
  get heldBytes(): number {
    return this.#count * entryBytes;
  }

  /** An element begins. */
  begin(pointer: string): void {
    const isRefused = ++this.#count > filesMax;
    this.#entry = { pointer, decoder: new Base64Decoder(), hasContent: false, upload: undefined, isRefused };
  }

  /** A piece of the content of the element. It is decoded now, because its memory is used again. */
  text(characters: Buffer, fieldErrors: FieldErrorList): void {
    const entry = this.#entry as Entry;
    entry.hasContent = true;
    if (entry.isRefused) return;
    const bytes = entry.decoder.write(characters);
    if (bytes === undefined) refuse(entry, contentMember, 'must be base64 (RFC 4648, 4)', fieldErrors);
    else if (bytes.length > 0) this.#steps.push({ entry, bytes });
  }

  /** The element ends. @param value its other members, not checked yet */
  part(value: unknown, pointer: string, fieldErrors: FieldErrorList): void {
    const entry = this.#entry;
    this.#entry = undefined;
    if (this.#count > filesMax) {
      fieldErrors.add('/files', `has more than ${filesMax} files, the limit of a project`);
      return;
    }
    if (!checkShape(shape, value, pointer, fieldErrors) || entry === undefined) {
      // What is no object has not begun.
      if (entry !== undefined) entry.isRefused = true;
    } else this.#checkPath(entry, value['url'] as string, fieldErrors);
    if (entry === undefined || !entry.hasContent) return;
    const rest = entry.isRefused ? undefined : entry.decoder.end();
    if (rest === undefined && !entry.isRefused) refuse(entry, contentMember, 'must be base64 (RFC 4648, 4)', fieldErrors);
    else if (rest !== undefined && rest.length > 0) this.#steps.push({ entry, bytes: rest });
    this.#steps.push({ entry, file: value as Body });
  }

  /**
   * Does what was collected. Rejects with BlobTooLargeError for a file that is too large, and as {@link BlobStore.upload} does; errors of a file
   * are added.
   */
  async settle(fieldErrors: FieldErrorList): Promise<void> {
    const steps = this.#steps;
    this.#steps = [];
    for (const { entry, bytes, file } of steps) {
      if (bytes !== undefined) await this.#write(entry, bytes);
      else if (entry.isRefused) await entry.upload?.abort();
      else await this.#store(entry, file, fieldErrors);
    }
  }

  /** Frees what is not needed any more: the record of the project is applied, or will never be. */
  async release(): Promise<void> {
    const open = [this.#entry, ...this.#steps.map(({ entry }) => entry)];
    for (const entry of open) await entry?.upload?.abort();
    for (const { blob } of this.#files.splice(0)) blob.hold.release();
  }

  /** Old and new addresses. */
  *addresses(): Generator<{ readonly oldPath: string; readonly slug: string }> {
    yield* this.#files;
  }

  /** The files as members of the new project, in the order of the document. */
  *values({ now, newId }: Pick<Context, 'now' | 'newId'>): Generator<Value> {
    for (const file of this.#files) {
      const fixed = { ...fileMembers(file, now), url: filePath(file.slug, fileAddress(file.oldPath)?.name ?? file.name) };
      yield resourceOf.files.create(newId(), fixed, { name: file.name });
    }
  }

  /** An address that no file has, or two, could not be replaced. */
  #checkPath(entry: Entry, url: string, fieldErrors: FieldErrorList): void {
    const address = fileAddress(url);
    if (address === undefined) refuse(entry, 'url', 'must be the path of a file: /f/…/NAME', fieldErrors);
    else if (this.#slugs.has(address.slug))
      refuse(entry, 'url', 'occurs twice in the document: send each file once', fieldErrors);
    else this.#slugs.add(address.slug);
  }

  async #write(entry: Entry, bytes: Uint8Array): Promise<void> {
    if (entry.isRefused) return;
    entry.upload ??= await this.#begun();
    try {
      await entry.upload.write(bytes);
    } catch (error) {
      throw error instanceof BlobTooLargeError ? new BlobTooLargeError(this.#options.bytesMax, entry.pointer) : error;
    }
  }

  #begun(): Promise<BlobUpload> {
    const { accountId, bytesMax, stored } = this.#options;
    return stored().uploads.begin(accountId, { bytesMax });
  }

  async #store(entry: Entry, file: Body, fieldErrors: FieldErrorList): Promise<void> {
    const stored = this.#options.stored();
    const blob = await (entry.upload ?? (await this.#begun())).finish();
    let isKept = false;
    try {
      const picture = await recognizedIn(stored, blob, this.#options.accountId);
      const before = fieldErrors.size;
      if (file['digest'] !== undefined && file['digest'] !== blob.digest)
        refuse(entry, 'digest', `is not the SHA-256 of the content, which is ${blob.digest}`, fieldErrors);
      if (file['bytes'] !== undefined && file['bytes'] !== blob.bytes)
        refuse(entry, 'bytes', `must be ${blob.bytes}, the size of the content`, fieldErrors);
      if ('fault' in picture) refuse(entry, contentMember, `is no picture: ${faultTexts[picture.fault]}`, fieldErrors);
      else if (file['type'] !== undefined && file['type'] !== picture.type)
        refuse(entry, 'type', `must be "${picture.type}", the type of the content`, fieldErrors);
      if (fieldErrors.size > before || 'fault' in picture) return;
      const [name, oldPath] = [file['name'] as string, file['url'] as string];
      this.#files.push({ name, oldPath, slug: this.#options.newSlug(), blob, picture });
      isKept = true;
    } finally {
      if (!isKept) blob.hold.release();
    }
  }
}

/** Adds an error of a member of the element, whose bytes are not stored then. */
function refuse(entry: Entry, member: string, detail: string, fieldErrors: FieldErrorList): void {
  entry.isRefused = true;
  fieldErrors.add(`${entry.pointer}/${member}`, detail);
}
