/** Standard input, kept: what is sent may have to be sent again, to a server that is busy. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../lib/files.ts';
import { UsageError } from './options.ts';

/** All of it, in a file without a name, which goes with its descriptor. Throws a {@link UsageError} where somebody would have to type it. */
export async function keptStandardInput(): Promise<number> {
  if (process.stdin.isTTY) throw new UsageError('Nothing comes from standard input: hand it a file, or name one.');
  const folder = fs.mkdtempSync(join(os.tmpdir(), 'mapwright-'));
  const path = join(folder, 'stdin');
  let fd: number;
  try {
    // What clients put into a project may be secret.
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
