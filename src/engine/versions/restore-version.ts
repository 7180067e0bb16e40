/**
 * Brings a project back to a version of it: one record, with the state before as another version.
 *
 *     capture -> store its bytes -> lock -> unchanged since? -> changes and the version before -> append
 *
 * If another client has changed the project meanwhile, it is captured and stored again; the last time under the lock of the project, so that
 * a restore succeeds however often other clients write. The turn to store comes before the lock: writes do not wait for other accounts.
 */

import { versions } from '../../model/resources.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import { findProject } from '../../store/find.ts';
import type { Change } from '../../store/operations/operations.ts';
import type { Decision, Precondition, ProjectName, ResponseBuilder, Target } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { VersionTurn } from '../version-turns.ts';
import { responseChange } from '../write/idempotency.ts';
import { Overlay } from '../write/overlay.ts';
import type { WriteOutcome } from '../write/write.ts';
import { findVersion, versionsAt, withContent } from './held-content.ts';
import { withRoom } from './make-room.ts';
import { changesTo } from './restoring.ts';
import type { VersionContent } from './version-content.ts';
import { type Captured, capture, fixedMembers, storeState, type VersionRequest } from './versions.ts';

export interface RestoreRequest extends Omit<VersionRequest, 'name' | 'kind' | 'precondition'> {
  readonly versionId: string;
  /** Condition on the version of the project. */
  readonly precondition: Precondition | undefined;
}

/** How often the state before is stored without the lock. */
const attemptsWithoutLock = 2;

/** Length limit of the name of a version, in characters. */
const nameLengthMax = 200;

/**
 * Brings a project back to the state of a version, in one change. The same record keeps the state before as a version. Throws as
 * {@link Writer.execute} and {@link withContent} do, with nothing changed.
 */
export async function restoreVersion<T>(
  engine: Engine,
  stored: StoredFiles,
  request: RestoreRequest,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const { accountId, projectId, precondition } = request;
  const present = await engine.reader.read((state) => findProject(state, accountId, projectId));
  if (present.value !== undefined && precondition?.(present.version) === false) return { outcome: 'stale' };
  const row = await findVersion(engine, request, request.versionId);
  if (row === undefined) return { outcome: 'missing' };
  const name = `Before the restore of ${row['name'] === '' ? row['created'] : row['name']}`.slice(0, nameLengthMax);
  return await withContent(engine, stored, request, row, async (content) => {
    const restoring = new Restoring(engine, stored, request, { name, content }, making);
    return await withRoom(engine, accountId, () => restoring.run());
  });
}

/** The state before, as it was captured, and its bytes. */
interface Before {
  readonly captured: Captured;
  readonly blob: StoredBlob;
}

class Restoring<T> {
  readonly #engine: Engine;
  readonly #stored: StoredFiles;
  readonly #request: RestoreRequest;
  readonly #wanted: { readonly name: string; readonly content: VersionContent };
  readonly #making: ResponseBuilder<T>;
  #before: Before | undefined;
  #isOvertaken = false;

  constructor(
    engine: Engine,
    stored: StoredFiles,
    request: RestoreRequest,
    wanted: { readonly name: string; readonly content: VersionContent },
    making: ResponseBuilder<T>,
  ) {
    this.#engine = engine;
    this.#stored = stored;
    this.#request = request;
    this.#wanted = wanted;
    this.#making = making;
  }

  async run(): Promise<WriteOutcome<T>> {
    try {
      for (let attempt = 0; attempt < attemptsWithoutLock; attempt++) {
        await this.#inTurn((turn) => this.#storeBefore(turn));
        const outcome = await this.#transact();
        if (!this.#isOvertaken) return outcome;
      }
      return await this.#inTurn((turn) => this.#transact(() => this.#storeBefore(turn)));
    } finally {
      this.#before?.blob.hold.release();
      this.#before = undefined;
    }
  }

  #inTurn<R>(work: (turn: VersionTurn<'storing'>) => Promise<R>): Promise<R> {
    return this.#engine.versionTurns.run('storing', this.#request.accountId, work);
  }

  #transact(preparing?: () => Promise<void>): Promise<WriteOutcome<T>> {
    this.#isOvertaken = false;
    return this.#engine.writer.transact(this.#request, () => this.#decide(), this.#making.show, {
      ...{ preparing, hasOwnSegment: true },
    });
  }

  /** Captures the present state and stores its bytes, unless the restore is refused anyway. */
  async #storeBefore(turn: VersionTurn<'storing'>): Promise<void> {
    this.#before?.blob.hold.release();
    this.#before = undefined;
    const { state, writer } = this.#engine;
    const { accountId, projectId, precondition, json } = this.#request;
    const { value: project, version } = findProject(state, accountId, projectId);
    if (project === undefined || precondition?.(version) === false) return;
    const captured = capture(project, json, writer.context().now);
    this.#before = { captured, blob: await storeState(turn, this.#stored, captured) };
  }

  *#decide(): Generator<void, Decision> {
    const { state, writer } = this.#engine;
    const { accountId, projectId, precondition } = this.#request;
    const { value: project, version } = findProject(state, accountId, projectId);
    if (project === undefined) return { outcome: 'missing', version };
    if (precondition?.(version) === false) return { outcome: 'stale', version };
    if (this.#before === undefined || this.#before.captured.version !== project.version) {
      this.#isOvertaken = true;
      return { outcome: 'stale', version };
    }
    const target: Target = { kind: 'project', accountId, projectId };
    const changes: Change[] = [this.#versionBefore(this.#before), ...(yield* changesTo(this.#wanted.content, project))];
    const { remember } = this.#making;
    if (remember === undefined) return { outcome: 'done', version, changes, target };
    const overlay = new Overlay(state, accountId, projectId);
    overlay.apply(changes);
    const response = yield* responseChange(state, accountId, remember, remember.write(overlay.state, target), writer.context());
    return { outcome: 'done', version, changes: [...changes, response], target };
  }

  #versionBefore({ captured, blob }: Before): Change {
    const fixed = fixedMembers(this.#engine, captured, blob, 'before-restore', this.#request.by);
    const value = versions.create(this.#engine.writer.context().newId(), fixed, { name: this.#wanted.name });
    return { op: 'put', path: versionsAt(this.#request satisfies ProjectName), values: [value], created: true };
  }
}
