/**
 * Creates whole projects: a copy of another project, or an import of a document. They are built in slices and without a lock: such a project
 * is not visible yet, and no concurrent change affects it except the deletion of its account.
 */
import { setTimeout } from 'node:timers/promises';
import { runCooperatively } from '../../lib/async/cooperative.ts';
import { BusyError } from '../../lib/errors.ts';
import { findAccount } from '../../store/find.ts';
import type { State } from '../../store/state.ts';
import type { Author, Context, ResponseBuilder, ResponseToStore, Target } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { ImportedFiles } from '../files/imported-files.ts';
import { buildDetached } from '../write/detached-project.ts';
import { responseChange } from '../write/idempotency.ts';
import { Overlay } from '../write/overlay.ts';
import type { WriteOutcome } from '../write/write.ts';
import { type Duplication, duplicate } from './duplicate-project.ts';
import { ImportDraft } from './import-draft.ts';
import type { Building, BuildingBounds } from './project-builder.ts';

/** How often the commit of a built project is retried while the log is busy, and the pause between, in milliseconds. */
const roomWaits = { most: 50, ms: 100 } as const;

/** Creates a copy of a project, durably, as one record. Throws as {@link Writer.execute} does, with nothing changed. */
export function duplicateProject<T>(
  engine: Engine,
  duplication: Duplication,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const build = (context: Context, bounds: BuildingBounds) => duplicate(engine.state, duplication, context, bounds);
  return make(engine, duplication.accountId, build, making);
}

/** Starts the draft of an import. Throws a MemoryFullError if memory is full. @param files as for {@link ImportDraft} */
export function draftOf(engine: Engine, author: Author, partBytesMax: number, files?: ImportedFiles): ImportDraft {
  engine.memory.refuseUnlessFits(1);
  const admit = (memoryBytes: number): void => engine.memory.refuseUnlessFits(memoryBytes);
  return new ImportDraft(
    author,
    engine.writer.context(),
    engine.journal.preparedBytesMax,
    partBytesMax,
    engine.bodyCheck,
    admit,
    files,
  );
}

/** Creates the project of a complete draft, durably, as one record. Throws as {@link Writer.execute} does, with nothing changed. */
export function importProject<T>(engine: Engine, draft: ImportDraft, making: ResponseBuilder<T>): Promise<WriteOutcome<T>> {
  return make(engine, draft.author.accountId, (context, bounds) => draft.build(context, bounds), making);
}

/** An outcome, and the LSN that must be durable before it is returned. */
export interface Ended<T> {
  readonly outcome: WriteOutcome<T>;
  readonly version: number;
}

async function make<T>(
  engine: Engine,
  accountId: string,
  build: (context: Context, bounds: BuildingBounds) => Generator<void, Building>,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const { journal, memory, state } = engine;
  memory.refuseUnlessFits(1);
  const context = engine.writer.context();
  let heldBytes = 0;
  const grows = (bytes: number): void => {
    memory.hold(bytes);
    heldBytes += bytes;
  };
  const release = (): void => {
    memory.release(heldBytes);
    heldBytes = 0;
  };
  try {
    const building = build(context, { recordBytesMax: journal.preparedBytesMax, grows });
    const { remember } = making;
    const built = await runCooperatively(
      remember === undefined ? building : builtWithResponse(state, accountId, building, remember, context),
    );
    if (built.outcome !== 'built') return await finish(engine, accountId, () => ({ outcome: built, version: built.version }));
    return await commit(engine, accountId, built, making, release);
  } finally {
    release();
  }
}

/** Adds the response to the record of a project that was built in slices. */
function* builtWithResponse(
  state: State,
  accountId: string,
  build: Generator<void, Building>,
  remember: ResponseToStore<Target>,
  context: Context,
): Generator<void, Building> {
  const building = yield* build;
  if (building.outcome !== 'built') return building;
  const { projectId, record } = building;
  const overlay = new Overlay(state, accountId, '');
  for (const change of record.changes) {
    overlay.apply([change]);
    yield;
  }
  const json = remember.write(overlay.state, { kind: 'project', accountId, projectId });
  record.add(yield* responseChange(state, accountId, remember, json, context));
  return building;
}

/**
 * Commits a built project as one record and attaches it to the state.
 *
 * @param release frees the memory that was reserved while it was built; called just before its real size is admitted
 */
async function commit<T>(
  engine: Engine,
  accountId: string,
  { projectId, record }: Building & { outcome: 'built' },
  { show }: ResponseBuilder<T>,
  release: () => void,
): Promise<WriteOutcome<T>> {
  const done = (version: number): Ended<T> => {
    return { outcome: { outcome: 'done', shown: show(engine.state, { kind: 'project', accountId, projectId }) }, version };
  };
  const { runStart } = engine.writer;
  if (runStart !== undefined) record.add(runStart);
  const pieces = record.pieces(engine.writer.context().now);
  const byteLength = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const made = await runCooperatively(buildDetached(engine.state, accountId, record.changes, engine.quotas));
  if (byteLength <= engine.journal.recordBytesMax) {
    const bytes = Buffer.concat(pieces, byteLength);
    release();
    return finish(engine, accountId, () => done(engine.writer.attach(made, bytes)));
  }
  engine.writer.refuseBeyondQuota(made);
  const prepared = await engine.journal.prepare(byteLength, async (into) => runCooperatively(copied(pieces, into)));
  try {
    release();
    return await finish(engine, accountId, () => done(engine.writer.attach(made, prepared)));
  } finally {
    engine.journal.abort(prepared);
  }
}

/** Concatenates pieces into a buffer. Yields after each piece. */
export function* copied(pieces: readonly Uint8Array[], into: Uint8Array): Generator<void, void> {
  let at = 0;
  for (const piece of pieces) {
    into.set(piece, at);
    at += piece.byteLength;
    yield;
  }
}

/** Commits a built record in one turn, unless its account is deleted; then waits until the outcome is durable. */
export async function finish<T>(engine: Engine, accountId: string, end: () => Ended<T>): Promise<WriteOutcome<T>> {
  for (let waits = 0; ; waits++) {
    try {
      const { value: account, version: goneAt } = findAccount(engine.state, accountId);
      const { outcome, version } =
        account === undefined ? ({ outcome: { outcome: 'missing' }, version: goneAt } as const) : end();
      const durable = engine.journal.durable(version);
      if (durable !== undefined) await durable;
      return outcome;
    } catch (error) {
      // A built record is expensive, so the commit waits for the next segment.
      if (!(error instanceof BusyError) || waits === roomWaits.most) throw error;
      await setTimeout(roomWaits.ms);
    }
  }
}
