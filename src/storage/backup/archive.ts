/**
 * The log archive: sealed segments are copied unchanged into a folder next to the backups, so that a restore can reach any point between
 * two of them. Each copy is made durable like this:
 *
 *     read and verify the segment -> <name>.tmp, a megabyte at a time, each synced -> read back -> rename -> sync the folder
 *
 * A segment that was sealed early is mostly zeros. Its copy has the same size, with a hole in the file instead of the zeros.
 */
import { basename, join } from 'node:path';
import { CorruptError, FolderError } from '../../lib/errors.ts';
import { type Files, removeIfThere } from '../../lib/files/files.ts';
import { pause } from '../../lib/threads/pause.ts';
import { writeStepBytes } from '../snapshot/chunk-writer.ts';
import { loggedFiles } from '../snapshot/files/logged-files.ts';
import { neededBlobs } from '../snapshot/files/needed-blobs.ts';
import { type BlobFolders, BlobKeeper, type LostBlobName } from '../snapshot/run/blob-keeper.ts';
import { temporaryEnding } from '../snapshot/snapshot-folder.ts';
import { listSegments, readSegmentHeader, type SegmentFile, segmentPath } from '../wal/format/segment.ts';
import { readSegment, type Segment } from '../wal/read/read-segment.ts';
import { logFolder } from './backup-names.ts';

interface ArchiveRequest {
  readonly journalFolder: string;
  /** The backup folder. */
  readonly folder: string;
  /** Archives only segments that hold a record above this LSN. */
  readonly above: number;
  /** Archives only segments that hold no record above this LSN, which is the last one of a sealed segment. */
  readonly to: number;
  readonly pauseMs: number;
  /** `undefined`: no file has blobs. */
  readonly blobs?: BlobFolders;
}

interface ArchiveReport {
  /** Blobs that archived records need and that are missing or damaged in the data folder. */
  readonly lostBlobs: readonly LostBlobName[];
}

/**
 * Copies segments that are not archived yet. Throws {@link CorruptError} for a segment that fails verification, and the error of the disk.
 * It never creates the backup folder. The blobs that a segment needs are durable beside the backups before its copy gets its name.
 */
