/** Keeps states of a project, and brings it back to one of them. */
import type { Change } from '../../model/change.ts';
import type { VersionKind } from '../../model/resources/version.ts';
import { countedCollections } from '../../model/resources/version.ts';
import type { Body, Value } from '../../model/value.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import { findProject } from '../../store/find.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Command, Decision, Precondition, ProjectName, Target } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { ResponseBuilder } from '../projects/project-writer.ts';
import type { WriteOutcome } from '../write/write.ts';
import { findVersion, versionsAt, withContent } from './held-content.ts';
import { changesTo } from './restoring.ts';
import { filesOf, storeVersion, type VersionContent } from './version-content.ts';

/** Most versions of a project. */
export const versionsMax = 1000;

/** The project has as many versions as it may have. */
export class TooManyVersionsError extends Error {
  override readonly name = 'TooManyVersionsError';
}

/** The project was changed again and again while its state was being kept. */
export class ProjectBusyError extends Error {
  override readonly name = 'ProjectBusyError';
}

/** The JSON of a project as it is when this is called. */
type ProjectJson = (project: StoredProject) => Iterable<string | Buffer>;

export interface VersionRequest extends ProjectName {
  readonly name: string;
  readonly kind: VersionKind;
  readonly json: ProjectJson;
}

/** The state of a project at one moment: later changes do not show in it. Costs little, whatever the size of the project. */
export interface Captured extends ProjectName {
  /** RFC 3339 */
  readonly created: string;
  /** LSN of the newest change in it. */
  readonly version: number;
  readonly files: readonly Value[];
  readonly counts: Body;
  readonly json: Iterable<string | Buffer>;
}

/** @param now Unix time in milliseconds */
export const capture = (project: StoredProject, json: ProjectJson, now: number): Captured => ({
  ...{ accountId: project.accountId, projectId: project.id, version: project.version },
  ...{ created: new Date(now).toISOString(), files: filesOf(project), counts: countsOf(project), json: json(project) },
});

/** What {@link keepVersion} made: the version, and of which state. */
interface Kept<T> {
  readonly outcome: WriteOutcome<T>;
  /** LSN of the newest change in it. */
  readonly version: number;
}

/**
 * Keeps the present state of a project, durably. It is read in slices and compressed in a thread: no write waits for it. Throws as
 * {@link Writer.execute} does, and {@link TooManyVersionsError}.
 */
export async function keepVersion<T>(
  engine: Engine,
  stored: StoredFiles,
  request: VersionRequest,
  making: ResponseBuilder<T>,
): Promise<Kept<T>> {
  const { value: project, version } = findProject(engine.state, request.accountId, request.projectId);
  if (project === undefined) return { outcome: { outcome: 'missing' }, version };
  refuseMore(project, request.kind);
  const captured = capture(project, request.json, engine.writer.context().now);
  return { outcome: await storeCaptured(engine, stored, captured, request, making), version: captured.version };
}

/** Stores a captured state as a version. Throws as {@link Writer.execute} does. */
export async function storeCaptured<T>(
  engine: Engine,
  { blobs }: StoredFiles,
  { accountId, projectId, created, files, counts, json }: Captured,
  { name, kind }: Pick<VersionRequest, 'name' | 'kind'>,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const blob = await storeVersion(blobs, files, json);
  try {
    engine.state.files?.foundUnreferenced(blob.digest, engine.state.lsn);
    const { value: project } = findProject(engine.state, accountId, projectId);
    // Others may have been kept meanwhile.
    if (project !== undefined) refuseMore(project, kind);
    const fixed: Body = { created, kind, ...rowOf(blob), counts, files: files.map(nameOfBlob) };
    const target: Target = { kind: 'member', path: versionsAt({ accountId, projectId }), id: '' };
    const command: Command = { action: 'create', target, body: { name }, fixed, fieldErrors: [], remember: making.remember };
    return await engine.writer.execute(command, making.show);
  } finally {
    blob.hold.release();
  }
}

