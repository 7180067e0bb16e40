/**
 * `mapwright publish`: makes a project public on its server or, with `--out`, writes its map as files for any web server. `mapwright
 * unpublish` makes it private again.
 */

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import type { TileSource } from '../../api/pages/map-tiles.ts';
import { viewerParts, viewerScript } from '../../api/pages/viewer-endpoint.ts';
import { withConnections } from '../../api/publish/page/connect-sources.ts';
import { type PublicDocument, pageContent } from '../../api/publish/page/page-content.ts';
import { pageOf, pagePolicy } from '../../api/publish/published-page.ts';
import { nodeFiles } from '../../lib/files/files.ts';
import { isRefresh, liveFile, refreshRange } from '../../model/publication.ts';
import { fileAddress, filePath } from '../../model/references/file-references.ts';
import { nameRule } from '../../model/references/public-name.ts';
import { ApiClient, clientOptions, jsonBody, jsonOf, needsProject } from '../api-client.ts';
import { ApiError } from '../api-error.ts';
import { command } from '../command-declaration.ts';
import { commandOutlines } from '../command-outlines.ts';
import { jsonOption, listFrom, optionalText, UsageError } from '../option-parsing.ts';
import { formatBytes, plural } from '../output/format-values.ts';
import { replaceWithText, writeFile } from '../output/new-file.ts';
import { withProgress } from '../output/progress.ts';
import { printJson } from '../output/stdout.ts';
import { evaluatedOnce } from './support/evaluated-once.ts';
import { copyShownFiles, PathsInMap, publicUrlOf } from './support/shown-files.ts';

/** The public copy of a project, as the server describes it. */
interface PublicationBody {
  readonly slug: string;
  readonly url: string;
  readonly version: number;
  readonly published: string;
  readonly bytes: number;
  readonly origins: readonly string[];
  readonly refresh: number;
}

const responseBytesMax = 64 * 1024;
/** Files for a web server, which often runs as another user. */
const publicMode = 0o644;
const viewerName = 'viewer.js';
/** Folder next to it, in which it looks for its parts. */
const partsName = 'viewer';
const pageName = 'index.html';
/** Seconds after which a page reads a written evaluation again, without `--refresh`. */
const writtenRefreshS = 60;

const id = { type: 'string', demandOption: true, describe: 'Identifier of the project' } as const;

