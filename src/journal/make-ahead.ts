/**
 * Makes a segment ahead of its use, wholly on the disk before anybody counts on it: the spare (make-spare.ts), and what holds a large record
 * (large-record.ts).
 *
 *     create NAME.tmp -> contents, 1 MiB at a time, each synced -> header -> sync -> rename to NAME -> sync the folder
 *
 * It is written in steps because the disk is shared: a 16 MiB burst would stand in the way of the flusher's next sync, one step
 * and a pause hardly do. The steps are synced for the same reason, and so that a full disk shows here and never later.
 *
 * Failing changes nothing: what was begun is removed, and the next try starts over.
 */
import path from 'node:path';
import { type Files, removeIfThere } from '../lib/files.ts';
import { encodeSegmentHeader, type SegmentHeader } from './segment.ts';

export const stepBytes = 1024 * 1024;

export interface Ahead {
  readonly folder: string;
  /** What it is called until it becomes a segment of the log. */
  readonly name: string;
  readonly header: SegmentHeader;
}

/**
 * Makes the segment, throwing what the disk says. `contents` gives the step that begins at a byte of it, the place of the header included.
 * `goOn` is called after each step: it may pause, and ends the work by answering false, in which case nothing is left behind.
 *
 * @returns whether it is there
 */
export function makeAhead(files: Files, ahead: Ahead, contents: (at: number) => Uint8Array, goOn: () => boolean): boolean {
  const { folder, name } = ahead;
  removeAhead(files, folder, name);
  try {
    const finished = path.join(folder, name);
    if (!write(files, tmpOf(finished), ahead, contents, goOn)) {
      removeAhead(files, folder, name);
      return false;
    }
    files.rename(tmpOf(finished), finished);
    files.syncFolder(folder);
    return true;
  } catch (error) {
    try {
      removeAhead(files, folder, name);
    } catch {
      // The first error is the one that matters, and the next try removes it again.
    }
    throw error;
  }
}

function write(files: Files, tmp: string, { header }: Ahead, contents: (at: number) => Uint8Array, goOn: () => boolean): boolean {
  const { segmentBytes } = header;
  const fd = files.open(tmp, 'wx+');
  try {
    for (let at = 0; at < segmentBytes; at += stepBytes) {
      files.write(fd, contents(at).subarray(0, Math.min(stepBytes, segmentBytes - at)), at);
      files.sync(fd);
      if (!goOn()) return false;
    }
    files.write(fd, encodeSegmentHeader(header), 0);
    files.sync(fd);
    return true;
  } finally {
    files.close(fd);
  }
}

/** Removes what was made under a name, finished or not. */
export function removeAhead(files: Files, folder: string, name: string): void {
  const finished = path.join(folder, name);
  for (const file of [tmpOf(finished), finished]) removeIfThere(files, file);
}

function tmpOf(finished: string): string {
  return `${finished}.tmp`;
}
