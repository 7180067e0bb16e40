/**
 * The files of all projects by their public addresses, and how often each blob is referred to. Kept by apply.ts from the records; made once
 * after a start (index-files.ts). A snapshot run has none.
 */
import { fileAddress } from '../model/references/file-references.ts';
import type { Value } from '../model/value.ts';
import { blobsOf } from './blobs-of.ts';
import type { StoredProject } from './stored-project.ts';

/** A file, and the project that has it. */
export interface IndexedFile {
  readonly project: StoredProject;
  readonly id: string;
}

interface Blob {
  /** Members of all projects that refer to it. */
  references: number;
  readonly bytes: number;
}

export class FileIndex {
  readonly #files = new Map<string, IndexedFile>();
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

  /** The public addresses of all files. */
  slugs(): Iterable<string> {
    return this.#files.keys();
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

  /** Notes all files and versions of a project that was attached to the state. */
  addProject(project: StoredProject, lsn: number): void {
    for (const value of referring(project)) this.replace(project, undefined, value, lsn);
  }

  /** Notes that a project was deleted. */
  removeProject(project: StoredProject, lsn: number): void {
    for (const value of referring(project)) this.replace(project, value, undefined, lsn);
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
