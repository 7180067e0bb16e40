/** Web pages of the server and their files, which `npm run build` makes, each under a strict content security policy. */
import fs from 'node:fs';
import { problems } from '../../http/problem.ts';
import type { ReplyHead, TextReply } from '../../http/response/reply.ts';
import { type PublicEndpoint, paramOf } from '../../http/route.ts';
import { packageRoot } from '../../lib/package.ts';
import { conditional, etagOfContent } from '../crud/etag.ts';
import { publicEndpoint } from '../declaration.ts';
import { nothingHere, orNote } from './note-page.ts';

interface PageFiles {
  /** Path of the page, such as `/console`; its files are below. */
  readonly path: string;
  /** Folders of the package. The last one contains `index.html`, and wins where two have a file of the same name. */
  readonly folders: readonly string[];
  /** Directives of the content security policy. */
  readonly policy: readonly string[];
  readonly referrer: string;
  /** Whether the page has an opaque origin, to which its own files are those of another origin. */
  readonly isOpaque?: boolean;
}

const page = 'index.html';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/** Directives of pages that are in no frame of another page. */
export const commonPolicy: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const hashed = /-[A-Z0-9]{8}\.(?:js|css)$/;

type File = TextReply & Required<Pick<ReplyHead, 'etag' | 'headers'>>;

/** The endpoints of a page and its files; none if it was not built. */
export function pageFiles(options: PageFiles): PublicEndpoint[] {
  const { path, folders } = options;
  if (!fs.existsSync(new URL(folders.at(-1) + page, packageRoot()))) return [];
  // Listed and read when they are requested first: they are megabytes.
  const files = new Map<string, File>();
  let places: ReadonlyMap<string, URL> | undefined;
  const send = (name: string, request: Parameters<typeof conditional>[0]) => {
    places ??= new Map(folders.flatMap(filesIn));
    const place = places.get(name);
    if (place === undefined) throw problems.unknownPath();
    const file = files.get(name) ?? read(place, name, options);
    files.set(name, file);
    return conditional(request, file.etag, { 'Cache-Control': cacheControlOf(name) }, () => file);
  };
  return [
    publicEndpoint(path, (request) => send(page, request)),
    publicEndpoint(
      `${path}/:file`,
      orNote(nothingHere, (request) => send(paramOf(request, 'file'), request)),
    ),
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

function read(place: URL, name: string, { policy, referrer, isOpaque = false }: PageFiles): File {
  const text = fs.readFileSync(place);
  return {
    kind: 'text',
    status: 200,
    text,
    contentType: types[typeOf(name)] as string,
    etag: etagOfContent(text),
    headers: {
      'Cache-Control': cacheControlOf(name),
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': referrer,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': isOpaque ? 'cross-origin' : 'same-origin',
    },
  };
}
