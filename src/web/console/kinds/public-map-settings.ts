/** `settings.public_map` of a project, which may have any form. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import type { Members } from './resource-kinds.ts';

/** The public map in the settings; an empty one if there is none, or something else in its place. */
export function publicMapOf(settings: unknown): Members {
  const map = isPlain(settings) ? settings['public_map'] : undefined;
  return isPlain(map) ? map : {};
}

const isEmpty = (value: unknown): boolean => value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Members without those that are empty, of which nothing is stored. */
export const withoutEmpty = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));

/** Settings with a public map, of which nothing is stored that is empty. */
export function withPublicMap(settings: unknown, map: Members): Members {
  const { public_map: _, ...others } = isPlain(settings) ? settings : {};
  const given = withoutEmpty(map);
  return Object.keys(given).length === 0 ? others : { ...others, public_map: given };
}
