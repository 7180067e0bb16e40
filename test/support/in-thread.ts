/**
 * The work of the threads for log, snapshots and change feed, in the calling thread. To start a thread takes a tenth of a second of processor
 * time, more than most tests; what the threads do is the same code.
 */
import { LogPlaces, readLogEvents } from '../../src/engine/feed/log-events.ts';
import type { LogReaderWorker } from '../../src/engine/feed/log-reader-worker.ts';
import type { OpenOptions } from '../../src/engine/open-engine.ts';
import { type Files, nodeFiles } from '../../src/lib/files/files.ts';
import { BlobMemory } from '../../src/storage/blobs/blob-memory.ts';
import { checkSnapshot, runSnapshot } from '../../src/storage/snapshot/run/snapshot-run.ts';
import type { SnapshotWorker } from '../../src/storage/snapshot/run/snapshot-worker.ts';
import { LogReader } from '../../src/storage/wal/read/log-reader.ts';
import { InlineWorker } from '../wal/inline-worker.ts';
import { tier } from './tier.ts';

/** Makes snapshots in the calling thread, on any file system. */
export const inlineSnapshotWorker = (files: Files): SnapshotWorker => ({
  run: async ({ request }) => runSnapshot(files, request),
  check: async (path) => checkSnapshot(files, path),
  close: async () => undefined,
});

/** Reads the log for subscribers in the calling thread. */
function inlineReader(files: Files): LogReaderWorker {
  let reader: LogReader | undefined;
  let places = new LogPlaces();
  return {
    async read(request) {
      const { folder, lineage } = request;
      if (reader?.folder !== folder || reader.lineage !== lineage) {
        reader = new LogReader(files, folder, lineage);
        places = new LogPlaces();
      }
      return readLogEvents(reader, places, request);
    },
    close: async () => undefined,
  };
}

/** Workers for an engine in the calling thread, on any file system. */
export const inlineWorkers = (files: Files) => ({
  // An engine whose folders have none for blobs keeps them in memory.
  blobs: new BlobMemory(),
  journal: new InlineWorker(files),
  snapshot: inlineSnapshotWorker(files),
  reader: inlineReader(files),
});

/** Workers for an engine on files of the system, for one opening: in `npm run test:all` the threads of production. */
export function workersOfTier(): NonNullable<OpenOptions['workers']> {
  return tier === 'all' ? { blobs: new BlobMemory() } : inlineWorkers(nodeFiles);
}
