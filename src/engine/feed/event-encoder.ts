/**
 * What a record tells those who follow it: an event for each thing that was created, updated or deleted, and for each new order. The text is
 * made once, of the record alone, so that it is the same whether it is told at once or read from the log later.
 *
 * A record is told whole: only its last event carries the place to go on from. What a deleted holder held goes without a word.
 */
import { eventText } from '../../lib/text/event-text.ts';
import type { Change, CollectionPath } from '../../model/change.ts';
import { type ApiVersion, type CollectionName, representationOf } from '../../model/resource.ts';
import { collectionNames, projects, resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { ProjectName } from '../command.ts';

export interface RecordEvents extends ProjectName {
  readonly lsn: number;
  /** As it is sent; `undefined` where the record does not say what was created and what updated. */
  readonly text: string | undefined;
  /** It is a piece of what is told of the record, and not the last one. */
  readonly hasMore?: boolean;
  /** The project is gone: nothing will ever be told of it again. */
  readonly isLast: boolean;
}

/** How many members are told between two places where the work may be interrupted. */
const membersPerSlice = 64;

const kindOf = (noun: string): string => noun.replaceAll(' ', '_');
const projectKind = kindOf(projects.noun);
const kinds = Object.fromEntries(collectionNames.map((name) => [name, kindOf(resourceOf[name].noun)])) as Record<
  CollectionName,
  string
>;

/** Words for what is told of. */
export const eventKinds: readonly string[] = [projectKind, ...Object.values(kinds)];

/** The project that a record is about, all of it; `undefined` for one about accounts or keys. */
export function projectChanged(changes: readonly Change[]): ProjectName | undefined {
  for (const change of changes) {
    if (change.op === 'put-project') return { accountId: change.accountId, projectId: change.value.id };
    if (change.op === 'delete-project') return change;
    if ('path' in change) return change.path;
  }
  return undefined;
}

/** One event, before it is known whether another one follows. */
interface Event {
  readonly name: string;
  readonly data: string;
}

/**
 * The events of a record about a project. May be interrupted.
 *
 * @param version the name of its LSN
 * @param compat which original the resources in them follow
 */
export function* recordEvents(
  version: string,
  lsn: number,
  { accountId, projectId }: ProjectName,
  changes: readonly Change[],
  compat: ApiVersion,
): Generator<void, RecordEvents> {
  const isLast = changes.some(({ op }) => op === 'delete-project');
  let text = '';
  for (const piece of recordTexts(version, changes, compat)) {
    if (piece === undefined) return { lsn, accountId, projectId, text: undefined, isLast };
    text += piece;
    yield;
  }
  return { lsn, accountId, projectId, text, isLast };
}

/** The text of a record in pieces, each some members long; the same pieces each time. `undefined` where the record does not say enough. */
export function* recordTexts(
  version: string,
  changes: Iterable<Change>,
  compat: ApiVersion,
): Generator<string | undefined, void> {
  let text = '';
  let before: Event | undefined;
  let count = 0;
  for (const change of changes) {
    if ((change.op === 'put' || change.op === 'put-project') && change.created === undefined) {
      yield undefined;
      return;
    }
    for (const event of eventsOf(change, version, compat)) {
      if (before !== undefined) text += eventText(before.name, before.data);
      before = event;
      if (++count % membersPerSlice !== 0) continue;
      yield text;
      text = '';
    }
  }
  yield before === undefined ? text : text + eventText(before.name, before.data, version);
}

function* eventsOf(change: Change, version: string, compat: ApiVersion): Generator<Event> {
  switch (change.op) {
    case 'put-project':
      yield changed(
        change.created === true,
        { kind: projectKind, id: change.value.id, project_id: change.value.id, version },
        representationOf(projects, compat).shown(change.value),
      );
      return;
    case 'delete-project': {
      const { projectId } = change;
      yield deleted({ kind: projectKind, id: projectId, project_id: projectId, version });
      return;
    }
    case 'put': {
      const face = representationOf(resourceOf[change.path.collection], compat);
      for (const value of change.values)
        yield changed(change.created === true, member(change.path, value.id, version), face.shown(value));
      return;
    }
    case 'delete':
      for (const id of change.ids) yield deleted(member(change.path, id, version));
      return;
    case 'order': {
      const { kind, project_id, artboard_id } = member(change.path, '', version);
      yield { name: `${kind}.reordered`, data: JSON.stringify({ kind, project_id, artboard_id, version, ids: change.ids }) };
    }
  }
}

/** Where something is. */
interface Place {
  readonly kind: string;
  readonly id: string;
  readonly project_id: string;
  /** Of an object. */
  readonly artboard_id?: string;
  readonly version: string;
}

function member({ collection, projectId, parentId }: CollectionPath, id: string, version: string): Place {
  const kind = kinds[collection];
  return parentId === ''
    ? { kind, id, project_id: projectId, version }
    : { kind, id, project_id: projectId, artboard_id: parentId, version };
}

function changed(isNew: boolean, place: Place, resource: Value): Event {
  return { name: `${place.kind}.${isNew ? 'created' : 'updated'}`, data: JSON.stringify({ ...place, resource }) };
}

function deleted(place: Place): Event {
  return { name: `${place.kind}.deleted`, data: JSON.stringify({ ...place, resource: null }) };
}
