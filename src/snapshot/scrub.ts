/**
 * Looks for rot in a snapshot that nobody reads while the server runs: a bounded part of it each time, going on from where the last look
 * ended. So what a look costs does not grow with what is stored, and every byte is looked at some time. A file that is gone is told at once.
 */
import { neighbours } from './chunk-files.ts';
import { type ChunkRef, chunkBytes } from './format.ts';
import { type GroupEntry, refsOf } from './index-format.ts';
import type { SnapshotReader } from './reader.ts';

/** Bytes between two pauses. */
const stepBytes = 1024 * 1024;

/**
 * Throws {@link CorruptError} for what it finds.
 *
 * @param from the group of projects to begin with
 * @param bytesMax how much to read, beside accounts and keys; a group that was begun is read whole
 * @param afterStep called after each megabyte
 * @returns the group to go on with; 0 after the last
 */
export function scrub(reader: SnapshotReader, from: number, bytesMax: number, afterStep: () => void): number {
  const { accounts, keys, groups = [] } = reader.root;
  for (const file of reader.refersTo) reader.chunkFiles.sizeOf(file);
  let step = 0;
  const verify = (refs: readonly ChunkRef[]) => {
    for (const near of neighbours(refs)) {
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
