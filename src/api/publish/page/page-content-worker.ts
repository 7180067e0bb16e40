/** The worker thread that makes the content of pages. Its priority is low: other requests run first. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { takePriority } from '../../../lib/threads/priority.ts';
import { threadNumber } from '../../../lib/threads/processor-time.ts';
import { type ThreadResult, toResult } from '../../../lib/threads/thread-result.ts';
import { pageContent } from './page-content.ts';

/** A public map, compressed with gzip; `undefined` only loads the modules. */
export type PageContentTask = { readonly map: Uint8Array | undefined };

/** The content as JSON, compressed with gzip. */
export default function pageContentInWorker({ map }: PageContentTask): ThreadResult<Uint8Array | number | undefined> {
  return toResult(() => {
    if (map !== undefined) return gzipSync(JSON.stringify(pageContent(JSON.parse(gunzipSync(map).toString()))));
    takePriority('low');
    return threadNumber();
  });
}
