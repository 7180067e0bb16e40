/** `mapwright import`: makes projects on a running server of files that were exported. */
import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { JsonParts, type Plan } from '../lib/json-parts.ts';
import type { OnProgress } from '../lib/meter.ts';
import type { Resource } from '../model/resource.ts';
import { projects } from '../model/resources.ts';
import { filesIn } from './account-folder.ts';
import { ApiClient, ApiError, clientOptions, needsKey } from './api-client.ts';
import { standardInput } from './arguments.ts';
import { command } from './command.ts';
import { jsonOption, UsageError } from './options.ts';
import { withProgress } from './progress.ts';
import { keptStandardInput } from './stdin.ts';
import { printJson } from './stdout.ts';
import { plural, shellWord } from './words.ts';

interface Arguments {
  files: string[] | undefined;
  url: string;
  key: string;
  json: boolean;
}

interface Imported {
  readonly file: string;
  readonly id: string;
  readonly name: string;
}

/** Bytes that one member may have in the answer. */
const partBytesMax = 1024 ** 3;

/** Bytes of a file that are read at a time. */
const pieceBytes = 256 * 1024;

const read = promisify(fs.read);

export const importCommand = command<Arguments>({
  command: 'import [files..]',
  describe: 'Make projects on a running server of exported files, or of folders that export --all made',
  positionals: { files: { type: 'string', array: true, describe: 'Exported files, or folders; - for standard input' } },
  options: { ...clientOptions, ...jsonOption },
  examples: [
    ['import harbour.mapwright.json', 'a new project'],
    ['import maps', 'all that was exported into a folder, in their order'],
    ['import - --url https://maps.example', 'what another program prints'],
  ],
  needs: needsKey,
  async handler({ files: names = [], url, key, json }) {
    if (names.length === 0) throw new UsageError('Which files? npx mapwright import FILE, or the folder that export --all made.');
    if (names.filter((name) => name === standardInput).length > 1)
      throw new UsageError('Standard input can be read once: name it, with -, once.');
    const client = new ApiClient({ url, key });
    const imported: Imported[] = [];
    // All of them are there before any is sent.
    const files = names.flatMap((name) => (name === standardInput ? [name] : filesIn([name])));
    for (const file of files) {
      const made = await importOne(client, file).catch((error: Error) => {
        // Whoever reads it is to know which are there, also when not all are.
        if (json && imported.length > 0) printJson({ projects: imported });
        throw imported.length === 0 && files.length === 1 ? error : stoppedAt(error, imported.length, files);
      });
      imported.push(made);
      if (!json) process.stdout.write(`Imported ${nameOf(file)} as ${made.id}.\n`);
    }
    if (json) printJson({ projects: imported });
  },
});

/** Which of them are there, and which are not: whoever tries again must not import the former twice. */
function stoppedAt(error: Error, done: number, files: readonly string[]): Error {
  const left = files.slice(done).map(shellWord).join(' ');
  return new Error(
    `${error.message}\n${done} of ${plural(files.length, 'project')} imported. To go on: npx mapwright import ${left}`,
  );
}

const nameOf = (file: string): string => (file === standardInput ? 'standard input' : file);

async function importOne(client: ApiClient, file: string): Promise<Imported> {
  const fd = file === standardInput ? await keptStandardInput() : fs.openSync(file, 'r');
  try {
    const bytes = fs.fstatSync(fd).size;
    return await withProgress(`Importing ${nameOf(file)}`, async (show) => {
      const open = () => metered(fd, bytes, show);
      return { file, ...(await headOf(await client.ask('POST', '/projects/import', { bytes, open }))) };
    });
  } catch (error) {
    const { message } = error as Error;
    throw new ApiError(`${file}: ${message}`, error instanceof ApiError ? error.status : undefined);
  } finally {
    fs.closeSync(fd);
  }
}

/** The first `total` bytes of a file. Reads by position, because a stream would close the descriptor, which a second try needs. */
async function* metered(fd: number, total: number, show: OnProgress): AsyncGenerator<Buffer, void> {
  for (let done = 0; done < total; ) {
    const length = Math.min(pieceBytes, total - done);
    const { bytesRead, buffer } = await read(fd, Buffer.allocUnsafe(length), 0, length, done);
    if (bytesRead === 0)
      throw new Error(`The file became shorter while it was sent: ${done} of ${total} bytes are left. Try again.`);
    yield buffer.subarray(0, bytesRead);
    done += bytesRead;
    show({ done, total });
  }
}

/** What the project is called that was made, of an answer that may be too large to be held. */
async function headOf(res: IncomingMessage): Promise<{ id: string; name: string }> {
  let head = Buffer.alloc(0);
  const plan = planOf(projects);
  const taker = {
    begin: () => undefined,
    part: (of: Plan, bytes: Buffer) => {
      if (of === plan) head = Buffer.from(bytes);
    },
  };
  const parts = new JsonParts(plan, taker, partBytesMax);
  for await (const piece of res as AsyncIterable<Buffer>) parts.write(piece);
  parts.end();
  const { id, name } = JSON.parse(head.toString());
  return { id, name };
}

/** All collections are left out. */
function planOf({ collections }: Resource): Plan {
  if (collections.length === 0) return {};
  return { arrays: Object.fromEntries(collections.map(({ name, resource }) => [name, planOf(resource)])) };
}
