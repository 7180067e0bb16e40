/** `mapwright export`: saves a project of a running server as a file, or all projects of a key as a folder. */

import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeviceName } from '../../lib/files/file-name.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import type { OnProgress } from '../../lib/threads/progress-counter.ts';
import { ApiClient, ApiError, clientOptions, jsonOf, needsKey } from '../api-client.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption, optionalText, UsageError } from '../option-parsing.ts';
import { plural } from '../output/format-values.ts';
import { writeFile } from '../output/new-file.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';
import { assertEmpty, type ExportedProject, writeManifest } from './export-folder.ts';

const options = {
  all: { type: 'boolean', default: false, describe: 'Export all projects that the key can access, into the folder --out' },
  out: {
    ...optionalText('out', 'The file (or its folder; - for standard output), or with --all the new folder'),
    defaultDescription: 'a file named after the project',
  },
  ...clientOptions,
  ...jsonOption,
} as const;

/** Maximum size of a list of a thousand projects, in bytes. */
const listBytesMax = 256 * 1024 * 1024;

/** The value of `--out` for standard output. */
const standardOutput = '-';

export const exportCommand = command({
  ...commandOutlines.export,
  positionals: { id: { type: 'string', describe: 'Identifier of the project' } },
  options,
  examples: [
    ['export 01a1fe79-c6f5-7073-bc78-97c123599c3d', 'into a file named after the project'],
    ['export 01a1fe79-c6f5-7073-bc78-97c123599c3d --out - | gzip > map.json.gz', 'to another program'],
    ['export --all --out maps', 'all projects that the key can access, into a new folder'],
  ],
  needs: needsKey,
  notes: 'To load an export into this server or another one: mapwright import.',
  async handler({ id, all, out, url, key, json }) {
    if (id !== undefined && all)
      throw new UsageError('Export one project or all of them? Run npx mapwright export ID, or export --all --out FOLDER.');
    if (id === undefined && !all)
      throw new UsageError('No project given. Run npx mapwright export ID, or export --all --out FOLDER.');
    if (all && (out === undefined || out === standardOutput))
      throw new UsageError('--all needs a folder: npx mapwright export --all --out FOLDER.');
    if (out === standardOutput && json)
      throw new UsageError('--json does not go with --out -, which prints the project itself as JSON. Leave out --json.');
    const client = new ApiClient({ url, key });
    if (id !== undefined && out === standardOutput) return print(await requestExport(client, id));
    const exported = id === undefined ? await exportAll(client, out as string) : [await exportOne(client, id, out)];
    if (json) return printJson(id === undefined ? { folder: out, projects: exported } : exported[0]);
    if (id === undefined) process.stdout.write(`Exported ${plural(exported.length, 'project')} into ${out}.\n`);
    else process.stdout.write(`Exported ${exported[0]?.file}.\n`);
  },
});

const requestExport = (client: ApiClient, id: string): Promise<IncomingMessage> =>
  client.ask('GET', `/projects/${encodeURIComponent(id)}/export`);

/** Pipes a response to standard output. */
async function print(res: IncomingMessage): Promise<void> {
  await withProgress('Exporting', (show) => pipeline(metered(res, show), process.stdout, { end: false }));
}

async function exportOne(client: ApiClient, id: string, out: string | undefined): Promise<{ file: string; id: string }> {
  const res = await requestExport(client, id);
  const isFolder = out !== undefined && fs.statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = out === undefined ? fileNameIn(res) : isFolder ? join(out, fileNameIn(res)) : out;
  if (fs.existsSync(file)) {
    res.destroy();
    throw new Error(`The file ${file} exists already. Name another one with --out.`);
  }
  await save(res, file);
  return { file, id };
}

async function exportAll(client: ApiClient, folder: string): Promise<ExportedProject[]> {
  assertEmpty(folder);
  const listed = await listProjects(client);
  nodeFiles.makeFolder(folder);
  const exported: ExportedProject[] = [];
  const digits = String(listed.length).length;
  for (const { id, name } of listed) {
    const res = await requestExport(client, id);
    // The prefix keeps the order of projects and makes names unique.
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
    projects.push(...((await jsonOf(res, listBytesMax)) as typeof projects));
    query = /<[^>]*\?([^>]*)>; rel="next"/.exec(String(res.headers['link'] ?? ''))?.[1];
  }
  return projects;
}

/** The file name that the server suggests. Ignores anything but a plain name, and names of devices. */
function fileNameIn({ headers }: IncomingMessage): string {
  const name = /filename="([\w-]+\.mapwright\.json)"/.exec(headers['content-disposition'] ?? '')?.[1];
  return name === undefined || isDeviceName(name) ? 'project.mapwright.json' : name;
}

async function save(res: IncomingMessage, file: string): Promise<void> {
  await withProgress(`Exporting ${file}`, (show) => writeFile(file, metered(res, show)));
}

async function* metered(res: IncomingMessage, show: OnProgress): AsyncGenerator<Buffer, void> {
  const total = Number(res.headers['content-length'] ?? 0);
  let done = 0;
  for await (const piece of res as AsyncIterable<Buffer>) {
    yield piece;
    done += piece.length;
    show({ done, total });
  }
  if (!res.complete) throw new ApiError('The response was cut off, and the partial file was deleted. Run the export again.');
}
