/**
 * Reads a published map: `map.json` names the current version, which lies next to it under its digest and never changes. A server keeps the
 * newest versions only, so a missing version means that a cache had an old `map.json`: it is read again, past the cache.
 */
import { isIconName } from '../../../../lib/draw/public-map.ts';
import { readTileSources, type TileSource } from '../../drawing/ground/tile-source.ts';
import { type MapDocument, type MapObject, readMap } from '../../drawing/map-document.ts';
import { type FilesBase, loadedFrom } from './file-address.ts';

/** Where the live results of a map are. */
export interface LiveSource {
  readonly address: string;
  /** Seconds between two requests. */
  readonly refresh: number;
}

export interface PublishedMap {
  readonly version: number;
  /** The address of this version. */
  readonly address: string;
  readonly map: MapDocument;
  /** Where files of the map are: see {@link serverOf}. */
  readonly filesBase: FilesBase | undefined;
  /** As published, with members that are not drawn. */
  readonly document: unknown;
  /** Where visits are counted; `undefined` where they are not. */
  readonly seen: string | undefined;
}

export type ProblemKind = 'missing' | 'network' | 'format';

export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly kind: ProblemKind;

  constructor(kind: ProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

interface LoadOptions {
  readonly signal: AbortSignal;
  /** The address of the version that is shown: nothing is read again if it is still current. */
  readonly known?: string | undefined;
}

/** The folder of a published map from the attribute `src`. */
export function folderOf(src: string): URL {
  const url = new URL(src, document.baseURI);
  url.hash = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/**
 * The address of the server that publishes a map, without a slash at its end: the paths of its files, `/f/…`, are below it. For a map in any
 * other folder, that is the folder: `mapwright publish --out` puts the files there.
 */
export const serverOf = ({ origin, pathname }: URL): string => {
  const path = /^(.*)\/p\/[^/]+\/$/.exec(pathname)?.[1];
  return origin + (path ?? pathname.replace(/\/$/, ''));
};

/** The map with backgrounds, and pictures as icons, where they are. */
function withFilesAt(filesBase: FilesBase, map: MapDocument): MapDocument {
  const withIcon = (object: MapObject): MapObject =>
    object.icon === '' || isIconName(object.icon) ? object : { ...object, icon: loadedFrom(object.icon, filesBase) };
  const artboards = map.artboards.map((artboard) => ({
    ...artboard,
    image_url: loadedFrom(artboard.image_url, filesBase),
    objects: artboard.objects.map(withIcon),
  }));
  return { ...map, artboards };
}

/** What `map.json` in a folder says. */
interface Loaded {
  /** `undefined` if it is still the known one. */
  readonly published: PublishedMap | undefined;
  /** `undefined` for a still map. */
  readonly live: LiveSource | undefined;
  readonly tiles: readonly TileSource[] | undefined;
}

/** The published map in a folder. Rejects with a LoadError. */
export async function loadPublishedMap(folder: URL, { signal, known }: LoadOptions): Promise<Loaded> {
  // The second time past all caches: the first `map.json` named a version that is gone. The first time it is only asked whether it has
  // changed, whatever time its host lets browsers keep it.
  for (const cache of ['no-cache', 'reload'] as const) {
    const pointer = await readJson(new URL('map.json', folder), { signal, cache });
    if (pointer === undefined) throw new LoadError('missing', `there is no map.json in ${folder}`);
    const { version, address, live, seen, copiedFrom, tiles } = readPointer(pointer, folder);
    if (address === known) return { published: undefined, live, tiles };
    const content = await readJson(new URL(address), { signal, cache: 'default' });
    if (content === undefined) continue;
    const filesBase = { url: serverOf(folder), copiedFrom };
    const map = withFilesAt(filesBase, parsed(content));
    return { published: { version, address, map, filesBase, document: content, seen }, live, tiles };
  }
  throw new LoadError('missing', `the version that map.json in ${folder} names is missing`);
}

interface Pointer {
  readonly version: number;
  readonly address: string;
  readonly live: LiveSource | undefined;
  readonly seen: string | undefined;
  /** As for {@link FilesBase}. */
  readonly copiedFrom: string | undefined;
  readonly tiles: readonly TileSource[] | undefined;
}

function readPointer(pointer: unknown, folder: URL): Pointer {
  const { version, map, live, refresh, files, tiles, seen } = (
    typeof pointer === 'object' && pointer !== null ? pointer : {}
  ) as Record<string, unknown>;
  const address = addressIn(folder, map);
  if (typeof version !== 'number' || address === undefined)
    throw new LoadError('format', `map.json in ${folder} is not { "version": number, "map": address }`);
  const liveAddress = addressIn(folder, live);
  const copiedFrom = typeof files === 'string' ? files : undefined;
  const source = liveAddress === undefined ? undefined : { address: liveAddress, refresh: seconds(refresh) };
  // A path of tiles is one of the server of the map.
  const sources = readTileSources(tiles)?.map((each) => ({ ...each, url: each.url.replace(/^(?=\/)/, folder.origin) }));
  return { version, address, live: source, seen: addressIn(folder, seen), copiedFrom, tiles: sources };
}

/** An address of http(s), relative to a folder. */
function addressIn(folder: URL, text: unknown): string | undefined {
  const address = typeof text === 'string' && URL.canParse(text, folder) ? new URL(text, folder) : undefined;
  return address !== undefined && /^https?:$/.test(address.protocol) ? address.href : undefined;
}

/** Between two requests for a live result. */
const refreshS = { least: 5, usual: 60, most: 86_400 };

const seconds = (given: unknown): number =>
  Math.max(refreshS.least, Math.min(refreshS.most, typeof given === 'number' && given > 0 ? given : refreshS.usual));

function parsed(content: unknown): MapDocument {
  try {
    return readMap(content);
  } catch (error) {
    throw new LoadError('format', (error as Error).message, error);
  }
}

/** The answer at an address; `undefined` for 404 and 410. Rejects with a LoadError if there is none, or one with another status. */
export async function requested(url: URL, options: RequestInit): Promise<Response | undefined> {
  let response: Response;
  try {
    response = await fetch(url, { ...options, credentials: 'omit' });
  } catch (error) {
    throw new LoadError('network', `${url}: no response. A page of another origin needs CORS headers in it`, error);
  }
  if (response.status === 404 || response.status === 410) return undefined;
  if (!response.ok) throw new LoadError('network', `${url}: status ${response.status}`);
  return response;
}

/** The JSON at an address; `undefined` for 404 and 410. */
async function readJson(url: URL, options: RequestInit): Promise<unknown> {
  const response = await requested(url, options);
  try {
    return await response?.json();
  } catch (error) {
    throw new LoadError('format', `${url}: not JSON`, error);
  }
}
