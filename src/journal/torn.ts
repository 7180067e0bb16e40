/**
 * The torn tail: what recovery cuts off the end of the log is copied beside its segment, as `<segment>.torn`, for people to look
 * at. Nothing reads it, so nothing depends on it: a copy that fails is reported and forgotten.
 */
import path from 'node:path';
import { type Files, removeIfThere } from '../lib/files.ts';
import type { Log } from '../lib/log.ts';
import type { Segment } from './read-segment.ts';
import type { Cut } from './recover.ts';

const copiesMax = 9;

/**
 * Copies and reports what is cut off. An earlier copy stays, and this one gets a number: that one may come from a settling which a
 * crash cut short, when this one is already half zeros.
 */
export function keepTorn(files: Files, cut: Cut, segment: Segment, log: Log | undefined): void {
  const fields = { file: cut.path, offset: cut.offset, bytes: cut.bytes };
  let copy: string | undefined;
  try {
    copy = freeName(files, cut.path);
    if (copy !== undefined) writeWhole(files, copy, segment.bytes.subarray(cut.offset, cut.offset + cut.bytes));
    log?.warn({ ...fields, copy }, `cut a torn tail off the log: ${cut.found}`);
  } catch (error) {
    log?.warn({ ...fields, error: String(error) }, `cut a torn tail off the log, of which no copy could be kept: ${cut.found}`);
    if (copy !== undefined) removeQuietly(files, copy);
  }
}

function freeName(files: Files, segment: string): string | undefined {
  const taken = new Set(files.list(path.dirname(segment)));
  const names = Array.from({ length: copiesMax }, (_, i) => `${segment}.torn${i === 0 ? '' : `-${i + 1}`}`);
  return names.find((name) => !taken.has(path.basename(name)));
}

function writeWhole(files: Files, file: string, bytes: Uint8Array): void {
  const fd = files.open(file, 'wx+');
  try {
    files.write(fd, bytes, 0);
    files.sync(fd);
  } finally {
    files.close(fd);
  }
}

function removeQuietly(files: Files, file: string): void {
  try {
    removeIfThere(files, file);
  } catch {
    // It was reported already.
  }
}
