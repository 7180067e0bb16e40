/** Assembles an engine from a state and its journal, for a data folder or in memory. */

import type { Log } from '../lib/observability/logger.ts';
import { versionsMaxDefault } from '../model/account-limits.ts';
import { bodyCheckOf } from '../model/host-schemas.ts';
import { Engine, type EngineParts } from './engine.ts';
import { type EngineOptions, engineOptions } from './engine-options.ts';
import { backlogBytesDefault, Feed, type FeedParts } from './feed/feed.ts';
import type { MemoryBudget } from './memory/memory-budget.ts';
import { AutomaticVersions, type AutomaticVersionsOptions } from './versions/automatic-versions.ts';
import { type Bounds, boundsOf, unbounded } from './write/quotas.ts';

/** Maximum share of the memory budget for the event backlog. */
const backlogShare = 1 / 16;

export type AssembleOptions = EngineOptions &
  Pick<EngineParts, 'onFatal' | 'onCommit'> & {
    readonly log: Log;
    /** The JSON of a project as it is when this is called, to keep states of projects before changes; without it, none is kept. */
    readonly json?: AutomaticVersionsOptions['json'] | undefined;
    /** The budget, if the caller shares it; by default one of its own. The engine closes it. */
    readonly memory?: MemoryBudget;
  };

type Parts = Pick<EngineParts, 'state' | 'journal' | 'snapshots' | 'memory' | 'files'> & Pick<FeedParts, 'folder' | 'worker'>;

/** Quotas of accounts that have no quotas of their own. */
export const quotasIn = ({ quotas }: Pick<EngineOptions, 'quotas'>): Bounds =>
  boundsOf(quotas, { ...unbounded, versions: versionsMaxDefault });

export function assemble({ state, journal, snapshots, memory, files, folder, worker }: Parts, options: AssembleOptions): Engine {
  const { log, onFatal, onCommit, json, clock = Date.now } = options;
  const backlogBytesMax = Math.min(backlogBytesDefault, memory.budgetBytes * backlogShare);
  const feed = new Feed({ state, journal, folder, worker, log, clock, backlogBytesMax: backlogBytesMax });
  const engine = new Engine({
    state,
    journal,
    snapshots,
    memory,
    files,
    feed,
    elementsMax: options.elementsMax ?? engineOptions.elementsMax.range[0],
    responsesBytesMax: options.idempotencyBytes ?? engineOptions.idempotencyBytes.range[0],
    quotas: quotasIn(options),
    bodyCheck: options.schemas && bodyCheckOf(options.schemas),
    log,
    clock,
    onCommit,
    automaticVersions: files && json && ((engine) => new AutomaticVersions(engine, files, { log, clock, json })),
    onFatal(error) {
      // The log may have a record that the state does not have.
      files?.uploads.keepAll();
      onFatal(error);
    },
  });
  memory.startEviction(state);
  return engine;
}
