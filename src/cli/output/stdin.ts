/** Files that a command reads. Standard input is buffered in a file, because a retry may have to send it again. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { nodeFiles } from '../../lib/files/files.ts';
import { standardInput } from '../arguments.ts';
import { UsageError } from '../option-parsing.ts';

/** The name of a file in messages. */
export const inputName = (file: string): string => (file === standardInput ? 'standard input' : file);

/** Standard input, which can be opened more than once. */
let buffered: Promise<number> | undefined;

/** Opens a file, or standard input, and closes it when `use` has ended. Throws a {@link UsageError} if standard input is a terminal. */
export async function withInput<T>(file: string, use: (fd: number) => T | Promise<T>): Promise<T> {
  if (file === standardInput) {
    buffered ??= bufferStandardInput();
    return await use(await buffered);
  }
  const fd = fs.openSync(file, 'r');
  try {
    return await use(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Copies standard input to an unnamed temporary file and returns its descriptor. Throws a {@link UsageError} at a terminal. */
async function bufferStandardInput(): Promise<number> {
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