export function archiveSegments(files: Files, request: ArchiveRequest): ArchiveReport {
  const { journalFolder, folder, above, to, pauseMs } = request;
  const keeper = request.blobs && new BlobKeeper(files, request.blobs, undefined, pauseMs);
  // Throws if the folder is missing. Otherwise the calls below would create it on another disk, in place of a mount point.
  files.syncFolder(folder);
  const list = listSegments(files, journalFolder);
  const created = new Set<string>();
  list.forEach((file, at) => {
    const endsWith = (list[at + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) - 1;
    if (endsWith <= above || endsWith > to) return;
    const segment = readSegment(files, file);
    if (segment.end.kind !== 'sealed') throw new CorruptError(file.path, segment.end.offset, 'no seal where one was expected');
    const archive = logFolder(folder, segment.header.lineage);
    if (!created.has(archive)) makeFolderDurably(files, folder, archive);
    created.add(archive);
    const copy = join(archive, basename(file.path));
    if (isThere(files, segment, copy)) return;
    copySegment(files, segment, copy, pauseMs, () => keeper?.copyAll(neededBlobs(loggedFiles(segment)).values()));
  });
  return { lostBlobs: keeper?.lost ?? [] };
}

/** Creates `log` and the folder of the lineage in it. The backup folder exists already. */
function makeFolderDurably(files: Files, folder: string, archive: string): void {
  files.makeFolder(archive);
  files.syncFolder(folder);
  files.syncFolder(join(folder, 'log'));
}

/**
 * Whether a whole copy exists. A damaged copy is written again. Throws {@link FolderError} for a whole copy with other records: two
 * histories share a lineage, after one folder was copied, and neither may overwrite the other.
 */
function isThere(files: Files, segment: Segment, copy: string): boolean {
  if (!files.list(join(copy, '..')).includes(basename(copy))) return false;
  try {
    const present = readSegment(files, { firstLsn: segment.firstLsn, path: copy });
    if (present.bytes.equals(upToSeal(segment))) return true;
    if (present.end.kind !== 'sealed') return false;
    throw new FolderError(
      `${copy} holds other records than ${segment.path}: one of the two comes from a copied data folder. Nothing was overwritten. Use another backup folder.`,
    );
  } catch (error) {
    if (error instanceof CorruptError) return false;
    throw error;
  }
}

/** The bytes of the segment up to its seal. Bytes after a seal were never part of the log. */
function upToSeal(segment: Segment): Buffer {
  const bytes = Buffer.alloc(segment.bytes.byteLength);
  segment.bytes.copy(bytes, 0, 0, segment.end.offset);
  return bytes;
}

/** @param beforeName called when the copy is complete, except for its name */
function copySegment(files: Files, segment: Segment, copy: string, pauseMs: number, beforeName: () => void): void {
  const temporary = copy + temporaryEnding;
  const bytes = upToSeal(segment);
  removeIfThere(files, temporary);
  try {
    const fd = files.open(temporary, 'wx+');
    try {
      for (let at = 0; at < segment.end.offset; at += writeStepBytes) {
        files.write(fd, bytes.subarray(at, Math.min(at + writeStepBytes, segment.end.offset)), at);
        files.sync(fd);
        pause(pauseMs);
      }
      // Gives the file its full size: the last byte is zero, unless it belongs to the seal.
      files.write(fd, bytes.subarray(-1), bytes.byteLength - 1);
      files.sync(fd);
    } finally {
      files.close(fd);
    }
    if (!readSegment(files, { firstLsn: segment.firstLsn, path: temporary }).bytes.equals(bytes))
      throw new CorruptError(temporary, 0, 'the copy of a segment does not read back as it was written');
    beforeName();
    files.rename(temporary, copy);
    files.syncFolder(join(copy, '..'));
  } catch (error) {
    removeIfThere(files, temporary);
    throw error;
  }
}

/** The LSN up to which the log of a history is known to be archived: all before the newest archived segment. 0 if there is none. */
export function archivedTo(files: Files, folder: string, lineage: string): number {
  return (archivedSegments(files, folder, lineage).at(-1)?.firstLsn ?? 1) - 1;
}

/** The first LSN of the newest archived segment, which holds at least that record; 0 if there is none. */
export function newestArchivedLsn(files: Files, folder: string, lineage: string): number {
  return archivedSegments(files, folder, lineage).at(-1)?.firstLsn ?? 0;
}

/**
 * Path of an archived segment whose number exists in this log with another salt. This happens if an old copy of the data folder was put
 * back and continued under the same lineage. Compares only numbers that both have; `undefined` if none differs.
 */
export function findForeignSegment(files: Files, journalFolder: string, folder: string, lineage: string): string | undefined {
  const own = new Map(listSegments(files, journalFolder).map(({ firstLsn, path }) => [firstLsn, path]));
  return archivedSegments(files, folder, lineage).find(({ firstLsn, path }) => {
    const same = own.get(firstLsn);
    return same !== undefined && readSegmentHeader(files, same).salt !== readSegmentHeader(files, path).salt;
  })?.path;
}

/** Paths of archived segments that hold no record above `lsn`, oldest first. */
export function coveredCopies(files: Files, folder: string, lineage: string, lsn: number): string[] {
  const list = archivedSegments(files, folder, lineage);
  const covered = list.filter((_, at) => (list[at + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) - 1 <= lsn);
  return covered.map(({ firstLsn }) => segmentPath(logFolder(folder, lineage), firstLsn));
}

function archivedSegments(files: Files, folder: string, lineage: string): SegmentFile[] {
  return listSegments(files, logFolder(folder, lineage));
}
