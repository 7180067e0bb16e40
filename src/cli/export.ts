/** `mapwright export`: a project of a running server as a file, or all that a key reaches as a folder. */
import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { CommandModule } from 'yargs';
import { nodeFiles } from '../lib/files.ts';
import type { OnProgress } from '../lib/meter.ts';
import { type ExportedProject, refuseUnlessEmpty, writeManifest } from './account-folder.ts';
import { ApiClient, clientOptions, textOf } from './api-client.ts';
import { printJson } from './names.ts';
import { writeFile } from './new-file.ts';
import { jsonOption, textFor, UsageError, withOptions } from './options.ts';
import { progressLine } from './progress.ts';
import { plural } from './words.ts';

interface Arguments {
  id: string | undefined;
  all: boolean;
  out: string | undefined;
  url: string;
  key: string;
  json: boolean;
}

const options = {
  all: { type: 'boolean', default: false, describe: 'All projects that the key reaches, into the folder --out' },
  out: {
    type: 'string',
    describe: 'The file (or the folder for it), or with --all the new folder [default: a file named after the project]',
    coerce: (value: unknown) => (value === undefined ? undefined : textFor('out')(value)),
  },
  ...clientOptions,
  ...jsonOption,
} as const;

/** Bytes of an answer that lists a thousand projects. */
const listBytesMax = 256 * 1024 * 1024;

export const exportCommand: CommandModule<object, Arguments> = {
  command: 'export [id]',
  describe: 'Save a project of a running server as a file, or all of them as a folder',
  builder: (yargs) => withOptions(options)(yargs.positional('id', { type: 'string', describe: 'Identifier of the project' })),
  async handler({ id, all, out, url, key, json }) {
    if (id !== undefined && all)
      throw new UsageError('One project, or all of them? npx mapwright export ID, or --all --out FOLDER.');
    if (id === undefined && !all) throw new UsageError('Which project? npx mapwright export ID, or --all --out FOLDER.');
    if (all && out === undefined) throw new UsageError('Where to? npx mapwright export --all --out FOLDER.');
    const client = new ApiClient({ url, key }, (line) => process.stderr.write(`${line}\n`));
    const exported = id === undefined ? await exportAll(client, out as string) : [await exportOne(client, id, out)];
    if (json) return printJson(id === undefined ? { folder: out, projects: exported } : exported[0]);
    if (id === undefined) process.stdout.write(`Exported ${plural(exported.length, 'project')} into ${out}.\n`);
    else process.stdout.write(`Exported ${exported[0]?.file}.\n`);
  },
};

async function exportOne(client: ApiClient, id: string, out: string | undefined): Promise<{ file: string; id: string }> {
  const res = await client.ask('GET', `/projects/${encodeURIComponent(id)}/export`);
  const isFolder = out !== undefined && fs.statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = out === undefined ? fileNameIn(res) : isFolder ? join(out, fileNameIn(res)) : out;
  if (fs.existsSync(file)) {
    res.destroy();
    throw new Error(`There is a file ${file} already: name another one, with --out.`);
  }
  await save(res, file);
  return { file, id };
}

async function exportAll(client: ApiClient, folder: string): Promise<ExportedProject[]> {
  refuseUnlessEmpty(folder);
  const listed = await listProjects(client);
  nodeFiles.makeFolder(folder);
  const exported: ExportedProject[] = [];
  const digits = String(listed.length).length;
  for (const { id, name } of listed) {
    const res = await client.ask('GET', `/projects/${id}/export`);
    // In the order of projects, and no two the same.
    const file = `${String(exported.length + 1).padStart(digits, '0')}-${fileNameIn(res)}`;
    await save(res, join(folder, file));
    exported.push({ file, id, name });
  }
  await writeManifest(folder, exported);
  return exported;
}

async function listProjects(client: ApiClient): Promise<{ id: string; name: string }[]> {
  const projects: { id: string; name: string }[] = [];
  for (let query: string | undefined = 'fields=name&limit=1000'; query !== undefined; ) {
    const res = await client.ask('GET', `/projects?${query}`);
    projects.push(...JSON.parse(await textOf(res, listBytesMax)));
    query = /<[^>]*\?([^>]*)>; rel="next"/.exec(String(res.headers['link'] ?? ''))?.[1];
  }
  return projects;
}

/** What the server calls the file; a name only, whatever it says. */
function fileNameIn({ headers }: IncomingMessage): string {
  return /filename="([\w-]+\.mapwright\.json)"/.exec(headers['content-disposition'] ?? '')?.[1] ?? 'project.mapwright.json';
}

async function save(res: IncomingMessage, file: string): Promise<void> {
  const progress = progressLine(`Exporting ${file}`);
  await writeFile(file, metered(res, progress.show)).finally(progress.end);
}

async function* metered(res: IncomingMessage, show: OnProgress): AsyncGenerator<Buffer, void> {
  const total = Number(res.headers['content-length'] ?? 0);
  let done = 0;
  for await (const piece of res as AsyncIterable<Buffer>) {
    yield piece;
    done += piece.length;
    show({ done, total });
  }
  if (!res.complete) throw new Error('The answer broke off before it was complete: nothing was kept of it. Try again.');
}
