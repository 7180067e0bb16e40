/** The document of a map, by identifier: its artboards, objects and popups, and what a click on an object does. */
import type { MapArtboard, MapDocument, MapObject, MapPopup } from '../drawing/map-document.ts';
import { linkAddress } from './safe-content.ts';

export class ShownMap {
  readonly name: string;
  readonly artboards: readonly MapArtboard[];
  /** As it was published or given, with members that are not drawn. */
  readonly published: unknown;
  /** `undefined` for a document that a script has given. */
  readonly version: number | undefined;
  readonly #artboards: ReadonlyMap<string, MapArtboard>;
  readonly #popups: ReadonlyMap<string, MapPopup>;
  /** Objects by identifier, of artboards that were searched. */
  readonly #objects = new Map<MapArtboard, ReadonlyMap<string, MapObject>>();

  constructor({ name, artboards, popups }: MapDocument, published: unknown, version: number | undefined) {
    this.name = name;
    this.artboards = artboards;
    this.published = published;
    this.version = version;
    this.#artboards = firstBy('id', artboards);
    // The first popup of an object is its popup.
    this.#popups = firstBy('attachedTo', popups);
  }

  artboardById(id: string): MapArtboard | undefined {
    return this.#artboards.get(id);
  }

  /** An artboard by its identifier or name. */
  artboardNamed(named: string): MapArtboard | undefined {
    return this.#artboards.get(named) ?? this.artboards.find(({ name }) => name === named);
  }

  objectOf(id: string, artboard: MapArtboard | undefined): MapObject | undefined {
    if (artboard === undefined) return undefined;
    const objects = this.#objects.get(artboard) ?? firstBy('id', artboard.objects);
    this.#objects.set(artboard, objects);
    return objects.get(id);
  }

  /** The artboard of an object; the preferred one if it has the object. */
  artboardOf(id: string, preferred: MapArtboard | undefined): MapArtboard | undefined {
    const has = (artboard: MapArtboard): boolean => this.objectOf(id, artboard) !== undefined;
    return preferred !== undefined && has(preferred) ? preferred : this.artboards.find(has);
  }

  popupOf(objectId: string): MapPopup | undefined {
    return this.#popups.get(objectId);
  }

  /** The artboard or the address to which a click on an object leads. */
  targetOf({ click_action, click_action_artboard_id, click_action_url }: MapObject): MapArtboard | string | undefined {
    if (click_action === 'change-artboard') return this.#artboards.get(click_action_artboard_id);
    return click_action === 'follow-link' ? linkAddress(click_action_url) : undefined;
  }

  /** Whether a click on an object does something. */
  acts(object: MapObject): boolean {
    return object.interactive && (this.#popups.has(object.id) || this.targetOf(object) !== undefined);
  }
}

/** A document from elsewhere may have an identifier twice: the first counts. */
const firstBy = <Name extends string, Item extends Readonly<Record<Name, string>>>(
  name: Name,
  items: readonly Item[],
): ReadonlyMap<string, Item> => new Map(items.map((item): [string, Item] => [item[name], item]).reverse());
