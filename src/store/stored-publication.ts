/** The publication of a project in memory: what is public. The bytes of its maps are blobs. */
import { type PublicationHead, type PublishedVersion, publishedVersionsMax } from '../model/publication.ts';

export interface Publication extends Omit<PublicationHead, 'newest'> {
  /** In the order in which they were published; at least one, at most {@link publishedVersionsMax}. */
  readonly versions: readonly PublishedVersion[];
  /** LSN of the newest record about the publication. */
  readonly lsn: number;
}

export function newestVersion({ versions }: Publication): PublishedVersion {
  return versions.at(-1) as PublishedVersion;
}

/** Bytes of the rules of a live map; 0 for a still map. */
export const rulesBytes = (publication: Pick<PublicationHead, 'live'> | undefined): number =>
  publication?.live?.rules.byteLength ?? 0;

/** The publication after a record. */
export function publishedWith(before: Publication | undefined, { newest, ...head }: PublicationHead, lsn: number): Publication {
  const present = before?.slug === head.slug ? before.versions : [];
  const kept = present.filter(({ version }) => version < newest.version);
  return { ...head, versions: [...kept, newest].slice(-publishedVersionsMax), lsn };
}