export const publishCommand = command({
  ...commandOutlines.publish,
  positionals: { id },
  options: {
    out: optionalText(
      'out',
      'Write the page, the viewer, the map and its pictures into this folder instead; nothing becomes public on the server',
    ),
    origins: {
      type: 'string',
      defaultDescription: 'as before; at first any',
      describe: 'Sites whose pages may show the map in a frame: https://www.example.com,https://example.org, or * for any',
      coerce: (value: string | undefined) => (value === undefined ? undefined : listFrom('origins')(value)),
    },
    refresh: {
      type: 'number',
      defaultDescription: 'as before; at first 60 if the project has actions, else 0',
      describe: 'Seconds between two evaluations of a live map, 5 to 86400; 0 for a still map',
      coerce: refreshFrom,
    },
    name: {
      type: 'string',
      defaultDescription: 'as before; at first none',
      describe: `A readable address, /p/NAME: ${nameRule}; - alone gives it up`,
      // An empty value of a flag is a mistake.
      coerce: (value: string | undefined) => (value === '-' ? '' : value),
    },
    live: {
      type: 'boolean',
      default: false,
      describe: 'With --out: evaluate data sources, variables and actions once, and write the result, too',
    },
    ...clientOptions,
    ...jsonOption,
  },
  examples: [
    ['publish 01a1fe79-c6f5-7073-bc78-97c123599c3d', 'prints the public address, and two lines for any page'],
    ['publish 01a1fe79-c6f5-7073-bc78-97c123599c3d --out site', 'files for any web server'],
    [
      'publish 01a1fe79-c6f5-7073-bc78-97c123599c3d --out site --live',
      'the same, with the present data; run it again for newer data',
    ],
  ],
  needs: needsProject('publish'),
  notes:
    'What is public is a copy: later changes are public when you publish again. It has no settings but max_bounds, legend, labels and public_map and, for a still map, no data sources, variables and actions: a live map keeps these on the server.',
  async handler({ id, out, origins, refresh, name, live, url, key, json }) {
    if (out !== undefined && origins !== undefined)
      throw new UsageError('--origins needs a server, which --out does not use. Leave one of them out.');
    if (out !== undefined && name !== undefined)
      throw new UsageError('--name needs a server, which --out does not use. Leave one of them out.');
    if (out === undefined && live) throw new UsageError('--live needs --out: a map on the server is live with --refresh.');
    if (out !== undefined && refresh !== undefined && !live)
      throw new UsageError('--refresh needs --live with --out. Add it, or leave --refresh out.');
    const client = new ApiClient({ url, key });
    const route = `/projects/${encodeURIComponent(id)}`;
    if (out !== undefined) {
      const written = await withProgress('Writing the map', () =>
        writeSite(client, id, out, live ? (refresh ?? writtenRefreshS) : 0),
      );
      if (json) return printJson({ folder: out, ...written });
      const pictures = written.files === 0 ? '' : `, and ${plural(written.files, 'picture')}`;
      process.stdout.write(
        `Wrote ${out}: the page index.html, the viewer, the map (${formatBytes(written.bytes)})${pictures}. Put the folder on any web server; from a file, browsers do not load it.\n`,
      );
      return;
    }
    const res = await withProgress('Publishing', () =>
      client.ask(
        'PUT',
        `${route}/publication`,
        jsonBody({ ...(origins && { origins }), ...(refresh !== undefined && { refresh }), ...(name !== undefined && { name }) }),
      ),
    );
    const publication = (await jsonOf(res, responseBytesMax)) as PublicationBody;
    const address = new URL(publication.url, client.url).href;
    if (json) return printJson({ ...publication, url: address });
    process.stdout.write(publishedText(publication, address, id));
  },
});

export const unpublishCommand = command({
  ...commandOutlines.unpublish,
  positionals: { id },
  options: { ...clientOptions, ...jsonOption },
  examples: [['unpublish 01a1fe79-c6f5-7073-bc78-97c123599c3d', 'its public address does not work any more']],
  needs: needsProject('unpublish'),
  notes: 'Copies in caches of browsers and proxies may be shown for up to an hour. Publishing it again gives it another address.',
  async handler({ id, url, key, json }) {
    const client = new ApiClient({ url, key });
    (await client.ask('DELETE', `/projects/${encodeURIComponent(id)}/publication`)).resume();
    if (json) printJson({ id, published: false });
    else process.stdout.write('The project is private again. Its public address does not work any more.\n');
  },
});

function publishedText({ version, bytes, published, refresh }: PublicationBody, address: string, id: string): string {
  const root = address.replace(/\/p\/[^/]*$/, '');
  const local = /^(?:localhost|127\.|\[::1\])/.test(new URL(address).hostname)
    ? '\nOnly this machine can open that address. For others, start the server with --public-url.\n'
    : '';
  return `Version ${version} is public (${formatBytes(bytes)}, published ${published}):

  ${address}
${local}
To show it on another page, paste this into it:

  <script type="module" src="${root}/${viewerName}"></script>
  <mapwright-map src="${address}"></mapwright-map>

${refresh === 0 ? '' : `It is live: its data is evaluated every ${refresh} s while it has viewers.\n`}Later changes become public when you run this again. To make it private: npx mapwright unpublish ${id}
`;
}

function refreshFrom(value: number | undefined): number | undefined {
  const { least, most } = refreshRange;
  if (value !== undefined && !isRefresh(value))
    throw new UsageError(`--refresh is ${value}. It must be 0 for a still map, or ${least} to ${most} seconds.`);
  return value;
}

