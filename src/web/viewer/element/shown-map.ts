/**
 * What a map shows, by identifier: artboards, objects and popups of the document and its live result, what a click on an object does, and what
 * visitors call it.
 */
import { addressOf } from '../../../lib/draw/link-rules.ts';
import type { FieldPlace, PropertyValue } from '../../../lib/draw/public-map.ts';
import { type LiveResult, withLive } from '../drawing/live-result.ts';
import {
  documentDefaults,
  type MapArtboard,
  type MapDocument,
  type MapField,
  type MapObject,
  type MapPopup,
  nameOf,
  propertyOf,
} from '../drawing/map-document.ts';
import type { FilesBase } from './loading/file-address.ts';
import { filledIn, type Texts } from './texts.ts';

/** A document without a live result. */
export interface StillMap {
  readonly map: MapDocument;
  /** As it was published or given, with members that are not drawn. */
  readonly document: unknown;
  /** `undefined` for a document that a script has given. */
  readonly version: number | undefined;
  /** `undefined` if the map does not come from an address. */
  readonly filesBase: FilesBase | undefined;
  /** Where visits are counted; `undefined` where they are not. */
  readonly seen?: string | undefined;
}

/** A field with its value at an object. */
export interface FieldValue {
  readonly field: MapField;
  readonly value: PropertyValue;
}

/** The content that a chosen object shows. */
export interface Details {
  readonly object: MapObject;
  /** Of the contract; an empty one for an object that has fields alone. */
  readonly popup: MapPopup;
  readonly fields: readonly FieldValue[];
  /** True if the object has a popup. */
  readonly hasPopup: boolean;
}

export class ShownMap {
  readonly still: StillMap;
  readonly live: LiveResult | undefined;
  readonly isStill: boolean;
  readonly artboards: readonly MapArtboard[];
  readonly icons: MapDocument['icons'];
  readonly #artboards: ReadonlyMap<string, MapArtboard>;
  readonly #popups: ReadonlyMap<string, MapPopup>;
  /** Objects by identifier, of artboards that were searched. */
  readonly #objects = new Map<MapArtboard, ReadonlyMap<string, MapObject>>();

  /** @param isStill true if the document is shown as published, although there is a result */
  constructor(still: StillMap, live?: LiveResult, isStill = false) {
    const { artboards, popups, icons } = live === undefined || isStill ? still.map : withLive(still.map, live);
    this.isStill = isStill;
    this.still = still;
    this.live = live;
    this.artboards = artboards;
    this.icons = icons;
    this.#artboards = firstBy('id', artboards);
    // The first popup of an object is its popup.
    this.#popups = firstBy('attachedTo', popups);
  }

  /** The same document with another result, or as published. */
  with(live: LiveResult | undefined, isStill: boolean): ShownMap {
    return new ShownMap(this.still, live, isStill);
  }

  /** Whether a result belongs to a later (1) or an earlier (-1) version of the document. Without a version it belongs to any. */
  ageOf({ version = this.still.version }: LiveResult): number {
    return this.still.version === undefined || version === undefined ? 0 : Math.sign(version - this.still.version);
  }

  artboardById(id: string): MapArtboard | undefined {
    return this.#artboards.get(id);
  }

