/**
 * Scrubbing: finds bit rot in a snapshot that is not read while the server runs. Each run verifies a bounded part and continues after the
 * previous one. So its cost does not grow with the stored data, and every byte is verified eventually. A missing file is reported
 * immediately.
 */
import { coalesce } from './chunk-files.ts';
import { type GroupEntry, refsOf } from './format/index-format.ts';
import { type ChunkRef, chunkBytes } from './format/snapshot-format.ts';
import type { SnapshotReader } from './reader.ts';

/** Number of bytes between two pauses. */
const stepBytes = 1024 * 1024;

/**
 * Throws {@link CorruptError} for the first damage.
 *
 * @param from index of the first group of projects
 * @param bytesMax number of bytes to read, in addition to accounts and keys; the last group is read completely
 * @param afterStep called after each MiB
 * @returns index of the group to continue with; 0 after the last
 */
export function scrub(reader: SnapshotReader, from: number, bytesMax: number, afterStep: () => void): number {
  const { accounts, keys, groups = [] } = reader.root;
  for (const file of reader.dependencies) reader.chunkFiles.sizeOf(file);
  let step = 0;
  const verify = (refs: readonly ChunkRef[]) => {
    for (const near of coalesce(refs)) {
      reader.chunkFiles.verify(near);
      step += sizeOf(near);
      if (step < stepBytes) continue;
      step = 0;
      afterStep();
    }
  };
  verify([...accounts, ...keys]);
  let bytes = 0;
  for (let i = from < groups.length ? from : 0; i < groups.length; i++) {
    if (bytes >= bytesMax) return i;
    const group = groups[i] as GroupEntry;
    const refs = reader.groupEntries(group, groups[i - 1]).flatMap(refsOf);
    verify(refs);
    bytes += sizeOf([group, ...refs]);
  }
  return 0;
}

const sizeOf = (refs: readonly ChunkRef[]): number => refs.reduce((sum, ref) => sum + chunkBytes(ref), 0);
