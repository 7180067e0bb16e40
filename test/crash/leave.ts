/** What power cuts in the middle of a workload leave: one of the legal states, picked by hand. */
import type { Contents, Disk } from '../disk/disk.ts';
import { written } from '../disk/file.ts';

/** All that a process sees, names and bytes. */
export const standing = (disk: Disk): Contents => disk.contents();

/** All names; of every file what was synced, and the first unsynced write up to its byte `bytes`. */
export const torn = (disk: Disk, bytes: number): Contents =>
  disk.contents(({ durable, unsynced: [write] }) =>
    write === undefined ? durable : written(durable, [{ ...write, bytes: write.bytes.subarray(0, bytes) }]),
  );
