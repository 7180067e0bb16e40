/** Creates projects on a running server from exported files. */

import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { JsonParts, type Plan } from '../../../lib/json/json-parts.ts';
import type { OnProgress } from '../../../lib/threads/progress-counter.ts';
import type { Resource } from '../../../model/resource.ts';
import { projects } from '../../../model/resources.ts';
import { type ApiClient, ApiError } from '../../api-client.ts';
import { plural, shellWord } from '../../output/format-values.ts';
import { withProgress } from '../../output/progress.ts';
import { inputName, withInput } from '../../output/stdin.ts';
import { printJson } from '../../output/stdout.ts';

export interface ImportedProject {
  readonly file: string;
  readonly id: string;
  readonly name: string;
}

/** Maximum size of one member in the response, in bytes. */
const partBytesMax = 1024 ** 3;

/** Bytes that are read from a file in one step. */
const pieceBytes = 256 * 1024;

const read = promisify(fs.read);

/** Creates a project from each file, in order. Prints and returns the projects. */
export async function importFiles(
  client: ApiClient,
  files: readonly string[],
  json: boolean,
): Promise<readonly ImportedProject[]> {
  const imported: ImportedProject[] = [];
  for (const file of files) {
    const created = await importOne(client, file).catch((error: Error) => {
      // After a partial failure, the output still lists the projects that were created.
      if (json && imported.length > 0) printJson({ projects: imported });
      throw imported.length === 0 && files.length === 1 ? error : withRemainingFiles(error, imported.length, files);
    });
    imported.push(created);
    if (!json) process.stdout.write(`Imported ${inputName(file)} as ${created.id}.\n`);
  }
  if (json) printJson({ projects: imported });
  return imported;
}

/** Adds to an error how to import the remaining files only, so that a retry creates no project twice. */
function withRemainingFiles(error: Error, done: number, files: readonly string[]): Error {
  const left = files.slice(done).map(shellWord).join(' ');
  const { status, errors } = error instanceof ApiError ? error : {};
  return new ApiError(
    `${error.message}\nImported ${done} of ${plural(files.length, 'project')}. To import the rest: npx mapwright import ${left}`,
    status,
    errors,
  );
}

/** Creates a project from one file. Throws an {@link ApiError} that names the file. */
export function importOne(client: ApiClient, file: string): Promise<ImportedProject> {
  return withInput(file, async (fd) => {
    try {
      const bytes = fs.fstatSync(fd).size;
      return await withProgress(`Importing ${inputName(file)}`, async (show) => {
        const open = () => metered(fd, bytes, show);
        return { file, ...(await headOf(await client.ask('POST', '/projects/import', { bytes, open }))) };
      });
    } catch (error) {
      const { message } = error as Error;
      const { status, errors } = error instanceof ApiError ? error : {};
      throw new ApiError(`${file}: ${message}`, status, errors);
    }
  });
}

/** The first `total` bytes of a file. Reads by position: a stream would close the descriptor, which a retry needs. */
async function* metered(fd: number, total: number, show: OnProgress): AsyncGenerator<Buffer, void> {
  for (let done = 0; done < total; ) {
    const length = Math.min(pieceBytes, total - done);
    const { bytesRead, buffer } = await read(fd, Buffer.allocUnsafe(length), 0, length, done);
    if (bytesRead === 0) throw new Error(`The file was truncated during the import, from ${total} to ${done} bytes. Try again.`);
    yield buffer.subarray(0, bytesRead);
    done += bytesRead;
    show({ done, total });
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

/** A plan that skips all collections. */
function planOf({ collections }: Resource): Plan {
  if (collections.length === 0) return {};
  return { arrays: Object.fromEntries(collections.map(({ name, resource }) => [name, planOf(resource)])) };
}
