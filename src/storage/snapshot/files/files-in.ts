/** What needs blobs in the projects of a snapshot or a backup, and the list of blobs of a backup. */
import { isBesideDocument, resourceOf } from '../../../model/resources.ts';
import { unpackMembers } from '../../../store/rows/member-rows.ts';
import { type BlobEntry, unpackBlobs } from '../format/blob-rows.ts';
import type { SnapshotReader } from '../reader.ts';
import { type BlobUser, userOfMap, userOfRow } from './needed-blobs.ts';

/** The files, versions and published maps of all projects. Throws {@link CorruptError}. */
export function* filesIn(reader: SnapshotReader): Generator<BlobUser, void> {
  for (const { id: projectId, collections, publication } of reader.projects) {
    for (const { name, leaves } of collections) {
      if (!isBesideDocument(name)) continue;
      for (const leaf of leaves) {
        const members = reader.decoding(leaf, (payload) => unpackMembers(resourceOf[name], payload));
        for (const { value } of members) yield userOfRow(projectId, name, value);
      }
    }
    for (const version of publication?.versions ?? []) yield userOfMap(projectId, version);
  }
}

/** The list of blobs; only a backup has one. Throws {@link CorruptError}. */
export function* listedBlobs(reader: SnapshotReader): Generator<BlobEntry, void> {
  for (const ref of reader.root.blobs) yield* reader.decoding(ref, (payload) => unpackBlobs(payload, reader.lsn));
}
