/**
 * The files of all projects and of published maps by their public addresses, and how often each blob is referred to. Kept by apply.ts from the records; made once
 * after a start (index-files.ts). A snapshot run has none.
 */
import type { ShownFile } from '../model/publication.ts';
import { fileAddress } from '../model/references/file-references.ts';
import type { Value } from '../model/value.ts';
import { blobsOf, blobsOfMaps } from './blobs-of.ts';
import type { StoredProject } from './stored-project.ts';
import type { Publication } from './stored-publication.ts';

/** A file, and the project that has it. */
export interface IndexedFile {
  readonly project: StoredProject;
  readonly id: string;
}

/** A file that a published map shows, and the publication. */
export interface IndexedShownFile {
  readonly publication: Publication;
  readonly file: ShownFile;
}

interface Blob {
  /** Members of all projects, and versions of maps, that refer to it. */
  references: number;
  readonly bytes: number;
}

export class FileIndex {
  readonly #files = new Map<string, IndexedFile>();
  readonly #shown = new Map<string, IndexedShownFile>();
  readonly #blobs = new Map<string, Blob>();
  /** Blobs without a reference: the LSN of the record that removed the last one. */
  readonly #unreferenced = new Map<string, number>();
  /** LSN of the newest record that removed a file: every answer that an address is unknown depends on it. */
  version: number;

  /** @param lsn of the state: what is unreferenced now became so at the latest then */
  constructor(lsn: number) {
    this.version = lsn;
  }

  /** The file with a public address. */
  find(slug: string): IndexedFile | undefined {
    return this.#files.get(slug);
  }

  /** The public addresses of all files, also of those that only a published map shows. */
  *slugs(): Generator<string> {
    yield* this.#files.keys();
    for (const slug of this.#shown.keys()) if (!this.#files.has(slug)) yield slug;
  }

  /** The file with a public address that a published map shows, also when its project does not have it any more. */
  findShown(slug: string): IndexedShownFile | undefined {
    return this.#shown.get(slug);
  }

  /** Digests and sizes of all blobs that something refers to. */
  *referenced(): Generator<{ readonly digest: string; readonly bytes: number }> {
    for (const [digest, { bytes }] of this.#blobs) yield { digest, bytes };
  }

  isReferenced(digest: string): boolean {
    return this.#blobs.has(digest);
  }

  /** Blobs without a reference, and the LSN at which the last one went. */
  *unreferenced(): Generator<{ readonly digest: string; readonly goneAt: number }> {
    for (const [digest, goneAt] of this.#unreferenced) yield { digest, goneAt };
  }

  /** Notes a blob on disk that nothing refers to: of a crashed or refused upload. */
  foundUnreferenced(digest: string, lsn: number): void {
    if (!this.#blobs.has(digest) && !this.#unreferenced.has(digest)) this.#unreferenced.set(digest, lsn);
  }

  /** The blob is gone from the disk. */
  forget(digest: string): void {
    this.#unreferenced.delete(digest);
  }

  /** Notes that a file or a version was put or deleted. @param lsn of the record */
  replace(project: StoredProject, before: Value | undefined, after: Value | undefined, lsn: number): void {
    // The new references first: a blob that both have never loses its last one.
    if (after !== undefined) {
      for (const { digest, bytes } of blobsOf(after)) this.#refer(digest, bytes);
      if (slugOf(after) !== '') this.#files.set(slugOf(after), { project, id: after.id });
    }
    if (before === undefined) return;
    this.version = lsn;
    for (const { digest } of blobsOf(before)) this.#release(digest, lsn);
    const slug = slugOf(before);
    if (after === undefined || slugOf(after) !== slug) this.#files.delete(slug);
  }

  /** Notes that a project was published, or made private. @param lsn of the record */
  replacePublication(before: Publication | undefined, after: Publication | undefined, lsn: number): void {
    // The new references first, as above.
    for (const { digest, bytes } of blobsOfMaps(after?.versions ?? [])) this.#refer(digest, bytes);
    if (before !== undefined) {
      this.version = lsn;
      for (const { digest } of blobsOfMaps(before.versions)) this.#release(digest, lsn);
      for (const { files } of before.versions) for (const { slug } of files) this.#shown.delete(slug);
    }
    if (after === undefined) return;
    for (const { files } of after.versions) for (const file of files) this.#shown.set(file.slug, { publication: after, file });
  }

  /** Notes all files and versions of a project that was attached to the state, and its publication. */
  addProject(project: StoredProject, lsn: number): void {
    for (const value of referring(project)) this.replace(project, undefined, value, lsn);
    this.replacePublication(undefined, project.publication, lsn);
  }

  /** Notes that a project was deleted. */
  removeProject(project: StoredProject, lsn: number): void {
    for (const value of referring(project)) this.replace(project, value, undefined, lsn);
    this.replacePublication(project.publication, undefined, lsn);
  }

  #refer(digest: string, bytes: number): void {
    this.#unreferenced.delete(digest);
    const blob = this.#blobs.get(digest);
    if (blob === undefined) this.#blobs.set(digest, { references: 1, bytes });
    else blob.references++;
  }

  #release(digest: string, lsn: number): void {
    const blob = this.#blobs.get(digest);
    if (blob === undefined || --blob.references > 0) return;
    this.#blobs.delete(digest);
    this.#unreferenced.set(digest, lsn);
  }
}

/** The slug of a file; '' for a version. */
const slugOf = ({ url }: Value): string => (typeof url === 'string' ? (fileAddress(url)?.slug ?? '') : '');

/** The members of a project that refer to blobs. */
function* referring(project: StoredProject): Generator<Value> {
  for (const name of ['files', 'versions'] as const)
    for (const { value } of project.collection(name, '')?.capture() ?? []) yield value;
}
