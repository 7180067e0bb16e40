/**
 * `GET /viewer.js`: the script that draws maps on any web page. Pages of every origin load it, so it needs no key and has its own CORS headers.
 * It is one file without dependencies: a cached copy never asks for another file of a version that the server no longer has.
 */
import fs from 'node:fs';
import type { ReplyHead, TextReply } from '../../http/response/reply.ts';
import type { PublicEndpoint } from '../../http/route.ts';
import { packageRoot } from '../../lib/package.ts';
import { conditional, etagOfContent } from '../crud/etag.ts';
import { publicEndpoint } from '../declaration.ts';
import { answered } from '../openapi/openapi-parts.ts';
import { publicGet } from '../openapi/public-operation.ts';
import { openStreetMapTiles } from './map-tiles.ts';

/** Path of the built script in the package. */
const file = 'dist/pages/viewer.js';

/** The text in the script that the address of tiles replaces: see `src/web/viewer/element/tile-template.ts`. */
const placeholder = 'mapwright:tile-template';

/** Headers of resources that pages of other origins load. */
export const publicHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Browsers may use a copy for five minutes, and then once more for a day while they ask for a new one. */
const cacheControl = 'public, max-age=300, stale-while-revalidate=86400';

/**
 * The script of `viewer.js`. Throws if it is not built.
 *
 * @param tiles a value that `validateTiles` accepts
 */
export function viewerScript(tiles: string = openStreetMapTiles): string {
  const url = new URL(file, packageRoot());
  let script: string;
  try {
    script = fs.readFileSync(url, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read ${file} of the package. Build it with: npm run build`, { cause });
  }
  return script.replaceAll(placeholder, () => tiles);
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
};

/** @param tiles a value that `validateTiles` accepts */
export function viewerEndpoint(tiles?: string): PublicEndpoint {
  let script: Script | undefined;
  const handle: PublicEndpoint['handle'] = (request) => {
    script ??= make(tiles);
    const made = script;
    return conditional(request, made.etag, made.headers, () => made);
  };
  return publicEndpoint('/viewer.js', handle, publicHeaders);
}

function make(tiles?: string): Script {
  const text = viewerScript(tiles);
  return {
    kind: 'text',
    status: 200,
    text: Buffer.from(text),
    contentType: 'text/javascript; charset=utf-8',
    etag: etagOfContent(text),
    headers: { ...publicHeaders, 'Cache-Control': cacheControl },
  };
}
