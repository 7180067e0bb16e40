/** Checks the options of an embedding program, which may not have had a compiler to check them. */
import { suggest } from '../lib/suggest.ts';
import type { ServerOptions } from './server.ts';

const kinds: Readonly<Record<keyof ServerOptions, 'string' | 'number' | 'boolean' | 'function' | 'object'>> = {
  data: 'string',
  log: 'object',
  logRequests: 'boolean',
  limits: 'object',
  cacheBytes: 'number',
  onFatal: 'function',
  sync: 'string',
  segmentBytes: 'number',
  snapshotBytes: 'number',
  snapshotMinutes: 'number',
  foldPauseMs: 'number',
  elementsMax: 'number',
  clock: 'function',
};

const syncModes = ['always', 'interval', 'never'];

/** Throws a TypeError that says what is wrong and what would be right. */
export function checkOptions(options: ServerOptions): void {
  if (typeof options !== 'object' || options === null || typeof options.data !== 'string' || options.data === '') {
    throw new TypeError('createServer needs the name of a data folder: { data: "maps" }');
  }
  for (const [name, value] of Object.entries(options)) {
    const kind = (kinds as Readonly<Record<string, string>>)[name];
    if (kind === undefined) {
      const meant = suggest(name, Object.keys(kinds));
      throw new TypeError(`createServer has no option "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`);
    }
    if (value !== undefined && typeof value !== kind)
      throw new TypeError(`the option "${name}" of createServer must be a ${kind}`);
  }
  if (options.sync !== undefined && !syncModes.includes(options.sync)) {
    throw new TypeError(`the option "sync" of createServer must be one of ${syncModes.join(', ')}`);
  }
}