  /** An artboard by its identifier or name. */
  artboardNamed(named: string): MapArtboard | undefined {
    return this.#artboards.get(named) ?? this.artboards.find(({ name }) => name === named || name.trim() === named);
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

  /** The artboard to which a fragment leads. An object with this identifier comes first, one with this name does not. */
  artboardAt(place: string): MapArtboard | undefined {
    return this.artboardOf(place, undefined) === undefined ? this.artboardNamed(place) : undefined;
  }

  /** An object by its identifier or name, if possible on the preferred artboard. */
  objectNamed(named: string, preferred: MapArtboard | undefined): { artboard: MapArtboard; id: string } | undefined {
    const artboard = this.artboardOf(named, preferred);
    if (artboard !== undefined) return { artboard, id: named };
    if (named === '') return undefined;
    for (const artboard of preferred === undefined ? this.artboards : [preferred, ...this.artboards]) {
      const object = artboard.objects.find((object) => nameOf(object) === named);
      if (object !== undefined) return { artboard, id: object.id };
    }
    return undefined;
  }

  popupOf(objectId: string): MapPopup | undefined {
    return this.#popups.get(objectId);
  }

  /** The artboard or the address to which a click on an object leads. */
  targetOf({ click_action, click_action_artboard_id, click_action_url }: MapObject): MapArtboard | string | undefined {
    if (click_action === 'change-artboard') return this.#artboards.get(click_action_artboard_id);
    return click_action === 'follow-link' ? addressOf(click_action_url, 'link', document.baseURI) : undefined;
  }

  /** The fields of an object that are shown at a place and have a value. */
  fieldsOf(object: MapObject, place: FieldPlace): FieldValue[] {
    return this.still.map.fields.flatMap((field) => {
      const value = field.show.includes(place) ? fieldValue(object, field) : undefined;
      return value === undefined ? [] : [{ field, value }];
    });
  }

  /** The texts by which a search finds an object, besides its name and its popup. */
  searchedText(object: MapObject): string {
    return this.fieldsOf(object, 'search')
      .map(({ value }) => (typeof value === 'boolean' ? '' : value))
      .join(' ');
  }

  /** `undefined` for an object that has nothing to show. */
  detailsOf(object: MapObject): Details | undefined {
    const popup = this.#popups.get(object.id);
    const fields = this.fieldsOf(object, 'popup');
    if (popup === undefined && fields.length === 0) return undefined;
    return { object, popup: popup ?? documentDefaults.popup, fields, hasPopup: popup !== undefined };
  }

  /** Whether a click on an object does something. */
  acts(object: MapObject): boolean {
    if (!object.interactive) return false;
    return this.#popups.has(object.id) || this.targetOf(object) !== undefined || this.#has(object, 'popup');
  }

  /** True if an object is a place rather than a part of the picture. */
  isPlace(object: MapObject): boolean {
    return object.category !== '' || this.#has(object);
  }

  /** True if the panel lists an object. */
  isListed(object: MapObject): boolean {
    return this.acts(object) || (this.isPlace(object) && this.responds(object));
  }

  /** True if an object has a value of a field that is shown at a place, or of any field. */
  #has(object: MapObject, place?: FieldPlace): boolean {
    const { fields } = this.still.map;
    return fields.some((field) => (place === undefined || field.show.includes(place)) && fieldValue(object, field) !== undefined);
  }

  /** Whether the pointer finds an object: one that does nothing and has no name is part of the picture. */
  responds(object: MapObject): boolean {
    return object.interactive && (nameOf(object) !== '' || this.acts(object));
  }

  /**
   * What visitors call an object: its name, the title of its popup, or the name of the artboard to which it leads; its number without any.
   *
   * @param at its position on its artboard
   */
  titleOf(object: MapObject, at: number, texts: Texts): string {
    const target = this.targetOf(object);
    const title = nameOf(object) || this.popupOf(object.id)?.title.trim() || (typeof target === 'object' ? nameOf(target) : '');
    return title || filledIn(texts.unnamed, { number: at + 1 });
  }
}

/** The value of a field at an object; `undefined` for none, and for an empty text. */
export function fieldValue(object: MapObject, { name }: Pick<MapField, 'name'>): PropertyValue | undefined {
  const value = propertyOf(object, name);
  return typeof value === 'string' && value.trim() === '' ? undefined : value;
}

/** A document from elsewhere may have an identifier twice: the first counts. */
const firstBy = <Name extends string, Item extends Readonly<Record<Name, string>>>(
  name: Name,
  items: readonly Item[],
): ReadonlyMap<string, Item> => new Map(items.map((item): [string, Item] => [item[name], item]).reverse());