export interface RestoreRequest extends Omit<VersionRequest, 'name' | 'kind'> {
  readonly versionId: string;
  readonly precondition: Precondition | undefined;
}

/** How often the state before is kept again because the project has changed meanwhile. */
const attempts = 5;

/** No state of a project has this version. */
const neverKept = -1;

/**
 * Brings a project back to the state of a version, in one change. The state before becomes a version first, durably. Throws as
 * {@link keepVersion} and {@link withContent} do, and {@link ProjectBusyError}.
 */
export async function restoreVersion<T>(
  engine: Engine,
  stored: StoredFiles,
  request: RestoreRequest,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const { accountId, projectId, versionId, precondition } = request;
  const present = await engine.reader.read((state) => findProject(state, accountId, projectId));
  if (present.value !== undefined && precondition?.(present.version) === false) return { outcome: 'stale' };
  const row = await findVersion(engine, request, versionId);
  if (row === undefined) return { outcome: 'missing' };
  return await withContent(stored, row, async (content) => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      // Nothing is kept for a restore that is refused anyway.
      if (precondition?.(findProject(engine.state, accountId, projectId).version) === false)
        return await engine.writer.transact(request, () => decideRestore(engine, request, content, neverKept), making.show);
      const name = `Before the restore of ${row['name'] === '' ? row['created'] : row['name']}`.slice(0, 200);
      const outcome = await attemptRestore(engine, stored, { ...request, name, kind: 'before-restore' }, content, making);
      if (outcome.outcome !== 'stale') return outcome;
    }
    throw new ProjectBusyError('The project changes all the time: nothing was restored. Retry when no other client writes.');
  });
}

/** Keeps the state before, and restores unless the project has changed meanwhile: then the state that was kept is forgotten. */
async function attemptRestore<T>(
  engine: Engine,
  stored: StoredFiles,
  request: VersionRequest & Pick<RestoreRequest, 'precondition'>,
  content: VersionContent,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const { outcome: kept, version } = await keepVersion(engine, stored, request, {
    show: (_, written) => (written.kind === 'member' ? written.id : ''),
  });
  if (kept.outcome !== 'done') return kept;
  let isApplied = false;
  try {
    return await engine.writer.transact(
      request,
      () => decideRestore(engine, request, content, version),
      (state, written) => {
        isApplied = true;
        return making.show(state, written);
      },
    );
  } finally {
    if (!isApplied) {
      const target: Target = { kind: 'member', path: versionsAt(request), id: kept.shown };
      // One version too many does no harm.
      await engine.writer.execute({ action: 'delete', target }, () => undefined).catch(() => undefined);
    }
  }
}

/** @param keptVersion of the state that was kept; after another change the restore is stale */
function* decideRestore(
  { state }: Engine,
  { accountId, projectId, precondition }: ProjectName & Pick<RestoreRequest, 'precondition'>,
  content: VersionContent,
  keptVersion: number,
): Generator<void, Decision> {
  const { value: project, version } = findProject(state, accountId, projectId);
  if (project === undefined) return { outcome: 'missing', version };
  if (version !== keptVersion || precondition?.(version) === false) return { outcome: 'stale', version };
  const changes: readonly Change[] = yield* changesTo(content, project);
  return { outcome: 'done', version, changes, target: { kind: 'project', accountId, projectId } };
}

function refuseMore(project: StoredProject, kind: VersionKind): void {
  const count = project.collection('versions', '')?.size ?? 0;
  if (kind === 'named' && count >= versionsMax)
    throw new TooManyVersionsError(`The project has ${count} versions, which is the limit: delete some that are not needed.`);
}

const rowOf = ({ digest, bytes }: StoredBlob): Body => ({ digest, bytes });

const nameOfBlob = (file: Value): string => `${file['digest']} ${file['bytes']}`;

function countsOf(project: StoredProject): Body {
  const counts = Object.fromEntries(countedCollections.map((name) => [name, 0]));
  for (const { name, collection } of project.collections())
    if (name in counts) counts[name] = (counts[name] ?? 0) + collection.size;
  return counts;
}
