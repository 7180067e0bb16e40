/**
 * Keeps the state of a project before the first change after ten minutes without one, and before a request that replaces a whole
 * collection. The change does not wait: its state is captured in its turn, and stored afterwards. A crash may lose such a version, never a
 * change.
 *
 * One state of a project waits at a time, and {@link waitingPerAccount} of an account. A further one is dropped: the next change is then
 * the first after the pause.
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

/** Most projects of an account whose states wait to be stored: what changes meanwhile stays in memory as it was, too. */
const waitingPerAccount = 16;

/** The time between two lines of the log about states that were dropped, in milliseconds. */
const dropLogMs = 60_000;

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
  /** Projects of each account whose states wait for the turn to be stored. */
  readonly #waiting = new Map<string, Set<StoredProject>>();
  readonly #storing = new Set<Promise<void>>();
  #dropped = 0;
  #dropsLogged = 0;
  #dropLoggedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(engine: Engine, files: StoredFiles, options: AutomaticVersionsOptions) {
    this.#engine = engine;
    this.#files = files;
    this.#options = options;
    this.#startedAt = options.clock();
  }

  /** States that were dropped since the start, because too many were waiting. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Called with the changes of each record in its turn, before they are applied. Must not throw. */
  beforeCommit(changes: readonly Change[], cause: Cause): void {
    const found = projectOfChanges(this.#engine, changes);
    if (found === undefined) return;
    if (found.isKept) this.#changedAt.set(found.project, this.#options.clock());
    else this.#beforeChange(found.project, cause);
  }

  #beforeChange(project: StoredProject, { by, replaces }: Cause): void {
    const now = this.#options.clock();
    const before = this.#changedAt.get(project) ?? this.#startedAt;
    const isDue = (now - before >= pauseMs || replaces) && !this.#isClosed;
    if (isDue && !this.#take(project)) {
      this.#drop(project, now);
      return;
    }
    this.#changedAt.set(project, now);
    if (!isDue) return;
    const captured = this.#capture(project, now);
    if (captured === undefined) {
      this.#free(project);
      return;
    }
    const storing = this.#store(project, captured, by);
    this.#storing.add(storing);
    void storing.then(() => this.#storing.delete(storing));
  }

  /** Resolves when no state waits or is being stored. */
  async idle(): Promise<void> {
    await Promise.all(this.#storing);
  }

  /** Drops the states that wait, and waits for those that are being stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.idle();
  }

  /** `false` if too many states wait. */
  #take(project: StoredProject): boolean {
    const waiting = this.#waiting.get(project.accountId) ?? new Set();
    if (waiting.has(project) || waiting.size >= waitingPerAccount) return false;
    this.#waiting.set(project.accountId, waiting.add(project));
    return true;
  }

  #free(project: StoredProject): void {
    const waiting = this.#waiting.get(project.accountId);
    waiting?.delete(project);
    if (waiting?.size === 0) this.#waiting.delete(project.accountId);
  }

  #drop({ accountId, id }: StoredProject, now: number): void {
    this.#dropped++;
    if (now - this.#dropLoggedAt < dropLogMs) return;
    this.#dropLoggedAt = now;
    const count = this.#dropped - this.#dropsLogged;
    this.#dropsLogged = this.#dropped;
    this.#options.log.warn({ account: accountId, project: id, count }, `too many states wait to be stored: ${notKept}`);
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

  /** Never rejects. @param by public part of the key of the change */
  async #store(project: StoredProject, captured: Captured, by: string): Promise<void> {
    const { accountId } = project;
    const capturing = () => {
      this.#free(project);
      return this.#isClosed ? 'missing' : captured;
    };
    try {
      const request = { name: '', kind: 'automatic', by } as const;
      await storeCaptured(this.#engine, this.#files, accountId, capturing, request, { show: () => undefined });
      if (!this.#isClosed) await deleteExpired(this.#engine, captured, this.#options.clock());
    } catch (error) {
      if (!(error instanceof StoppedError)) this.#options.log.warn({ err: error }, notKept);
    }
  }
}

/** The project that a record changes, and whether the record keeps the state before; `undefined` for other records. */
function projectOfChanges(
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
  if (!('path' in change)) return undefined;
  return change.path.collection === 'versions' ? undefined : change.path;
}
