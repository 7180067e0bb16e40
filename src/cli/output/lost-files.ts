/** Files of projects whose bytes are missing or damaged, in the output of commands. */
import { describeLost, type LostBlob } from '../../storage/snapshot/files/needed-blobs.ts';

export function lostAsJson({ projectId: project_id, kind, name, files, digest, bytes, path, offset, problem }: LostBlob): object {
  return { project_id, kind, name, files, digest, bytes, file: path, offset, problem };
}

/** @param remedy what to do */
export function lostLines(lost: readonly LostBlob[], remedy: string): string[] {
  if (lost.length === 0) return [];
  return ['Lost:', ...lost.map((blob) => `  ${describeLost(blob)} (${blob.path})`), remedy];
}
