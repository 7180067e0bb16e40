/** Deletes segments that a snapshot covers. */
import { type Files, removeIfThere } from '../lib/files.ts';

export interface TrimOrder {
  readonly folder: string;
  /** Oldest first: what is left always goes on without a gap up to the newest record. */
  readonly paths: readonly string[];
}

export interface TrimResult {
  readonly removed: readonly string[];
  /** Why it ended early. */
  readonly error?: string;
}

/** Deletes in order up to the first failure, which is harmless: recovery does not read what a snapshot covers. */
export function trimSegments(files: Files, order: TrimOrder): TrimResult {
  const removed: string[] = [];
  try {
    for (const file of order.paths) {
      removeIfThere(files, file);
      removed.push(file);
    }
    files.syncFolder(order.folder);
    return { removed };
  } catch (error) {
    return { removed, error: String(error) };
  }
}
