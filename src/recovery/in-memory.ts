/**
 * Opens the engine on nothing: what it holds is in memory and goes with the process. The same engine, with a journal that writes nothing,
 * and no snapshots. Nothing is left behind anywhere.
 */

import { type AssembleOptions, assemble } from '../engine/assemble.ts';
import { LogPlaces, readLogEvents } from '../engine/feed/log-events.ts';
import type { LogReaderWorker } from '../engine/feed/log-reader-worker.ts';
import { MemoryBudget, memoryBytesDefault } from '../engine/memory/memory-budget.ts';
import { FolderError } from '../lib/errors.ts';
import type { Snapshots } from '../snapshot/scheduler.ts';
import { State } from '../store/state.ts';
import { MemoryJournal } from '../wal/memory-journal.ts';
import { MemoryLog } from '../wal/memory-log.ts';
import type { Opened, Watchers } from './open-engine.ts';

export type InMemoryOptions = AssembleOptions & Pick<Watchers, 'onDurable'>;

export function openInMemory(options: InMemoryOptions): Opened {
  const memory = new MemoryBudget(options.memoryBytes ?? memoryBytesDefault(), undefined, options.decodedCacheBytes);
  const log = new MemoryLog();
  const journal = new MemoryJournal(log, options.onDurable);
  const parts = { state: new State(memory), journal, snapshots: noSnapshots, memory, folder: '', crew: readerOf(log) };
  const recovery = { accounts: 0, projects: 0, records: 0, snapshotLsn: 0, damaged: [] };
  return { engine: assemble(parts, options), wal: journal, recovery };
}

/** Reads the log on the spot: it is there already, and a piece of it is bounded. */
function readerOf(log: MemoryLog): LogReaderWorker {
  const places = new LogPlaces();
  return { read: async (request) => readLogEvents(log, places, request), close: async () => undefined };
}

/** Where there are none, there never were any, and nobody waits for one. */
const noSnapshots: Snapshots = {
  failures: 0,
  snapshotLsn: 0,
  uncoveredSegments: 0,
  stats: {
    folds: 0,
    failures: 0,
    running: false,
    failure: undefined,
    damage: undefined,
    lastMs: 0,
    snapshotLsn: 0,
    madeAt: 0,
    uncoveredSegments: 0,
    uncoveredBytes: 0,
    lagging: false,
    undeleted: [],
  },
  hold: () => ({ move: () => undefined, release: () => undefined }),
  collectGarbage: async () => undefined,
  async fold() {
    throw new FolderError(
      'This server keeps everything in memory: there is no data folder for a snapshot. Give it one: { data: "maps" }.',
    );
  },
  close: async () => undefined,
};
