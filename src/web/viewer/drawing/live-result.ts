/**
 * The live result of a map, and the published document with it applied. A result comes from a server or from a file on any host, so every
 * member of it is checked as those of the document are.
 */
import {
  changedObject,
  changedPopup,
  isPlain,
  isUsableId,
  listOf,
  type MapArtboard,
  type MapDocument,
  type MapObject,
  type MapPopup,
  readIcons,
  readObject,
  readPopup,
} from './map-document.ts';

/** An object that an action has created. */
interface CreatedObject {
  readonly artboardId: string;
  readonly object: MapObject;
  readonly popup: MapPopup | undefined;
}

export interface LiveResult {
  /** Of the map that it belongs to; `undefined` if the result does not say. */
  readonly version: number | undefined;
  /** When it was evaluated, RFC 3339. */
  readonly at: string | undefined;
  /** The worst state of its data sources. */
  readonly state: 'fresh' | 'stale' | 'failed';
  /** Time of its oldest data if they are stale, in milliseconds since 1970. */
  readonly since: number | undefined;
  /** Members that differ, by identifier. */
  readonly objects: ReadonlyMap<string, unknown>;
  readonly popups: ReadonlyMap<string, unknown>;
  readonly created: readonly CreatedObject[];
  /** Popups of objects of the document, each attached to one. */
  readonly createdPopups: readonly MapPopup[];
  /** Icons that only this result names. */
  readonly icons: MapDocument['icons'];
}

/**
 * A result of any origin, in the form of `live.json` or of an answer of `POST …/evaluate`. Wrong members are left out. Throws a TypeError if it is
 * no result at all.
 */
export function readLive(given: unknown): LiveResult {
  if (!isPlain(given)) throw new TypeError('a live result is an object { "version", "at", "objects", "popups", "created" }');
  const { version, at, sources, since, objects, popups, created, created_popups, icons } = given;
  const state = sources === 'stale' || sources === 'failed' ? sources : 'fresh';
  const time = state === 'stale' ? Date.parse(String(since)) : Number.NaN;
  return {
    version: typeof version === 'number' ? version : undefined,
    at: typeof at === 'string' ? at : undefined,
    state,
    since: Number.isNaN(time) ? undefined : time,
    objects: byId(objects),
    popups: byId(popups),
    created: listOf(created).map(({ artboard_id, object, popup }) => ({
      artboardId: typeof artboard_id === 'string' ? artboard_id : '',
      object: readObject(object),
      popup: isPlain(popup) ? readPopup(popup) : undefined,
    })),
    createdPopups: listOf(created_popups).map(({ popup }) => readPopup(popup)),
    icons: readIcons(icons),
  };
}

const byId = (given: unknown): ReadonlyMap<string, unknown> => new Map(isPlain(given) ? Object.entries(given) : []);

/**
 * The document with a result applied. Objects, popups and artboards that the result does not change are those of the document. Unknown
 * identifiers, and created objects whose identifier another object has, are left out.
 */
export function withLive(document: MapDocument, { objects, popups, created, createdPopups, icons }: LiveResult): MapDocument {
  const more = new Map<string, MapObject[]>();
  const attached: MapPopup[] = [...createdPopups];
  const known = new Set(document.artboards.flatMap((artboard) => artboard.objects.map(({ id }) => id)));
  const artboardIds = new Set(document.artboards.map(({ id }) => id));
  for (const { artboardId, object, popup } of created) {
    if (!artboardIds.has(artboardId) || !isUsableId(object.id) || known.has(object.id)) continue;
    known.add(object.id);
    const others = more.get(artboardId);
    if (others === undefined) more.set(artboardId, [object]);
    else others.push(object);
    if (popup !== undefined) attached.push({ ...popup, attachedTo: object.id });
  }
  return {
    ...document,
    artboards: document.artboards.map((artboard) => {
      const own = more.get(artboard.id) ?? [];
      // Of two artboards with one identifier, the first has the objects.
      more.delete(artboard.id);
      return withObjects(artboard, objects, own);
    }),
    icons: icons.size === 0 ? document.icons : new Map([...icons, ...document.icons]),
    popups: [...document.popups.map((popup) => changed(popup, popups, changedPopup)), ...attached],
  };
}

function withObjects(artboard: MapArtboard, objects: LiveResult['objects'], created: readonly MapObject[]): MapArtboard {
  if (created.length === 0 && !artboard.objects.some(({ id }) => objects.has(id))) return artboard;
  return { ...artboard, objects: [...artboard.objects.map((object) => changed(object, objects, changedObject)), ...created] };
}

/** The same item if nothing changes it. Its identifier stays, whatever the result says. */
function changed<Item extends MapObject | MapPopup>(
  item: Item,
  changes: ReadonlyMap<string, unknown>,
  changedItem: (item: Item, members: unknown) => Item,
): Item {
  const change = changes.get(item.id);
  return change === undefined ? item : { ...changedItem(item, change), id: item.id };
}
