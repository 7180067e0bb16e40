/**
 * `GET /viewer.js`: the script that draws maps on any web page. Pages of every origin load it, so it needs no key and has its own CORS headers.
 * It draws the map by itself. `GET /viewer/part-HASH.js` are the scripts that it loads after that; a map works without them.
 */
import fs from 'node:fs';
import { problems } from '../../http/problem.ts';
import type { ReplyHead, TextReply } from '../../http/response/reply.ts';
import { type PublicEndpoint, paramOf } from '../../http/route.ts';
import { packageRoot } from '../../lib/package.ts';
import { conditional, etagOfContent } from '../crud/etag.ts';
import { publicEndpoint } from '../declaration.ts';
import { answered, pathParameter } from '../openapi/openapi-parts.ts';
import { publicGet } from '../openapi/public-operation.ts';
import { tileSourcesOf } from './map-tiles.ts';

/** Path of the built script in the package. */
const file = 'dist/pages/viewer.js';
/** Folder of the built parts in the package. */
const partsFolder = 'dist/pages/viewer/';
/** The digest in the name changes with the content. */
const partName = /^(?:part|outlines)-[A-Z0-9]{8}\.js$/;

/** The text in the script that the sources of tiles replace: see `src/web/viewer/element/own-tiles.ts`. */
const placeholder = 'mapwright:tile-sources';

/** Headers of resources that pages of other origins load. */
export const publicHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Browsers may use a copy for five minutes. An older one names parts that a newer server does not have. */
const cacheControl = 'public, max-age=300';
const immutable = 'public, max-age=31536000, immutable';

/**
 * The script of `viewer.js`. Throws if it is not built.
 *
 * @param tiles a value that `validateTiles` accepts
 */
export function viewerScript(tiles?: string): string {
  const script = read(file, (url) => fs.readFileSync(url, 'utf8'));
  // The script knows those of OpenStreetMap.
  if (tiles === undefined) return script;
  // Nothing in it ends a string of a script.
  const sources = encodeURIComponent(JSON.stringify(tileSourcesOf(tiles))).replaceAll("'", '%27');
  return script.replaceAll(placeholder, () => sources);
}

/** The parts that `viewer.js` loads from the folder `viewer` next to it: their content by name. Throws if they are not built. */
export function viewerParts(): ReadonlyMap<string, Buffer> {
  const names = read(partsFolder, (url) => fs.readdirSync(url)).filter((name) => partName.test(name));
  return new Map(names.map((name) => [name, read(partsFolder + name, (url) => fs.readFileSync(url))]));
}

function read<Content>(path: string, reading: (url: URL) => Content): Content {
  try {
    return reading(new URL(path, packageRoot()));
  } catch (cause) {
    throw new Error(`cannot read ${path} of the package. Build it with: npm run build`, { cause });
  }
}

type Script = TextReply & Required<Pick<ReplyHead, 'etag' | 'headers'>>;

export const viewerPaths = {
  '/viewer.js': publicGet({
    id: 'getViewer',
    summary: 'Script that draws maps on web pages',
    responses: {
      '200': answered(
        'A module that defines the element `<mapwright-map>`, for pages of every origin.',
        'text/javascript',
        undefined,
        ['ETag'],
      ),
    },
    isConditional: true,
  }),
  '/viewer/{file}': publicGet({
    id: 'getViewerPart',
    summary: 'Part of the script, which it loads after the first picture',
    parameters: [pathParameter('file', 'Name with the digest of the content: `part-HASH.js`')],
    responses: {
      '200': answered('A module for `viewer.js` alone. It never changes.', 'text/javascript', undefined, ['ETag']),
    },
    refusals: ['not_found'],
    isConditional: true,
  }),
};

/** @param tiles a value that `validateTiles` accepts */
export function viewerEndpoints(tiles?: string): PublicEndpoint[] {
  let script: Script | undefined;
  let parts: ReadonlyMap<string, Script> | undefined;
  const send = (request: Parameters<typeof conditional>[0], made: Script) =>
    conditional(request, made.etag, made.headers, () => made);
  return [
    publicEndpoint(
      '/viewer.js',
      (request) => {
        script ??= scriptOf(Buffer.from(viewerScript(tiles)), cacheControl);
        return send(request, script);
      },
      publicHeaders,
    ),
    publicEndpoint(
      '/viewer/:file',
      (request) => {
        parts ??= new Map([...viewerParts()].map(([name, content]) => [name, scriptOf(content, immutable)]));
        const part = parts.get(paramOf(request, 'file'));
        if (part === undefined) throw problems.unknownPath();
        return send(request, part);
      },
      publicHeaders,
    ),
  ];
}

const scriptOf = (text: Buffer, caching: string): Script => ({
  kind: 'text',
  status: 200,
  text,
  contentType: 'text/javascript; charset=utf-8',
  etag: etagOfContent(text),
  headers: { ...publicHeaders, 'Cache-Control': caching },
});
