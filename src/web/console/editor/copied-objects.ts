/** Objects as text in the clipboard. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { fieldsOf, type Kind, type Members, type Resource } from '../kinds/resource-kinds.ts';

/** Objects in the clipboard, with the popups that are attached to them. */
export interface Copied {
  readonly mapwright: 'objects';
  /** Where they were copied. */
  readonly artboardId: string;
  readonly objects: readonly Resource[];
  readonly popups: readonly Resource[];
}

const listOf = (value: unknown): Resource[] =>
  (Array.isArray(value) ? value : []).filter((each): each is Resource => isPlain(each) && typeof each['id'] === 'string');

/** The members of a kind that have a value of the right type; no others. */
export function knownMembers(kind: Kind, given: Members): Members {
  const known = fieldsOf(kind).filter(({ name, fallback }) => typeof given[name] === typeof fallback && given[name] !== null);
  return Object.fromEntries(known.map(({ name }) => [name, given[name]]));
}

const isPlaced = (value: unknown, ...members: string[]): boolean =>
  isPlain(value) && members.every((name) => Number.isFinite(value[name]));

const isRing = (ring: unknown): boolean => Array.isArray(ring) && ring.every((corner) => isPlaced(corner, 'x', 'y'));

/** True for a value that is a choice; a missing one becomes the default. */
const isChoice = (value: unknown, choices: object): boolean =>
  value == null || (typeof value === 'string' && Object.hasOwn(choices, value));

/** Whether an object has a shape, and none of its choices is unknown. */
function isSound(object: Members): boolean {
  const { type, coords, holes = [] } = object;
  const hasShape = type === 'poly' ? isRing(coords) : isPlaced(object, 'x', 'y', 'radius');
  if (!Array.isArray(holes) || !holes.every(isRing)) return false;
  return hasShape && fieldsOf('object').every(({ name, choices }) => choices === undefined || isChoice(object[name], choices));
}

/** What a text of the clipboard has; `undefined` for any other text, `damaged` for objects that cannot be drawn. */
export function copiedIn(text: string): Copied | 'damaged' | undefined {
  if (!text.startsWith('{"mapwright":"objects"')) return undefined;
  try {
    const { artboardId, objects: given, popups }: Members = JSON.parse(text);
    const objects = listOf(given);
    if (!objects.every(isSound)) return 'damaged';
    return { mapwright: 'objects', artboardId: String(artboardId), objects, popups: listOf(popups) };
  } catch {
    return 'damaged';
  }
}
