/** Creates projects on a running server from exported files. */

import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { JsonParts, type Plan } from '../../../lib/json/json-parts.ts';
import { base64Length, base64Pieces } from '../../../lib/text/base64-pieces.ts';
import type { OnProgress } from '../../../lib/threads/progress-counter.ts';
import { contentMember } from '../../../model/document.ts';
import { projects } from '../../../model/resources.ts';
import type { ApiClient } from '../../api-client.ts';
import { ApiError } from '../../api-error.ts';
import { plural, shellWord } from '../../output/format-values.ts';
import { withProgress } from '../../output/progress.ts';
import { inputName, withInput } from '../../output/stdin.ts';
import { printJson } from '../../output/stdout.ts';
import {
  PictureList,
  type PictureToAdd,
  partBytesMax,
  pictureFolder,
  picturesBeside,
  planOf,
} from '../export/document-pictures.ts';

export interface ImportedProject {
  readonly file: string;
  readonly id: string;
  readonly name: string;
}

/** Bytes that are read from a file in one step. */
const pieceBytes = 256 * 1024;

const read = promisify(fs.read);

/** Creates the projects of each file, in order. Prints and returns them. */
export async function importFiles(
  client: ApiClient,
  files: readonly string[],
  json: boolean,
): Promise<readonly ImportedProject[]> {
  const imported: ImportedProject[] = [];
  for (const [at, file] of files.entries()) {
    const created = await importFile(client, file).catch((error: Error) => {
      // After a partial failure, the output still lists the projects that were created.
      if (json && imported.length > 0) printJson({ projects: imported });
      throw imported.length === 0 && files.length === 1 ? error : withRemainingFiles(error, at, files);
    });
    imported.push(...created);
    if (!json) for (const { id } of created) process.stdout.write(`Imported ${inputName(file)} as ${id}.\n`);
  }
  if (json) printJson({ projects: imported });
  return imported;
}

/** Adds to an error how to import the remaining files only, so that a retry creates no project twice. */
function withRemainingFiles(error: Error, done: number, files: readonly string[]): Error {
  const left = files.slice(done).map(shellWord).join(' ');
  const { status, errors } = error instanceof ApiError ? error : {};
  return new ApiError(
    `${error.message}\nImported ${done} of ${plural(files.length, 'file')}. To import the rest: npx mapwright import ${left}`,
    status,
    errors,
  );
}

/**
 * Creates a project from one file, with the pictures beside it, or several from a list of documents, as the console saves them. Throws an
 * {@link ApiError} that names the file.
 */
export function importFile(client: ApiClient, file: string): Promise<readonly ImportedProject[]> {
  return withInput(file, async (fd) => {
    try {
      return isList(fd) ? await importList(client, file, fd) : [await importDocument(client, file, fd)];
    } catch (error) {
      const { message } = error as Error;
      const { status, errors } = error instanceof ApiError ? error : {};
      throw new ApiError(`${file}: ${message}`, status, errors);
    }
  });
}

async function importDocument(client: ApiClient, file: string, fd: number): Promise<ImportedProject> {
  const size = fs.fstatSync(fd).size;
  const { found, missing } = await picturesOf(file, fd, size);
  const bytes = found.reduce((sum, picture) => sum + addedBytes(picture), size);
  const created = await withProgress(`Importing ${inputName(file)}`, (show) =>
    post(client, file, { bytes, open: () => metered(withPictures(fd, size, found), bytes, show) }),
  );
  if (missing > 0)
    process.stderr.write(
      `${inputName(file)} lists ${plural(missing, 'picture')} that are not in it: they were not imported. Export it again with this command, which saves them in ${pictureFolder(file)}.\n`,
    );
  return created;
}

const post = async (client: ApiClient, file: string, body: Parameters<ApiClient['ask']>[2]): Promise<ImportedProject> => ({
  file,
  ...(await headOf(await client.ask('POST', '/projects/import', body))),
});

/** Whether a file begins with a bracket. */
function isList(fd: number): boolean {
  const head = Buffer.alloc(64);
  return head
    .toString('latin1', 0, fs.readSync(fd, head, 0, head.length, 0))
    .trimStart()
    .startsWith('[');
}

async function importList(client: ApiClient, file: string, fd: number): Promise<readonly ImportedProject[]> {
  const text = Buffer.alloc(fs.fstatSync(fd).size);
  fs.readSync(fd, text, 0, text.length, 0);
  const documents: unknown[] = JSON.parse(text.toString());
  const imported: ImportedProject[] = [];
  for (const document of documents) {
    const body = Buffer.from(JSON.stringify(document));
    const created = await post(client, file, { bytes: body.length, open: () => [body] }).catch((error: Error) => {
      const { status, errors } = error instanceof ApiError ? error : {};
      const done = imported.length;
      const which = `Project ${done + 1} of ${documents.length} was refused; those before it were imported.`;
      throw new ApiError(`${error.message}\n${which}`, status, errors);
    });
    imported.push(created);
  }
  return imported;
}

async function picturesOf(file: string, fd: number, size: number): Promise<ReturnType<typeof picturesBeside>> {
  const list = new PictureList();
  for await (const piece of piecesOf(fd, 0, size)) list.write(piece);
  return picturesBeside(file, list);
}

/** Before the base64 of a picture, in its entry. */
const contentHead = `,"${contentMember}":"`;

const addedBytes = ({ bytes }: PictureToAdd): number => contentHead.length + base64Length(bytes) + 1;

/** A document with the pictures in its list. */
async function* withPictures(fd: number, size: number, pictures: readonly PictureToAdd[]): AsyncGenerator<Buffer, void> {
  let from = 0;
  for (const { path, bytes, at } of pictures) {
    yield* piecesOf(fd, from, at);
    from = at;
    yield Buffer.from(contentHead);
    const picture = fs.openSync(path, 'r');
    try {
      for await (const text of base64Pieces(piecesOf(picture, 0, bytes))) yield Buffer.from(text, 'latin1');
    } finally {
      fs.closeSync(picture);
    }
    yield Buffer.from('"');
  }
  yield* piecesOf(fd, from, size);
}

async function* metered(pieces: AsyncIterable<Buffer>, total: number, show: OnProgress): AsyncGenerator<Buffer, void> {
  let done = 0;
  for await (const piece of pieces) {
    yield piece;
    done += piece.length;
    show({ done, total });
  }
}

/** Some bytes of a file. Reads by position: a stream would close the descriptor, which a retry needs. */
async function* piecesOf(fd: number, from: number, to: number): AsyncGenerator<Buffer, void> {
  for (let at = from; at < to; ) {
    const length = Math.min(pieceBytes, to - at);
    const { bytesRead, buffer } = await read(fd, Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) throw new Error(`The file was truncated during the import, from ${to} to ${at} bytes. Try again.`);
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Identifier and name of the new project. Skips the rest of the response, which may exceed the memory. */
async function headOf(res: IncomingMessage): Promise<{ id: string; name: string }> {
  let head = Buffer.alloc(0);
  const plan = planOf(projects);
  const sink = {
    begin: () => undefined,
    part: (of: Plan, bytes: Buffer) => {
      if (of === plan) head = Buffer.from(bytes);
    },
  };
  const parts = new JsonParts(plan, sink, partBytesMax);
  for await (const piece of res as AsyncIterable<Buffer>) parts.write(piece);
  parts.end();
  const { id, name } = JSON.parse(head.toString());
  return { id, name };
}
