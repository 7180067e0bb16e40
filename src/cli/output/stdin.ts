/** Buffers standard input in a file, because a retry may have to send it again. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../../lib/files/files.ts';
import { UsageError } from '../option-parsing.ts';

/** Copies standard input to an unnamed temporary file and returns its descriptor. Throws a {@link UsageError} at a terminal. */
export async function bufferStandardInput(): Promise<number> {
  if (process.stdin.isTTY) throw new UsageError('Standard input is a terminal. Redirect a file into it, or name the file.');
  const folder = fs.mkdtempSync(join(os.tmpdir(), 'mapwright-'));
  const path = join(folder, 'stdin');
  let fd: number;
  try {
    // Project contents may be confidential, so the file is private.
    fd = nodeFiles.open(path, 'wx+');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  let at = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    nodeFiles.write(fd, piece, at);
    at += piece.length;
  }
  return fd;
}
