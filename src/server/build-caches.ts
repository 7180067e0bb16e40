/** Builds the memory budget and the caches within it. */
import { JsonCache } from '../api/crud/json-cache.ts';
import { MemoryBudget } from '../engine/memory/memory-budget.ts';
import { CompressedCache } from '../http/response/compressed-cache.ts';
import { type InMemoryServerOptions, type ServerOptions, serverOptions } from './server-options.ts';

/** Share of the response cache for compressed responses. */
const compressedShare = 1 / 4;

export interface Caches {
  readonly memory: MemoryBudget;
  readonly cache: JsonCache;
  readonly compressedCache: CompressedCache;
}

export function buildCaches(options: ServerOptions | InMemoryServerOptions): Caches {
  const { cacheBytes = serverOptions.cacheBytes.range[0] } = options;
  const memory = MemoryBudget.of(options);
  const cache = new JsonCache(cacheBytes * (1 - compressedShare), memory);
  return { memory, cache, compressedCache: new CompressedCache(cacheBytes * compressedShare, memory) };
}
