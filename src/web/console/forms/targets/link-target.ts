/** The target of a link as a user writes it: an address, or the name of a floor or an object of the map, whose address is `#ID`. */
import type { Place } from '../../popup/messages.ts';

/** The name of the place to which an address leads, or the address. */
export const targetText = (places: readonly Place[], address: string): string =>
  places.find(({ id }) => `#${id}` === address)?.name ?? address;

/** The address of a target. */
export function targetAddress(places: readonly Place[], text: string): string {
  const named = places.find(({ name }) => name === text);
  return named === undefined ? text : `#${named.id}`;
}
