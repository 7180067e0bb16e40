/**
 * Keeps the state of a project before the first change after ten minutes without one, and before a request that replaces a whole
 * collection. The change does not wait: its state is captured in its turn, and stored afterwards, one project at a time. A crash may lose
 * such a version, never a change.
 */

import { StoppedError } from '../../lib/errors.ts';
import type { Log } from '../../lib/observability/logger.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { ProjectName } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { Cause } from '../write/write.ts';
import { deleteExpired } from './delete-expired.ts';
import { type Captured, capture, storeCaptured } from './versions.ts';

/** Time without a change after which the next one begins a new piece of work, in milliseconds. */
const pauseMs = 10 * 60 * 1000;

/** Most states that wait to be stored; further ones are not kept. */
const waitingMax = 64;

const notKept = 'a version was not kept; no change is lost';

export interface AutomaticVersionsOptions {
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The JSON of a project as it is when this is called. */
  json(project: StoredProject): Iterable<string | Buffer>;
}

export class AutomaticVersions {
  readonly #engine: Engine;
  readonly #files: StoredFiles;
  readonly #options: AutomaticVersionsOptions;
  /** What was not changed since is not known to have been unchanged before. */
  readonly #startedAt: number;
  /** Time of the newest change in this run. */
  readonly #changedAt = new WeakMap<StoredProject, number>();
  #waiting = 0;
  #storing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(engine: Engine, files: StoredFiles, options: AutomaticVersionsOptions) {
    this.#engine = engine;
    this.#files = files;
    this.#options = options;
    this.#startedAt = options.clock();
  }

  /** Called in the turn of a change of a project's document, before it is applied. Must not throw. */
  beforeChange(project: StoredProject, { by, replaces }: Cause): void {
    const now = this.#options.clock();
    const before = this.#changedAt.get(project) ?? this.#startedAt;
    this.#changedAt.set(project, now);
    if ((now - before < pauseMs && !replaces) || this.#isClosed || this.#waiting >= waitingMax) return;
    const captured = this.#capture(project, now);
    if (captured === undefined) return;
    this.#waiting++;
    this.#storing = this.#storing.then(() => this.#store(captured, by)).finally(() => this.#waiting--);
  }

  /** Called in the turn of a change that keeps the state before itself. */
  noteChange(project: StoredProject): void {
    this.#changedAt.set(project, this.#options.clock());
  }

  /** Waits for the version that is being stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#storing;
  }

  /** `undefined` if the project cannot be read: the change itself must not fail. */
  #capture(project: StoredProject, now: number): Captured | undefined {
    try {
      return capture(project, this.#options.json, now);
    } catch (error) {
      this.#options.log.warn({ err: error }, notKept);
      return undefined;
    }
  }

  /** @param by public part of the key of the change */
  async #store(captured: Captured, by: string): Promise<void> {
    if (this.#isClosed) return;
    try {
      const request = { name: '', kind: 'automatic', by } as const;
      await storeCaptured(this.#engine, this.#files, captured.accountId, () => captured, request, { show: () => undefined });
      await deleteExpired(this.#engine, captured, this.#options.clock());
    } catch (error) {
      if (!(error instanceof StoppedError)) this.#options.log.warn({ err: error }, notKept);
    }
  }
}

/** The project that a record changes, and whether the record keeps the state before; `undefined` for other records. */
export function projectOfChanges(
  engine: Engine,
  changes: readonly Change[],
): { readonly project: StoredProject; readonly isKept: boolean } | undefined {
  const [first, second] = changes;
  const isKept = first?.op === 'put' && first.path.collection === 'versions';
  const change = isKept ? second : first;
  if (change === undefined) return undefined;
  const name = projectNameOf(change);
  const project = name && engine.state.accounts.get(name.accountId)?.projects.get(name.projectId);
  return project && { project, isKept };
}

function projectNameOf(change: Change): ProjectName | undefined {
  if (change.op === 'put-project') return { accountId: change.accountId, projectId: change.value.id };
  if (change.op !== 'put' && change.op !== 'delete' && change.op !== 'order') return undefined;
  return change.path.collection === 'versions' ? undefined : change.path;
}
