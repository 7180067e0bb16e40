/**
 * Encodes the events of a record: one for each resource that was created, updated or deleted, one for each new order, and one for each
 * change of a publication. The text depends
 * on the record alone, so it is the same whether it is broadcast live or read from the log later.
 *
 * Only the last event of a record carries the version to resume from, so a client gets all events of a record or none. Resources that are
 * deleted with the resource that holds them have no events.
 */
import { eventText } from '../../lib/text/event-text.ts';
import { collectionNames, projects, resourceOf } from '../../model/resources.ts';
import type { Event } from '../../store/operations/operation.ts';
import { type Change, operationOf } from '../../store/operations/operations.ts';
import { publicationKind } from '../../store/operations/shared/change-events.ts';
import type { ProjectName } from '../command.ts';

/** Events as text. */
export interface EventTexts {
  readonly text: string;
  /** The text for keys for reading; `undefined` if it is the same. */
  readonly textForReaders: string | undefined;
}

export interface RecordEvents extends ProjectName {
  readonly lsn: number;
  /** As sent; `undefined` if the record does not distinguish creates from updates. */
  readonly texts: EventTexts | undefined;
  /** Whether more pieces of the record follow. */
  readonly hasMore?: boolean;
  /** Whether the record deletes the project: no event of it follows. */
  readonly isLast: boolean;
}

/** Events per slice. */
const membersPerSlice = 64;

/** The kinds of resources in events: `project`, `artboard`, … */
export const eventKinds: readonly string[] = [
  projects.kind,
  ...collectionNames.map((name) => resourceOf[name].kind),
  publicationKind,
];

/** The project that a record changes; `undefined` for a record about accounts or keys. */
export function projectChanged(changes: readonly Change[]): ProjectName | undefined {
  for (const change of changes) {
    const { accountId, projectId } = operationOf(change).placeOf(change);
    if (accountId !== undefined && projectId !== undefined) return { accountId, projectId };
  }
  return undefined;
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
  let texts = noTexts;
  for (const piece of recordTexts(version, changes)) {
    if (piece === undefined) return { lsn, accountId, projectId, texts: undefined, isLast };
    texts = joinTexts(texts, piece);
    yield;
  }
  return { lsn, accountId, projectId, texts, isLast };
}

export const noTexts: EventTexts = { text: '', textForReaders: undefined };

export function joinTexts(first: EventTexts, second: EventTexts): EventTexts {
  const isSame = first.textForReaders === undefined && second.textForReaders === undefined;
  return {
    text: first.text + second.text,
    textForReaders: isSame ? undefined : (first.textForReaders ?? first.text) + (second.textForReaders ?? second.text),
  };
}

/**
 * Encodes the events of a record in pieces of {@link membersPerSlice} events, the same pieces each time. Yields `undefined` and ends if the
 * record does not distinguish creates from updates.
 */
export function* recordTexts(version: string, changes: Iterable<Change>): Generator<EventTexts | undefined, void> {
  let texts = noTexts;
  let before: Event | undefined;
  let count = 0;
  let by: string | undefined;
  for (const change of changes) {
    if (change.op === 'sign') by = change.personId;
    const { events } = operationOf(change);
    if (events === undefined) continue;
    const found = events(change, version);
    if (found === undefined) {
      yield undefined;
      return;
    }
    for (const each of found) {
      const event = by === undefined ? each : signed(each, by);
      if (before !== undefined) texts = joinTexts(texts, textsOf(before));
      before = event;
      if (++count % membersPerSlice !== 0) continue;
      yield texts;
      texts = noTexts;
    }
  }
  yield before === undefined ? texts : joinTexts(texts, textsOf(before, version));
}

/** An event that names the person who made the change. */
function signed({ name, data, dataForReaders }: Event, by: string): Event {
  const withPerson = (json: string): string => `${json.slice(0, -1)},"by":${JSON.stringify(by)}}`;
  return {
    ...{ name, data: withPerson(data) },
    ...(dataForReaders === undefined ? {} : { dataForReaders: withPerson(dataForReaders) }),
  };
}

const textsOf = ({ name, data, dataForReaders }: Event, id?: string): EventTexts => ({
  text: eventText(name, data, id),
  textForReaders: dataForReaders === undefined ? undefined : eventText(name, dataForReaders, id),
});
