/** `mapwright export`: saves a project of a running server as a file with its pictures beside it, or all projects of a key as a folder. */

import fs from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeviceName } from '../../../lib/files/file-name.ts';
import { nodeFiles } from '../../../lib/files/files.ts';
import type { OnProgress } from '../../../lib/threads/progress-counter.ts';
import { ApiClient, clientOptions, jsonOf, needsKey } from '../../api-client.ts';
import { ApiError } from '../../api-error.ts';
import { command } from '../../command-declaration.ts';
import { commandOutlines } from '../../command-outlines.ts';
import { jsonOption, optionalText, UsageError } from '../../option-parsing.ts';
import { plural } from '../../output/format-values.ts';
import { writeFile } from '../../output/new-file.ts';
import { withProgress } from '../../output/progress.ts';
import { printJson } from '../../output/stdout.ts';
import { pictureFolder, savingPictures } from './document-pictures.ts';
import { assertEmpty, type ExportedProject, listedIn, writeManifest } from './export-folder.ts';

const options = {
  all: { type: 'boolean', default: false, describe: 'Export all projects that the key can access, into the folder --out' },
  out: {
    ...optionalText(
      'out',
      'The file (or its folder, with a / at its end if it is new; - for standard output), or with --all the new folder',
    ),
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
  notes:
    'Pictures are saved beside the document, in a folder with the ending .files; standard output has them in the document. To load an export into this server or another one: mapwright import.',
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
    if (id !== undefined && out === standardOutput) return print(await requestExport(client, id, '?files=true'));
    const exported = id === undefined ? await exportAll(client, out as string) : [await exportOne(client, id, out)];
    const listed = exported.map(({ pictures: _, ...project }) => project);
    if (json) return printJson(id === undefined ? { folder: out, projects: listed } : listed[0]);
    if (id === undefined) process.stdout.write(`Exported ${plural(exported.length, 'project')} into ${out}.\n`);
    else process.stdout.write(`${lineOf(exported[0] as SavedProject)}\n`);
  },
});

/** A project that was saved, with the number of pictures beside it. */
interface SavedProject {
  readonly file: string;
  readonly id: string;
  readonly pictures: number;
}

function lineOf({ file, pictures }: SavedProject): string {
  return `Exported ${file}${pictures === 0 ? '' : `, and ${plural(pictures, 'picture')} into ${pictureFolder(file)}`}.`;
}

const requestExport = (client: ApiClient, id: string, query = ''): Promise<IncomingMessage> =>
  client.ask('GET', `/projects/${encodeURIComponent(id)}/export${query}`);

/** Pipes a response to standard output. */
async function print(res: IncomingMessage): Promise<void> {
  await withProgress('Exporting', (show) => pipeline(metered(res, show), process.stdout, { end: false }));
}

async function exportOne(client: ApiClient, id: string, out: string | undefined): Promise<SavedProject> {
  const res = await requestExport(client, id);
  if (out !== undefined && /[/\\]$/.test(out)) nodeFiles.makeFolder(out);
  const isFolder = out !== undefined && fs.statSync(out, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = out === undefined ? fileNameIn(res) : isFolder ? join(out, fileNameIn(res)) : out;
  if (fs.existsSync(file)) {
    res.destroy();
    throw new Error(`The file ${file} exists already. Name another one with --out.`);
  }
  const listed = isFolder ? listedIn(out) : undefined;
  const pictures = await save(client, res, file);
  if (listed !== undefined)
    await writeManifest(out as string, [...listed, { file: basename(file), id, name: await nameOf(client, id) }]);
  return { file, id, pictures };
}

async function exportAll(client: ApiClient, folder: string): Promise<(SavedProject & ExportedProject)[]> {
  assertEmpty(folder);
  const listed = await listProjects(client);
  nodeFiles.makeFolder(folder);
  const exported: (SavedProject & ExportedProject)[] = [];
  const digits = String(listed.length).length;
  for (const { id, name } of listed) {
    const res = await requestExport(client, id);
    // The prefix keeps the order of projects and makes names unique.
    const file = `${String(exported.length + 1).padStart(digits, '0')}-${fileNameIn(res)}`;
    const pictures = await save(client, res, join(folder, file));
    exported.push({ file, id, name, pictures });
  }
  await writeManifest(
    folder,
    exported.map(({ pictures: _, ...project }) => project),
  );
  return exported;
}

async function nameOf(client: ApiClient, id: string): Promise<string> {
  const res = await client.ask('GET', `/projects/${encodeURIComponent(id)}?fields=name`);
  return ((await jsonOf(res, listBytesMax)) as { name: string }).name;
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

/** Writes a document and its pictures; the document gets its name when all of them are there. @returns the number of pictures */
async function save(client: ApiClient, res: IncomingMessage, file: string): Promise<number> {
  let pictures = 0;
  await withProgress(`Exporting ${file}`, (show) =>
    writeFile(
      file,
      savingPictures(client, metered(res, show), file, (count) => {
        pictures = count;
      }),
    ),
  );
  return pictures;
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
