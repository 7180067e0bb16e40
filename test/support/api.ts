/** What endpoints have, in tests that bind them without a server. */

import { JsonCache } from '../../src/api/crud/json-cache.ts';
import type { Api } from '../../src/api/declaration.ts';
import { tileSourcesOf } from '../../src/api/pages/map-tiles.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { mebibyte } from '../../src/lib/option-declaration.ts';

/** Small limits; nothing is published and nothing fetched. */
export function apiOf(engine: Engine, given: Partial<Api> = {}): Api {
  return {
    ...{ engine, cache: new JsonCache(mebibyte, engine.memory), basePath: '', publicUrl: '', rateLimit: '' },
    ...{ urlBytesMax: 8192, bodyBytesMax: mebibyte, fileBytesMax: 1024, importBytesMax: mebibyte },
    ...{ batchResultsBytesMax: mebibyte, publishing: undefined, live: undefined, visits: undefined, tiles: tileSourcesOf() },
    ...given,
  };
}
