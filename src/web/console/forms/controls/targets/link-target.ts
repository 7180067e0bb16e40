/** The target of a link as a user writes it: an address, or the name of a floor or an object of the map, whose address is `#ID`. */

/** A resource that a link may lead to: `#ID`. @param name without equals */
export interface Place {
  readonly id: string;
  readonly name: string;
  readonly kind: 'floor' | 'object';
}

/** A scheme, a query, a path, a fragment, a template, or a first word with a dot in it. Names may look so, too. */
const address = /^(?:[a-z][\w+.-]*:\S|\?|\S*\.\S)|[/#{]/i;

/** Whether a text may be meant as an address. `menu`, next to the page of the map, is written `./menu`. */
export const isAddress = (text: string): boolean => address.test(text.trim());

/** A name as it is compared: without case and diacritics. */
const folded = (text: string): string => text.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The name of the place to which an address leads, or the address. */
export const targetText = (places: readonly Place[], address: string): string =>
  places.find(({ id }) => `#${id}` === address)?.name ?? address;

/** The targets of which a text is the name: the one that is written like it, or else those that differ in case or diacritics. */
function named<T extends { readonly name: string }>(targets: readonly T[], text: string): readonly T[] {
  const wanted = folded(text);
  const equal = targets.filter(({ name }) => wanted !== '' && folded(name) === wanted);
  const same = equal.find(({ name }) => name === text.trim());
  return same === undefined ? equal : [same];
}

/** The targets whose name has a text, those of exactly this name first. */
export function matching<T extends { readonly name: string }>(targets: readonly T[], text: string): readonly T[] {
  const wanted = folded(text);
  return [...new Set([...named(targets, text), ...targets.filter(({ name }) => folded(name).includes(wanted))])];
}

/** The index of the match that Enter takes, unless the user has marked another one: an address, or nothing, is taken as it is. */
export const firstMatch = (text: string): 0 | -1 => (text.trim() === '' || isAddress(text) ? -1 : 0);

/** The address of a target. */
export function targetAddress(places: readonly Place[], text: string): string {
  const [place] = named(places, text);
  return place === undefined ? text : `#${place.id}`;
}