/** Writes everything into the folder; `map.json`, which names the map, comes last. Older maps stay, because open pages may read them. */
async function writeSite(
  client: ApiClient,
  id: string,
  folder: string,
  refresh: number,
): Promise<{ map: string; bytes: number; files: number }> {
  const route = `/projects/${encodeURIComponent(id)}`;
  refuseForeignPage(join(folder, pageName));
  const viewer = viewerScript();
  const res = await client.ask('GET', `${route}/publication/draft`);
  const isNew = !fs.existsSync(folder);
  nodeFiles.makeFolder(folder);
  // Who may read a folder that was there before is not ours to change.
  if (isNew) fs.chmodSync(folder, 0o755);
  writeParts(join(folder, partsName));
  replaceWithText(join(folder, viewerName), viewer);
  const hash = createHash('sha256');
  const publicUrl = await publicUrlOf(client);
  const paths = new PathsInMap(publicUrl);
  let bytes = 0;
  async function* hashed(): AsyncGenerator<Buffer, void> {
    for await (const piece of res as AsyncIterable<Buffer>) {
      hash.update(piece);
      paths.add(piece);
      bytes += piece.byteLength;
      yield piece;
    }
    if (!res.complete) throw new ApiError('The response was cut off. Run the command again.');
  }
  const partial = join(folder, 'map.partial');
  await writeFile(partial, hashed(), publicMode);
  const map = `${hash.digest('hex')}.json`;
  nodeFiles.rename(partial, join(folder, map));
  const files = await copyShownFiles(client, route, paths.found, folder, publicMode);
  replaceWithText(join(folder, pageName), pageOfMap(JSON.parse(fs.readFileSync(join(folder, map), 'utf8')), publicUrl));
  const pointer = join(folder, 'map.json');
  const version = versionAfter(pointer, map);
  if (refresh > 0) replaceWithText(join(folder, liveFile), await evaluatedOnce(client, id, version));
  replaceWithText(
    pointer,
    JSON.stringify({
      ...{ version, map, tiles: await tilesOf(client) },
      ...(refresh > 0 && { live: liveFile, refresh }),
      ...(files > 0 && { files: publicUrl }),
    }),
  );
  return { map, bytes, files };
}

/** The page of a map in a folder. Its own address is not known. */
function pageOfMap(map: PublicDocument, publicUrl: string | undefined): string {
  const content = pageContent(map);
  const { header } = content;
  const logo = fileAddress(header?.logo ?? '', publicUrl);
  // Files are in the folder, at their paths.
  const placed = logo === undefined || header === undefined ? header : { ...header, logo: `.${filePath(logo.slug, logo.name)}` };
  const addresses = { viewer: viewerName, map: '.', page: '', oembed: '', picture: '' };
  // With --live, the page asks the server of its data.
  return pageOf({ ...content, header: placed }, addresses, withConnections(pagePolicy(content), "'self' http: https:"));
}

/** The sources of map tiles that the server lists; `undefined` if it has no console, which says so. */
async function tilesOf(client: ApiClient): Promise<readonly TileSource[] | undefined> {
  try {
    const session = await jsonOf(await client.askPath('/console/session'), responseBytesMax);
    return (session as { readonly tiles: readonly TileSource[] }).tiles;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Writes the parts of the viewer. Older ones stay, because open pages may load them. */
function writeParts(folder: string): void {
  const isNew = !fs.existsSync(folder);
  nodeFiles.makeFolder(folder);
  if (isNew) fs.chmodSync(folder, 0o755);
  for (const [name, content] of viewerParts()) replaceWithText(join(folder, name), content.toString());
}

/** Refuses to replace a page that this command has not written. */
function refuseForeignPage(path: string): void {
  if (!fs.existsSync(path) || fs.readFileSync(path, 'utf8').includes('<mapwright-map src="."')) return;
  throw new UsageError(
    `${path} is not a page that this command has written: nothing was written. Choose another folder, or move that file away.`,
  );
}

/** The version of a map in a folder, from 1: that of `map.json`, or the next one for another map. */
function versionAfter(pointer: string, map: string): number {
  let before: { readonly version?: unknown; readonly map?: unknown } = {};
  try {
    before = JSON.parse(fs.readFileSync(pointer, 'utf8'));
  } catch {
    // There is none, or it is not ours.
  }
  const version = Number.isInteger(before.version) ? (before.version as number) : 0;
  return before.map === map ? version : version + 1;
}
