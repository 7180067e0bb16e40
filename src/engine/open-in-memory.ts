/**
 * Opens the engine without a data folder: all data is in memory and is lost when the process ends. The engine is the same; its journal
 * writes no files, and it has no snapshots.
 */

import { FolderError } from '../lib/errors.ts';
import { PictureRecognizer } from '../lib/pictures/picture-recognizer.ts';
import { BlobStore } from '../storage/blobs/blob-store.ts';
import type { Snapshots } from '../storage/snapshot/scheduler.ts';
import { MemoryJournal } from '../storage/wal/memory-journal.ts';
import { MemoryLog } from '../storage/wal/memory-log.ts';
import { FileIndex } from '../store/file-index.ts';
import { State } from '../store/state.ts';
import { type AssembleOptions, assemble, quotasIn } from './assemble.ts';
import { LogPlaces, readLogEvents } from './feed/log-events.ts';
import type { LogReaderWorker } from './feed/log-reader-worker.ts';
import { BlobCollector } from './files/blob-collector.ts';
import { StoredFiles } from './files/stored-files.ts';
import { MemoryBudget } from './memory/memory-budget.ts';
import type { Opened, Watchers } from './open-engine.ts';

type InMemoryOptions = AssembleOptions & Pick<Watchers, 'onDurable'>;

export function openInMemory(options: InMemoryOptions): Opened {
  const memory = options.memory ?? MemoryBudget.of(options);
  const log = new MemoryLog();
  const journal = new MemoryJournal(log, options.onDurable);
  const state = new State(memory.leafKind);
  const files = filesInMemory(state, memory, options);
  const parts = { state, journal, snapshots: noSnapshots, memory, files, folder: '', worker: readerOf(log) };
  const recovery = { accounts: 0, projects: 0, records: 0, snapshotLsn: 0, damaged: [] };
  return { engine: assemble(parts, options), wal: journal, recovery };
}

/** Files whose bytes are in memory, too. Nothing is deleted from it but with the process. */
function filesInMemory(state: State, memory: MemoryBudget, options: InMemoryOptions): StoredFiles {
  const { log, clock = Date.now } = options;
  state.files = new FileIndex(state.lsn);
  const blobs = BlobStore.inMemory(log);
  const collector = new BlobCollector(state.files, blobs, { log, clock });
  return new StoredFiles(new PictureRecognizer({ log }), { state, blobs, collector, quotas: quotasIn(options), log }, memory);
}

/** Reads the log in the calling thread: it is in memory, and pieces are bounded. */
function readerOf(log: MemoryLog): LogReaderWorker {
  const places = new LogPlaces();
  return { read: async (request) => readLogEvents(log, places, request), close: async () => undefined };
}

/** Snapshots of an in-memory server: none. */
const noSnapshots: Snapshots = {
  onCollected: () => undefined,
  failures: 0,
  snapshotLsn: 0,
  lagSegments: 0,
  stats: {
    written: 0,
    failures: 0,
    running: false,
    failure: undefined,
    damage: undefined,
    lastMs: 0,
    snapshotLsn: 0,
    madeAt: 0,
    lagSegments: 0,
    lagBytes: 0,
    lagging: false,
    undeleted: [],
  },
  hold: () => ({ move: () => undefined, release: () => undefined }),
  collectGarbage: async () => undefined,
  async run() {
    throw new FolderError(
      'This server keeps everything in memory: there is no data folder for a snapshot. Give it one: { data: "maps" }.',
    );
  },
  close: async () => undefined,
};
