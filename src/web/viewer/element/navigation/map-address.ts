/**
 * The fragment of an address as parameters: `artboard`, `place`, `view`, `off`, `q`, and `f.NAME` for each field with a condition. Parameters of others, such
 * as those of the page, are kept.
 */
import { nameOf } from '../../drawing/map-document.ts';

import type { ViewBox } from '../../drawing/view/first-view.ts';

/** A fragment, decoded. */
export interface MapAddress {
  /** By identifier or name. */
  readonly artboard: string | undefined;
  /** An object, by identifier or name. */
  readonly place: string | undefined;
  /** The part of the artboard that is shown at first. */
  readonly view: ViewBox | undefined;
  /** Categories that are switched off; `undefined` for those that the map hides at first. */
  readonly off: ReadonlySet<string> | undefined;
  readonly query: string;
  /** The parts of each condition, by the name of its field. */
  readonly conditions: ReadonlyMap<string, readonly string[]>;
}

/** Longer fragments are not of a map: they are neither read nor written. */
export const fragmentMax = 4096;

const fieldPrefix = 'f.';

/** A fragment that is not encoded stays as it is: `100 %`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Half a surrogate pair cannot be encoded. */
const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd'));

interface Parameter {
  readonly name: string;
  /** As it is written. */
  readonly value: string;
  readonly text: string;
}

const parametersIn = (fragment: string): Parameter[] =>
  fragment.split('&').flatMap((text) => {
    const at = text.indexOf('=');
    return text === ''
      ? []
      : [{ name: decoded(at === -1 ? text : text.slice(0, at)), value: at === -1 ? '' : text.slice(at + 1), text }];
  });

/** A comma in a value is encoded. */
const listIn = (value: string): string[] => value.split(',').map(decoded);

/** `undefined` for a text that is no box. */
function viewIn(value: string): ViewBox | undefined {
  const [left, top, right, bottom, ...more] = value.split(',').map(Number);
  const box = [left, top, right, bottom] as ViewBox;
  return more.length === 0 && box.every(Number.isFinite) && box[0] < box[2] && box[1] < box[3] ? box : undefined;
}

/** @param fragment without its `#` */
export function addressIn(fragment: string): MapAddress {
  const parameters = fragment.length > fragmentMax ? [] : parametersIn(fragment);
  const valueIn = (wanted: string): string | undefined => parameters.find(({ name }) => name === wanted)?.value;
  const textOf = (wanted: string): string | undefined => decoded(valueIn(wanted) ?? '') || undefined;
  const off = valueIn('off');
  return {
    artboard: textOf('artboard'),
    place: textOf('place'),
    view: viewIn(valueIn('view') ?? ''),
    off: off === undefined ? undefined : new Set(off === '' ? [] : listIn(off)),
    query: textOf('q') ?? '',
    conditions: new Map(
      parameters.flatMap(({ name, value }): [string, string[]][] =>
        name.startsWith(fieldPrefix) ? [[name.slice(fieldPrefix.length), listIn(value)]] : [],
      ),
    ),
  };
}

/**
 * A fragment with the parameters of a map.
 *
 * @param before the fragment whose other parameters are kept
 * @param fields names of the fields of the map: conditions on others are not the map's
 */
export function fragmentWith(before: string, address: MapAddress, fields: ReadonlySet<string>): string {
  const isOwn = ({ name }: Parameter): boolean =>
    ['artboard', 'place', 'view', 'off', 'q'].includes(name) ||
    (name.startsWith(fieldPrefix) && fields.has(name.slice(fieldPrefix.length)));
  const { artboard, place, view, off, query, conditions } = address;
  const own: [name: string, value: string][] = [];
  if (artboard !== undefined) own.push(['artboard', encoded(artboard)]);
  if (place !== undefined) own.push(['place', encoded(place)]);
  if (view !== undefined) own.push(['view', view.join()]);
  // The name '' alone has a comma after it: without one, nothing is switched off.
  if (off !== undefined) own.push(['off', off.size === 1 && off.has('') ? ',' : [...off].map(encoded).join()]);
  if (query !== '') own.push(['q', encoded(query)]);
  for (const [field, parts] of conditions) own.push([fieldPrefix + encoded(field), parts.map(encoded).join()]);
  const kept = parametersIn(before).filter((parameter) => !isOwn(parameter));
  return [...kept.map(({ text }) => text), ...own.map((parameter) => parameter.join('='))].join('&');
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** An artboard or an object in an address: its name if no other one has it, as a name or an identifier; or else its identifier. */
export function wordFor(thing: Named, all: readonly Named[]): string {
  const name = nameOf(thing);
  const isUnique = name !== '' && all.every((each) => each === thing || (nameOf(each) !== name && each.id !== name));
  return isUnique ? name : thing.id;
}
