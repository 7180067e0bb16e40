/**
 * The files of all projects and of published maps by their public addresses, and how often each blob is referred to. Kept by apply.ts from the records; made once
 * after a start (index-files.ts). A snapshot run has none.
 */
import type { ShownFile } from '../model/publication.ts';
import { fileAddress } from '../model/references/file-references.ts';
import type { Value } from '../model/value.ts';
import { BlobReferences } from './blob-references.ts';
import { type Blob, blobsIn, blobsOf, blobsOfMaps, referring } from './blobs-of.ts';
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

/** An account, as its blobs are counted. */
interface BlobAccount {
  readonly id: string;
  readonly projects: { values(): Iterable<StoredProject> };
}

/** A blob on disk that nothing refers to. */
export interface Unreferenced {
  /** LSN at which the last reference went, or at which the blob was found. */
  readonly goneAt: number;
  /** Size in bytes. */
  readonly bytes: number;
  /** The account that uploaded it, or had the last reference; '' if that is unknown. */
  readonly accountId: string;
  /** An upload of this run made it, and no record has referred to it: no snapshot, log or backup needs it. */
  isFresh: boolean;
  /** When the collector found it, Unix time in milliseconds; `undefined` before. */
  since: number | undefined;
}

export class FileIndex {
  readonly #files = new Map<string, IndexedFile>();
  readonly #shown = new Map<string, IndexedShownFile>();
  /** Of members of all projects, and of versions of maps. */
  readonly #blobs = new BlobReferences();
  /** Those of accounts whose bytes were asked for. */
  readonly #ofAccounts = new Map<string, BlobReferences>();
  /** Blobs without a reference, by digest. */
  readonly #unreferenced = new Map<string, Unreferenced>();
  /** Bytes of those, by account. */
  readonly #unreferencedBytes = new Map<string, number>();
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
  referenced(): IterableIterator<Blob, void> {
    return this.#blobs[Symbol.iterator]();
  }

  /** The blobs of an account: of its files, versions and published maps. The first call for an account counts them; they are kept from then on. */
  ofAccount({ id, projects }: BlobAccount): BlobReferences {
    const present = this.#ofAccounts.get(id);
    if (present !== undefined) return present;
    const counted = new BlobReferences();
    for (const project of projects.values()) for (const blob of blobsIn(project)) counted.add(blob);
    if (counted.size > 0) this.#ofAccounts.set(id, counted);
    return counted;
  }

  isReferenced(digest: string): boolean {
    return this.#blobs.has(digest);
  }

  /** Size of all blobs that something refers to, in bytes. */
  get referencedBytes(): number {
    return this.#blobs.bytes;
  }

  /** Blobs without a reference, by digest. */
  unreferenced(): ReadonlyMap<string, Unreferenced> {
    return this.#unreferenced;
  }

  /** Bytes of the blobs without a reference, by account; of those whose account is unknown under ''. */
  unreferencedBytes(): ReadonlyMap<string, number> {
    return this.#unreferencedBytes;
  }

  /** Notes a blob on disk that nothing refers to: an upload has stored it, or it is left of one that crashed. */
  foundUnreferenced(digest: string, goneAt: number, found: Partial<Omit<Unreferenced, 'goneAt'>> = {}): void {
    if (this.#blobs.has(digest)) return;
    const known = this.#unreferenced.get(digest);
    if (known !== undefined) known.isFresh ||= found.isFresh === true;
    else this.#note(digest, { goneAt, bytes: 0, accountId: '', isFresh: false, since: undefined, ...found });
  }

  /** The blob is gone from the disk, or something refers to it. */
  forget(digest: string): void {
    const known = this.#unreferenced.get(digest);
    if (known === undefined) return;
    this.#unreferenced.delete(digest);
    this.#count(known, -1);
  }

  /** Notes that a file or a version was put or deleted. @param lsn of the record */
  replace(project: StoredProject, before: Value | undefined, after: Value | undefined, lsn: number): void {
    // The new references first: a blob that both have never loses its last one.
    if (after !== undefined) {
      for (const blob of blobsOf(after)) this.#refer(project.accountId, blob);
      if (slugOf(after) !== '') this.#files.set(slugOf(after), { project, id: after.id });
    }
    if (before === undefined) return;
    this.version = lsn;
    for (const { digest } of blobsOf(before)) this.#release(project.accountId, digest, lsn);
    const slug = slugOf(before);
    if (after === undefined || slugOf(after) !== slug) this.#files.delete(slug);
  }

  /** Notes that a project was published, or made private. @param lsn of the record */
  replacePublication(accountId: string, before: Publication | undefined, after: Publication | undefined, lsn: number): void {
    // The new references first, as above.
    for (const blob of blobsOfMaps(after)) this.#refer(accountId, blob);
    if (before !== undefined) {
      this.version = lsn;
      for (const { digest } of blobsOfMaps(before)) this.#release(accountId, digest, lsn);
      for (const { files } of before.versions) for (const { slug } of files) this.#shown.delete(slug);
    }
    if (after === undefined) return;
    for (const { files } of after.versions) for (const file of files) this.#shown.set(file.slug, { publication: after, file });
  }

  /** Notes all files and versions of a project that was attached to the state, and its publication. */
  addProject(project: StoredProject, lsn: number): void {
    for (const value of referring(project)) this.replace(project, undefined, value, lsn);
    this.replacePublication(project.accountId, undefined, project.publication, lsn);
  }

  /** Notes that a project was deleted. */
  removeProject(project: StoredProject, lsn: number): void {
    for (const value of referring(project)) this.replace(project, value, undefined, lsn);
    this.replacePublication(project.accountId, project.publication, undefined, lsn);
  }

  #refer(accountId: string, blob: Blob): void {
    this.forget(blob.digest);
    this.#blobs.add(blob);
    this.#ofAccounts.get(accountId)?.add(blob);
  }

  #release(accountId: string, digest: string, lsn: number): void {
    const bytes = this.#blobs.remove(digest);
    if (bytes !== undefined) this.#note(digest, { goneAt: lsn, bytes, accountId, isFresh: false, since: undefined });
    const ofAccount = this.#ofAccounts.get(accountId);
    if (ofAccount?.remove(digest) !== undefined && ofAccount.size === 0) this.#ofAccounts.delete(accountId);
  }

  #note(digest: string, unreferenced: Unreferenced): void {
    this.#unreferenced.set(digest, unreferenced);
    this.#count(unreferenced, 1);
  }

  #count({ accountId, bytes }: Unreferenced, times: 1 | -1): void {
    const sum = (this.#unreferencedBytes.get(accountId) ?? 0) + times * bytes;
    if (sum > 0) this.#unreferencedBytes.set(accountId, sum);
    else this.#unreferencedBytes.delete(accountId);
  }
}

/** The slug of a file; '' for a version. */
const slugOf = ({ url }: Value): string => (typeof url === 'string' ? (fileAddress(url)?.slug ?? '') : '');
