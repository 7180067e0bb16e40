/** Deletes segments that a snapshot covers. Recovery reads none of them, so any of them may stay: a gap below the snapshot is no damage. */
import { type Deletion, deleteFiles, type Files } from '../../lib/files/files.ts';

export interface TrimOrder {
  readonly folder: string;
  /** Oldest first. */
  readonly paths: readonly string[];
}

export type TrimResult = Deletion;

export function trimSegments(files: Files, { paths }: TrimOrder): TrimResult {
  return deleteFiles(files, paths);
}
