/**
 * Copies a project, or a version of it, in the same account, with new identifiers and in the same order. Its files have the same bytes and
 * new addresses. The project is captured in one turn and the copy is built in slices. Concurrent writes to the project do not wait, and are
 * not in the copy.
 */
import type { FieldError } from '../../lib/field-error.ts';
import { sliceElements } from '../../model/bodies/check-body.ts';
import { newSlug } from '../../model/publication.ts';
import type { CollectionName } from '../../model/resource.ts';
import { resourceOf } from '../../model/resources.ts';
import type { Body, Value } from '../../model/value.ts';
import { findProject } from '../../store/find.ts';
import { type View, viewProject } from '../../store/list/views.ts';
import type { State } from '../../store/state.ts';
import type { StoredProject } from '../../store/stored-project.ts';
import type { Author, Context, Precondition, ProjectName } from '../command.ts';
import { filesOf, type VersionContent } from '../versions/version-content.ts';
import { membersOf, projectValueOf } from '../versions/version-values.ts';
import { IdMap } from './id-remap.ts';
import { type Building, type BuildingBounds, ProjectBuilder } from './project-builder.ts';

export interface Duplication extends ProjectName, Author {
  /** Members of the project itself that the copy gets instead of those of the original. */
  readonly body: Body;
  /** Errors in `body`. */
  readonly fieldErrors: readonly FieldError[];
  /** The shard that addresses of files name. */
  readonly shard: number;
  /** Of the server: addresses of files may begin with it. */
  readonly publicUrl?: string | undefined;
  /** Condition on the version of the original. */
  readonly precondition?: Precondition | undefined;
  /** The state to copy; `undefined`: the present one. The caller holds the bytes of its files. */
  readonly content?: VersionContent | undefined;
}

/** What is copied. */
interface Original {
  readonly value: Value;
  /** All members, each collection in its order, artboards before the objects on them; the same each time. */
  members(): Iterable<Placed>;
  readonly files: Iterable<Value>;
}

/** Throws a RecordTooLargeError if the copy is larger than one record may be. */
export function* duplicate(
  state: State,
  { accountId, projectId, by, body, fieldErrors, shard, publicUrl, precondition, content }: Duplication,
  context: Context,
  bounds: BuildingBounds,
): Generator<void, Building> {
  const { value: project, version } = findProject(state, accountId, projectId);
  if (project === undefined) return { outcome: 'missing', version };
  if (precondition?.(version) === false) return { outcome: 'stale', version };
  if (fieldErrors.length > 0) return { outcome: 'invalid', version, fieldErrors };
  const original = content === undefined ? captured(project) : asIn(content, project);
  const newIds = new IdMap(publicUrl);
  let visited = 0;
  // All new identifiers first: a member may refer to one that comes later.
  for (const { collection, value } of original.members()) {
    newIds.add(collection, value.id, context.newId());
    if (++visited % sliceElements === 0) yield;
  }
  for (const { id, url } of original.files) {
    newIds.add('files', id, context.newId());
    newIds.addFile(url as string, newSlug(shard));
    if (++visited % sliceElements === 0) yield;
  }
  const copy = new ProjectBuilder({ accountId, by }, newIds, context, bounds);
  copy.putProject(original.value, body);
  for (const { collection, parentId, value } of original.members()) {
    copy.put(collection, newIds.get('artboards', parentId), newIds.get(collection, value.id), value);
    if (++visited % sliceElements === 0) yield;
  }
  for (const value of original.files) {
    copy.put('files', '', newIds.get('files', value.id), { ...value, url: newIds.pathOf(value['url'] as string) });
    if (++visited % sliceElements === 0) yield;
  }
  return { outcome: 'built', projectId: copy.projectId, record: copy.finish() };
}

interface Placed {
  readonly collection: CollectionName;
  readonly parentId: string;
  readonly value: Value;
}

/** The project as it is now; later changes do not show in it. */
function captured(project: StoredProject): Original {
  const view = viewProject(project, undefined);
  return { value: view.value, members: () => membersIn(view), files: filesOf(project) };
}

const asIn = (content: VersionContent, project: StoredProject): Original => ({
  value: projectValueOf(content, project),
  members: () => membersOf(content),
  files: content.files,
});

/** Yields all members of a project: each collection in its order, artboards before the objects on them. */
function* membersIn(project: View): Generator<Placed, void> {
  for (const [collection, views] of project.held) {
    for (const view of views) yield { collection, parentId: '', value: view.value };
    if (resourceOf[collection].collections.length === 0) continue;
    for (const holder of views) {
      for (const [name, held] of holder.held) {
        for (const view of held) yield { collection: name, parentId: holder.value.id, value: view.value };
      }
    }
  }
}
