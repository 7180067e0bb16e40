/**
 * The log between backups: sealed segments, copied as they are into a folder beside the backups, so that a restore can go to any point
 * between two of them. A copy is made like everything else that is to last:
 *
 *     read and verify the segment -> <name>.tmp, a megabyte at a time, each synced -> read back -> rename -> sync the folder
 *
 * A segment is mostly zeros when it was sealed early; a copy leaves a hole in the file instead and has the same size.
 */
import { basename, join } from 'node:path';
import { readSegment, type Segment } from '../journal/read-segment.ts';
import { listSegments, readSegmentHeader, type SegmentFile, segmentPath } from '../journal/segment.ts';
import { CorruptError, FolderError } from '../lib/errors.ts';
import { type Files, removeIfThere } from '../lib/files.ts';
import { stepBytes } from '../snapshot/chunk-writer.ts';
import { pause } from '../snapshot/fold.ts';
import { temporaryEnding } from '../snapshot/folder.ts';
import { logFolder } from './names.ts';

export interface KeepLogRequest {
  readonly journalFolder: string;
  /** The folder of backups. */
  readonly folder: string;
  /** Segments that hold a record above this one, */
  readonly above: number;
  /** and none above this one, which is the last of a sealed segment. */
  readonly to: number;
  readonly pauseMs: number;
}

/**
 * Copies segments that are not there yet. Throws {@link CorruptError} for one that does not verify, and what the disk says; the folder of
 * backups itself is not made.
 */
export function keepLog(files: Files, request: KeepLogRequest): void {
  const { journalFolder, folder, above, to, pauseMs } = request;
  // Throws where it is not there: what is made below would otherwise make it too, in the place where a disk was mounted.
  files.syncFolder(folder);
  const list = listSegments(files, journalFolder);
  const made = new Set<string>();
  list.forEach((file, at) => {
    const endsWith = (list[at + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) - 1;
    if (endsWith <= above || endsWith > to) return;
    const segment = readSegment(files, file);
    if (segment.end.kind !== 'sealed') throw new CorruptError(file.path, segment.end.offset, 'no seal where one was expected');
    const place = logFolder(folder, segment.header.lineage);
    if (!made.has(place)) makeFolderDurably(files, folder, place);
    made.add(place);
    const copy = join(place, basename(file.path));
    if (!isThere(files, segment, copy)) copySegment(files, segment, copy, pauseMs);
  });
}

/** `log` and the folder of the lineage in it; the folder of backups itself is there. */
function makeFolderDurably(files: Files, folder: string, place: string): void {
  files.makeFolder(place);
  files.syncFolder(folder);
  files.syncFolder(join(folder, 'log'));
}

/**
 * Whether the copy is there, whole. One that is not is written again. Throws {@link FolderError} for one that is whole and another: two
 * histories share a name, after one of them was copied, and neither may replace the other.
 */
function isThere(files: Files, segment: Segment, copy: string): boolean {
  if (!files.list(join(copy, '..')).includes(basename(copy))) return false;
  try {
    const present = readSegment(files, { firstLsn: segment.firstLsn, path: copy });
    if (present.bytes.equals(upToSeal(segment))) return true;
    if (present.end.kind !== 'sealed') return false;
    throw new FolderError(
      `${copy} holds other records than ${segment.path}: one of them is of a copy of the data folder. Nothing was replaced. Name another folder of backups.`,
    );
  } catch (error) {
    if (error instanceof CorruptError) return false;
    throw error;
  }
}

/** The segment as it is copied: what stands behind a seal was never part of the log. */
function upToSeal(segment: Segment): Buffer {
  const bytes = Buffer.alloc(segment.bytes.byteLength);
  segment.bytes.copy(bytes, 0, 0, segment.end.offset);
  return bytes;
}

function copySegment(files: Files, segment: Segment, copy: string, pauseMs: number): void {
  const temporary = copy + temporaryEnding;
  const bytes = upToSeal(segment);
  removeIfThere(files, temporary);
  try {
    const fd = files.open(temporary, 'wx+');
    try {
      for (let at = 0; at < segment.end.offset; at += stepBytes) {
        files.write(fd, bytes.subarray(at, Math.min(at + stepBytes, segment.end.offset)), at);
        files.sync(fd);
        pause(pauseMs);
      }
      // Its last byte is zero, unless the seal stands there: this gives the file its size.
      files.write(fd, bytes.subarray(-1), bytes.byteLength - 1);
      files.sync(fd);
    } finally {
      files.close(fd);
    }
    if (!readSegment(files, { firstLsn: segment.firstLsn, path: temporary }).bytes.equals(bytes))
      throw new CorruptError(temporary, 0, 'the copy of a segment reads back as something else');
    files.rename(temporary, copy);
    files.syncFolder(join(copy, '..'));
  } catch (error) {
    removeIfThere(files, temporary);
    throw error;
  }
}

/** The LSN up to which the log of a history is surely kept: what comes before the newest segment that is there. 0 when there is none. */
export function keptTo(files: Files, folder: string, lineage: string): number {
  return (keptSegments(files, folder, lineage).at(-1)?.firstLsn ?? 1) - 1;
}

/** The first LSN of the newest segment that is kept, which holds at least that record; 0 when there is none. */
export function newestKeptLsn(files: Files, folder: string, lineage: string): number {
  return keptSegments(files, folder, lineage).at(-1)?.firstLsn ?? 0;
}

/**
 * Path of a kept segment whose number a segment of this log has with another salt: an old copy of the data folder was put back, and went
 * on under the same lineage. Compares only numbers that both have; `undefined` when none differs.
 */
export function otherHistory(files: Files, journalFolder: string, folder: string, lineage: string): string | undefined {
  const own = new Map(listSegments(files, journalFolder).map(({ firstLsn, path }) => [firstLsn, path]));
  return keptSegments(files, folder, lineage).find(({ firstLsn, path }) => {
    const same = own.get(firstLsn);
    return same !== undefined && readSegmentHeader(files, same).salt !== readSegmentHeader(files, path).salt;
  })?.path;
}

/** Paths of copies that hold no record above `lsn`, the oldest first. */
export function coveredCopies(files: Files, folder: string, lineage: string, lsn: number): string[] {
  const list = keptSegments(files, folder, lineage);
  const covered = list.filter((_, at) => (list[at + 1]?.firstLsn ?? Number.POSITIVE_INFINITY) - 1 <= lsn);
  return covered.map(({ firstLsn }) => segmentPath(logFolder(folder, lineage), firstLsn));
}

function keptSegments(files: Files, folder: string, lineage: string): SegmentFile[] {
  return listSegments(files, logFolder(folder, lineage));
}
