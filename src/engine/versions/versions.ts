/** Keeps states of a project. */
import type { VersionKind } from '../../model/resources/version.ts';
import { countedCollections } from '../../model/resources/version.ts';
import type { Body, Value } from '../../model/value.ts';
import type { StoredBlob } from '../../storage/blobs/blob-upload.ts';
import { findAccount, findCollection } from '../../store/find.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import { actorLabel } from '../actors.ts';
import type { Command, Precondition, ProjectName, ResponseBuilder, Target } from '../command.ts';
import type { Engine } from '../engine.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { VersionTurn } from '../version-turns.ts';
import { refuseVersion } from '../write/quotas.ts';
import type { WriteOutcome } from '../write/write.ts';
import { versionsAt } from './held-content.ts';
import { withRoom } from './make-room.ts';
import { filesOf, storeVersion, versionBytesMax, versionPauseMs } from './version-content.ts';

/** The JSON of a project as it is when this is called. */
export type ProjectJson = (project: StoredProject) => Iterable<string | Buffer>;

export interface VersionRequest extends ProjectName {
  readonly name: string;
  readonly kind: VersionKind;
  /** Public part of the key that makes it; '' for none. */
  readonly by: string;
  readonly json: ProjectJson;
  /** Condition on the version of the list of versions. */
  readonly precondition?: Precondition | undefined;
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

/**
 * Keeps the present state of a project, durably. It is read in slices and compressed in a thread: no write waits for it. It is captured
 * when it is the turn of the account: what waits for that holds nothing. Throws as {@link Writer.execute} does.
 */
export async function keepVersion<T>(
  engine: Engine,
  stored: StoredFiles,
  request: VersionRequest,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const { accountId, kind, json, precondition } = request;
  const path = versionsAt(request);
  const find = (): StoredProject | Refusal => {
    const { value: account } = findAccount(engine.state, accountId);
    const { value: found, version } = findCollection(engine.state, path);
    if (account === undefined || found === undefined) return 'missing';
    if (precondition?.(version) === false) return 'stale';
    if (kind === 'named') refuseVersion(engine.state, account, engine.quotas);
    return found.project;
  };
  const capturing = (): Captured | Refusal => {
    const found = find();
    return typeof found === 'string' ? found : capture(found, json, engine.writer.context().now);
  };
  // A request that is refused anyway does not wait, and nothing is stored for it.
  const found = find();
  const outcome: WriteOutcome<T> =
    typeof found === 'string' ? { outcome: found } : await storeCaptured(engine, stored, accountId, capturing, request, making);
  // What a refusal depends on must be durable.
  if (outcome.outcome !== 'done') await engine.reader.read((state) => findCollection(state, path));
  return outcome;
}

/** Why no version is made. */
type Refusal = 'missing' | 'stale';

/**
 * Stores a state as a version. Throws as {@link Writer.execute} does.
 *
 * @param capturing called when it is the turn of the account; may return a state that was captured before
 */
export async function storeCaptured<T>(
  engine: Engine,
  stored: StoredFiles,
  accountId: string,
  capturing: () => Captured | Refusal,
  { name, kind, by, precondition }: Pick<VersionRequest, 'name' | 'kind' | 'by' | 'precondition'>,
  making: ResponseBuilder<T>,
): Promise<WriteOutcome<T>> {
  const kept = await engine.versionTurns.run('storing', accountId, async (turn) => {
    const captured = capturing();
    if (typeof captured === 'string') return captured;
    return { captured, blob: await storeState(turn, stored, captured, versionPauseMs) };
  });
  if (typeof kept === 'string') return { outcome: kept };
  const { captured, blob } = kept;
  try {
    const target: Target = { kind: 'member', path: versionsAt(captured), id: '' };
    const fixed = fixedMembers(engine, captured, blob, kind, by);
    const { remember } = making;
    const command: Command = { action: 'create', target, body: { name }, fixed, fieldErrors: [], precondition, remember, by };
    const execute = () => engine.writer.execute(command, making.show);
    return await (kind === 'named' ? execute() : withRoom(engine, accountId, execute));
  } finally {
    blob.hold.release();
  }
}

/** Stores the content of a captured state, durably. The caller releases its hold when a record refers to it. */
export async function storeState(
  turn: VersionTurn<'storing'>,
  { uploads }: StoredFiles,
  { accountId, files, json }: Captured,
  pauseMs = 0,
): Promise<StoredBlob> {
  return await storeVersion(turn, await uploads.begin(accountId, { bytesMax: versionBytesMax }), files, json, pauseMs);
}

/** The members of a version that the server sets. @param by public part of the key that makes it */
export const fixedMembers = (
  { state }: Engine,
  { created, counts, files }: Captured,
  { digest, bytes }: StoredBlob,
  kind: VersionKind,
  by: string,
): Body => ({
  ...{ created, kind, key_label: actorLabel(state, by), bytes, counts, digest },
  files: files.map((file) => `${file['digest']} ${file['bytes']}`),
});

function countsOf(project: StoredProject): Body {
  const counts = Object.fromEntries(countedCollections.map((name) => [name, 0]));
  for (const { name, collection } of project.collections())
    if (name in counts) counts[name] = (counts[name] ?? 0) + collection.size;
  return counts;
}
