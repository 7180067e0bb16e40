/** The batches of an import as diffs, each over what the project has after those before it. */
import type { Diff, Members } from '../../../lib/change/diff.ts';
import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import type { ImportBatch, ImportOperation } from '../../convert/converter.ts';
import type { ProjectEdits } from '../document/project-edits.ts';
import { collectionKey } from '../kinds/resource-kinds.ts';

/** The parts of an import, in the order in which they are written. */
interface Written {
  readonly artboardId: string;
  /** Members that the artboard gets before its objects. */
  readonly artboard: Members;
  readonly batches: Iterable<ImportBatch>;
  readonly projectId: string;
  /** Those of the project at the end. */
  readonly settings: Members;
}

/**
 * @param about receives the operation that each resource is of
 */
export function* importDiffs(
  { artboardId, artboard, batches, projectId, settings }: Written,
  edits: Pick<ProjectEdits, 'begin'>,
  about: Map<string, ImportOperation>,
): Generator<Diff, undefined> {
  yield edits.begin().put(artboardId, artboard).diff;
  for (const { operations } of batches) {
    const edit = edits.begin();
    /** Identifiers of what the batch creates, by their names in it. */
    const named = new Map<string, string>();
    for (const operation of operations) {
      const id = addOperation(edit, operation, named);
      about.set(id, operation);
      if (operation.as !== undefined) named.set(`{${operation.as}}`, id);
    }
    yield edit.diff;
  }
  yield edits.begin().put(projectId, { settings }).diff;
}

const objectPath = /^\/artboards\/([^/]+)\/objects(?:\/([^/]+))?$/;

/** @returns the identifier of what the operation is about */
function addOperation(
  edit: DiffBuilder,
  { method, path, body = {} }: ImportOperation,
  named: ReadonlyMap<string, string>,
): string {
  const [, artboardId, objectId] = objectPath.exec(path) ?? [];
  const [, name = '', memberId] = path.split('/');
  const id = decodeURIComponent((artboardId === undefined ? memberId : objectId) ?? '');
  if (method === 'DELETE') edit.remove(id);
  else if (method === 'PATCH') edit.put(id, body);
  else {
    const { attachedTo } = body;
    const members = typeof attachedTo === 'string' ? { ...body, attachedTo: named.get(attachedTo) ?? attachedTo } : body;
    const isObject = artboardId !== undefined;
    return edit.create(isObject ? collectionKey({ kind: 'object', artboardId: decodeURIComponent(artboardId) }) : name, members);
  }
  return id;
}
