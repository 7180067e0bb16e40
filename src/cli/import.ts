/** `mapwright import`: makes projects on a running server of files that were exported. */
import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { CommandModule } from 'yargs';
import { JsonParts, type Plan } from '../lib/json-parts.ts';
import type { OnProgress } from '../lib/meter.ts';
import type { Resource } from '../model/resource.ts';
import { projects } from '../model/resources.ts';
import { filesIn } from './account-folder.ts';
import { ApiClient, clientOptions } from './api-client.ts';
import { printJson } from './names.ts';
import { jsonOption, UsageError, withOptions } from './options.ts';
import { progressLine } from './progress.ts';
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

/** Of an option given twice the last one counts. */
const last = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.at(-1) : value);

const options = {
  url: { ...clientOptions.url, coerce: last },
  key: { ...clientOptions.key, coerce: last },
  ...jsonOption,
} as const;

export const importCommand: CommandModule<object, Arguments> = {
  command: 'import [files..]',
  describe: 'Make projects on a running server of exported files, or of folders that export --all made',
  builder: (yargs) =>
    withOptions(options)(
      yargs
        // To yargs, several arguments are one that was given several times.
        .parserConfiguration({ 'duplicate-arguments-array': true, 'dot-notation': false })
        .positional('files', { type: 'string', array: true, describe: 'Exported files, or folders' }),
    ),
  async handler({ files: names = [], url, key, json }) {
    if (names.length === 0) throw new UsageError('Which files? npx mapwright import FILE, or the folder that export --all made.');
    const client = new ApiClient({ url, key }, (line) => process.stderr.write(`${line}\n`));
    const imported: Imported[] = [];
    // All of them are there before any is sent.
    const files = filesIn(names);
    for (const file of files) {
      const made = await importOne(client, file).catch((error: Error) => {
        throw imported.length === 0 && files.length === 1 ? error : stoppedAt(error, imported.length, files);
      });
      imported.push(made);
      if (!json) process.stdout.write(`Imported ${file} as ${made.id}.\n`);
    }
    if (json) printJson({ projects: imported });
  },
};

/** Which of them are there, and which are not: whoever tries again must not import the former twice. */
function stoppedAt(error: Error, done: number, files: readonly string[]): Error {
  const left = files.slice(done).map(shellWord).join(' ');
  return new Error(
    `${error.message}\n${done} of ${plural(files.length, 'project')} imported. To go on: npx mapwright import ${left}`,
  );
}

async function importOne(client: ApiClient, file: string): Promise<Imported> {
  const progress = progressLine(`Importing ${file}`);
  const bytes = fs.statSync(file).size;
  try {
    const open = () => Readable.from(metered(file, bytes, progress.show), { objectMode: false });
    return { file, ...(await headOf(await client.ask('POST', '/projects/import', { bytes, open }))) };
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  } finally {
    progress.end();
  }
}

async function* metered(file: string, total: number, show: OnProgress): AsyncGenerator<Buffer, void> {
  let done = 0;
  for await (const piece of fs.createReadStream(file, { highWaterMark: pieceBytes }) as AsyncIterable<Buffer>) {
    yield piece;
    done += piece.length;
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
