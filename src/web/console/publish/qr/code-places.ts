/** The places of a published map, as a user finds them, and the addresses that open them. */
import { type MapDocument, nameOf } from '../../../viewer/drawing/map-document.ts';
import { addressIn, fragmentWith, wordFor } from '../../../viewer/element/navigation/map-address.ts';
import { type TargetName, targetNames } from '../../forms/controls/targets/target-names.ts';

/** A place whose name is longer, as it is encoded, has its identifier in the code: more modules are too fine for a phone at some distance. */
const fragmentLengthMax = 100;

/**
 * Objects with a name, or a popup with a title.
 *
 * @param selected identifiers of those that come first, also without a name
 */
export function placesIn(map: MapDocument, selected: ReadonlySet<string>): readonly TargetName[] {
  const titles = new Map(map.popups.map(({ attachedTo, title }) => [attachedTo, title]));
  const artboardNames = new Map(map.artboards.flatMap((artboard) => artboard.objects.map(({ id }) => [id, nameOf(artboard)])));
  const objects = map.artboards
    .flatMap(({ objects }) => objects)
    .map((object) => ({ id: object.id, name: nameOf(object) || (titles.get(object.id) ?? ''), color: object.color }))
    .filter(({ id, name }) => name !== '' || selected.has(id));
  const places = targetNames(objects, (id) => artboardNames.get(id) ?? '');
  return [...places.filter(({ id }) => selected.has(id)), ...places.filter(({ id }) => !selected.has(id))];
}

/** The address of a map with the fragment that opens a place, as the viewer writes it; `undefined` if the map does not have the place. */
export function placeAddress(address: string, map: MapDocument, id: string): string | undefined {
  const objects = map.artboards.flatMap(({ objects }) => objects);
  const object = objects.find((each) => each.id === id);
  if (object === undefined) return undefined;
  const named = fragmentOf(wordFor(object, objects));
  return `${address}#${named.length <= fragmentLengthMax ? named : fragmentOf(id)}`;
}

const fragmentOf = (place: string): string => fragmentWith('', { ...addressIn(''), place }, new Set());
