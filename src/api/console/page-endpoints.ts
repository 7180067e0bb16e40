/** `/console` and its files, which `npm run build` makes, under a strict content security policy. */
import fs from 'node:fs';
import { problems } from '../../http/problem.ts';
import type { ReplyHead, TextReply } from '../../http/response/reply.ts';
import { type PublicEndpoint, paramOf } from '../../http/route.ts';
import { packageRoot } from '../../lib/package.ts';
import { conditional, etagOfContent } from '../crud/etag.ts';
import { publicEndpoint } from '../declaration.ts';

const folder = 'dist/pages/console/';
/** Projects that a page loads as examples. */
const exampleFolder = 'data/examples/';
const page = 'index.html';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Only own scripts, style sheets and requests. Pictures may come from anywhere: backgrounds, popups and tiles name them. No text ever
 * becomes markup.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: http: data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Map servers refuse requests without a Referer; it names the origin only. */
const referrer = 'strict-origin-when-cross-origin';

const hashed = /-[A-Z0-9]{8}\.(?:js|css)$/;

type File = TextReply & Required<Pick<ReplyHead, 'etag' | 'headers'>>;

/** The endpoints of the pages; none if the console was not built. */
export function consolePages(): PublicEndpoint[] {
  if (!fs.existsSync(new URL(folder + page, packageRoot()))) return [];
  // Listed and read when they are requested first: the examples are megabytes.
  const files = new Map<string, File>();
  let places: ReadonlyMap<string, URL> | undefined;
  const send = (name: string, request: Parameters<typeof conditional>[0]) => {
    places ??= new Map([...filesIn(exampleFolder), ...filesIn(folder)]);
    const place = places.get(name);
    if (place === undefined) throw problems.unknownPath();
    const file = files.get(name) ?? read(place, name);
    files.set(name, file);
    return conditional(request, file.etag, { 'Cache-Control': cacheControlOf(name) }, () => file);
  };
  return [
    publicEndpoint('/console', (request) => send(page, request)),
    publicEndpoint('/console/:file', (request) => send(paramOf(request, 'file'), request)),
  ];
}

/** Files of the known types by name. */
function filesIn(path: string): [name: string, place: URL][] {
  const root = new URL(path, packageRoot());
  const names = fs.readdirSync(root).filter((name) => Object.hasOwn(types, typeOf(name)));
  return names.map((name) => [name, new URL(name, root)]);
}

const typeOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The name of a chunk contains its digest. */
const cacheControlOf = (name: string): string => (hashed.test(name) ? 'public, max-age=31536000, immutable' : 'public, no-cache');

function read(place: URL, name: string): File {
  const text = fs.readFileSync(place);
  return {
    status: 200,
    text,
    contentType: types[typeOf(name)] as string,
    etag: etagOfContent(text),
    headers: {
      'Cache-Control': cacheControlOf(name),
      'Content-Security-Policy': policy,
      'Referrer-Policy': referrer,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  };
}
