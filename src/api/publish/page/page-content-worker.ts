/** The worker thread that reads public maps: for their pages, and for their places. Its priority is low: other requests run first. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { takePriority } from '../../../lib/threads/priority.ts';
import { threadNumber } from '../../../lib/threads/processor-time.ts';
import { type ThreadResult, toResult } from '../../../lib/threads/thread-result.ts';
import { type PublicDocument, pageContent } from './page-content.ts';
import { placeIdsIn, placeNamesIn } from './public-places.ts';

export interface MapTask {
  /** A public map, compressed with gzip. */
  readonly map: Uint8Array;
  readonly part: 'page' | 'ids' | 'names';
  /** Those of the wanted names. */
  readonly ids?: readonly string[];
}

/** Without a map, it only loads the modules. */
export type PageContentTask = MapTask | { readonly map: undefined };

/** The content of a page as JSON, compressed with gzip; identifiers, packed; or names by identifier. */
export type MapPart = Uint8Array | Readonly<Record<string, string>>;

export default function pageContentInWorker(task: PageContentTask): ThreadResult<MapPart | number | undefined> {
  return toResult(() => {
    if (task.map !== undefined) return partOf(task);
    takePriority('low');
    return threadNumber();
  });
}

function partOf({ map, part, ids = [] }: MapTask): MapPart {
  const document = JSON.parse(gunzipSync(map).toString()) as PublicDocument;
  if (part === 'page') return gzipSync(JSON.stringify(pageContent(document)));
  return part === 'ids' ? placeIdsIn(document) : placeNamesIn(document, ids);
}
