/**
 * Encodes the events of a record: one for each resource that was created, updated or deleted, one for each new order, and one for each
 * change of a publication. The text depends
 * on the record alone, so it is the same whether it is broadcast live or read from the log later.
 *
 * Only the last event of a record carries the version to resume from, so a client gets all events of a record or none. Resources that are
 * deleted with the resource that holds them have no events.
 */
import { eventText } from '../../lib/text/event-text.ts';
import type { Change, CollectionPath } from '../../model/change.ts';
import { refreshOf } from '../../model/publication.ts';
import { collectionNames, projects, resourceOf } from '../../model/resources.ts';
import type { Value } from '../../model/value.ts';
import type { ProjectName } from '../command.ts';

export interface RecordEvents extends ProjectName {
  readonly lsn: number;
  /** The text as sent; `undefined` if the record does not distinguish creates from updates. */
  readonly text: string | undefined;
  /** Whether more pieces of the record follow. */
  readonly hasMore?: boolean;
  /** Whether the record deletes the project: no event of it follows. */
  readonly isLast: boolean;
}

/** Events per slice. */
const membersPerSlice = 64;

const publicationKind = 'publication';

/** The kinds of resources in events: `project`, `artboard`, … */
export const eventKinds: readonly string[] = [
  projects.kind,
  ...collectionNames.map((name) => resourceOf[name].kind),
  publicationKind,
];

/** The project that a record changes; `undefined` for a record about accounts or keys. */
export function projectChanged(changes: readonly Change[]): ProjectName | undefined {
  for (const change of changes) {
    if (change.op === 'put-project') return { accountId: change.accountId, projectId: change.value.id };
    if (change.op === 'delete-project' || change.op === 'put-publication' || change.op === 'delete-publication') return change;
    if ('path' in change) return change.path;
  }
  return undefined;
}

/** An event without its version: only the last event of a record gets one. */
interface Event {
  readonly name: string;
  readonly data: string;
}

/**
 * Encodes all events of a record about a project. Yields after each slice.
 *
 * @param version the name of the record's LSN
 */
export function* recordEvents(
  version: string,
  lsn: number,
  { accountId, projectId }: ProjectName,
  changes: readonly Change[],
): Generator<void, RecordEvents> {
  const isLast = changes.some(({ op }) => op === 'delete-project');
  let text = '';
  for (const piece of recordTexts(version, changes)) {
    if (piece === undefined) return { lsn, accountId, projectId, text: undefined, isLast };
    text += piece;
    yield;
  }
  return { lsn, accountId, projectId, text, isLast };
}

/**
 * Encodes the events of a record in pieces of {@link membersPerSlice} events, the same pieces each time. Yields `undefined` and ends if the
 * record does not distinguish creates from updates.
 */
export function* recordTexts(version: string, changes: Iterable<Change>): Generator<string | undefined, void> {
  let text = '';
  let before: Event | undefined;
  let count = 0;
  for (const change of changes) {
    if ((change.op === 'put' || change.op === 'put-project') && change.created === undefined) {
      yield undefined;
      return;
    }
    for (const event of eventsOf(change, version)) {
      if (before !== undefined) text += eventText(before.name, before.data);
      before = event;
      if (++count % membersPerSlice !== 0) continue;
      yield text;
      text = '';
    }
  }
  yield before === undefined ? text : text + eventText(before.name, before.data, version);
}

function* eventsOf(change: Change, version: string): Generator<Event> {
  switch (change.op) {
    case 'put-project':
      yield changed(
        change.created === true,
        { kind: projects.kind, id: change.value.id, project_id: change.value.id, version },
        change.value,
      );
      return;
    case 'delete-project': {
      const { projectId } = change;
      yield deleted({ kind: projects.kind, id: projectId, project_id: projectId, version });
      return;
    }
    case 'put-publication': {
      const { projectId, head, created } = change;
      const { version: number, published, bytes } = head.newest;
      const { slug, origins } = head;
      const resource = { slug, version: number, published, bytes, origins, refresh: refreshOf(head) };
      yield changed(created, { kind: publicationKind, id: projectId, project_id: projectId, version }, resource);
      return;
    }
    case 'delete-publication': {
      const { projectId } = change;
      yield deleted({ kind: publicationKind, id: projectId, project_id: projectId, version });
      return;
    }
    case 'put': {
      for (const value of change.values)
        yield changed(change.created === true, member(change.path, value.id, version), shown(change.path, value));
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

/** The members of an event that identify a resource and its version. */
interface EventTarget {
  readonly kind: string;
  readonly id: string;
  readonly project_id: string;
  /** Only for an object. */
  readonly artboard_id?: string;
  readonly version: string;
}

function member({ collection, projectId, parentId }: CollectionPath, id: string, version: string): EventTarget {
  const kind = resourceOf[collection].kind;
  return parentId === ''
    ? { kind, id, project_id: projectId, version }
    : { kind, id, project_id: projectId, artboard_id: parentId, version };
}

/** A member as responses show it. */
function shown({ collection }: CollectionPath, value: Value): object {
  const { hidden } = resourceOf[collection];
  return hidden.length === 0 ? value : Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.includes(name)));
}

function changed(isNew: boolean, target: EventTarget, resource: object): Event {
  return { name: `${target.kind}.${isNew ? 'created' : 'updated'}`, data: JSON.stringify({ ...target, resource }) };
}

function deleted(target: EventTarget): Event {
  return { name: `${target.kind}.deleted`, data: JSON.stringify({ ...target, resource: null }) };
}
