/** The publication of a project in memory: what is public, with the compressed bytes of its newest versions. */
import { type PublicationHead, type PublishedVersion, publishedVersionsMax } from '../model/publication.ts';

interface StoredVersion extends PublishedVersion {
  /** The JSON, compressed with gzip. */
  readonly content: () => Uint8Array;
}

export interface Publication extends Omit<PublicationHead, 'newest'> {
  /** In the order in which they were published; at least one, at most {@link publishedVersionsMax}. */
  readonly versions: readonly StoredVersion[];
  /** LSN of the newest record about the publication. */
  readonly lsn: number;
}

export function newestVersion({ versions }: Publication): StoredVersion {
  return versions.at(-1) as StoredVersion;
}

/** Bytes of all versions, and of the rules. */
export function publicationBytes(publication: Publication | undefined): number {
  if (publication === undefined) return 0;
  return publication.versions.reduce((sum, { bytes }) => sum + bytes, rulesBytes(publication));
}

/** Bytes of the rules of a live map; 0 for a still map. */
export const rulesBytes = (publication: Pick<PublicationHead, 'live'> | undefined): number =>
  publication?.live?.rules.byteLength ?? 0;

/**
 * The publication after a record.
 *
 * @param content the bytes of a new version; `undefined` if the record changes only the head
 * @returns `undefined` if the record presupposes a version that is missing
 */
export function publishedWith(
  before: Publication | undefined,
  { newest, ...head }: PublicationHead,
  content: Uint8Array | undefined,
  lsn: number,
): Publication | undefined {
  const present = before?.slug === head.slug ? before.versions : [];
  const kept = present.filter(({ version }) => version < newest.version);
  const bytes = content === undefined ? present.find(({ version }) => version === newest.version)?.content : () => content;
  if (bytes === undefined) return undefined;
  return { ...head, versions: [...kept, { ...newest, content: bytes }].slice(-publishedVersionsMax), lsn };
}
