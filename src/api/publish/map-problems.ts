/**
 * Finds icons that no set has, which a public map draws as a pin, map tiles that the server does not list, and a `public_map` that does not fit, which
 * it leaves out.
 */
import { type Dangling, walkReferences } from '../../engine/write/integrity/dangling-references.ts';
import { isIconName } from '../../lib/draw/public-map.ts';
import { shownName } from '../../lib/field-error.ts';
import { iconSet } from '../../lib/pictures/icon-set.ts';
import { didYouMean } from '../../lib/text/suggest.ts';
import { checkShape, FieldErrorList, shapeOf } from '../../model/bodies/check-body.ts';
import { fittingPublicMap, PublicMapSchema } from '../../model/settings/public-map-schema.ts';
import type { Body, Value } from '../../model/value.ts';
import { flat } from '../../store/indexes/id-index.ts';
import type { View } from '../../store/list/views.ts';
import type { TileSource } from '../pages/map-tiles.ts';

export interface MapProblem extends Omit<Dangling, 'naming'> {
  /** The member of the resource. */
  readonly member: string;
  readonly refersTo: { readonly kind: 'icon' | 'public_map' | 'tiles'; readonly id: string };
  readonly detail: string;
}

/** Finds up to `limit` problems, in the order of the document. Yields regularly. */
export function* mapProblems(
  project: View,
  limit: number,
  sources: readonly TileSource[],
): Generator<void, readonly MapProblem[]> {
  const problemOfIcon = iconProblems();
  const found = problemsOfSettings(project.value, problemOfIcon).slice(0, limit);
  if (found.length < limit) yield* unknownTiles(project, sources, limit, found);
  if (found.length >= limit) return found;
  yield* walkReferences(project, new Set(['objects']), ({ id, icon }, index, { parentId, pointer }) => {
    const problem = typeof icon === 'string' ? problemOfIcon(icon) : undefined;
    if (problem !== undefined)
      found.push({
        ...{ pointer: `${pointer}/${index}/icon`, collection: 'objects', parentId: flat(parentId), id: flat(id), member: 'icon' },
        ...problem,
      });
    return found.length < limit;
  });
  return found;
}

/** Adds artboards that name tiles which the server does not list. */
function* unknownTiles(project: View, sources: readonly TileSource[], limit: number, found: MapProblem[]): Generator<void, void> {
  yield* walkReferences(project, new Set(['artboards']), ({ id, tiles }, index, { parentId, pointer }) => {
    if (typeof tiles === 'string' && tiles !== '' && !sources.some(({ name }) => name === tiles))
      found.push({
        ...{ pointer: `${pointer}/${index}/tiles`, collection: 'artboards', parentId: flat(parentId), id: flat(id) },
        ...{ member: 'tiles', refersTo: { kind: 'tiles', id: flat(tiles) } },
        detail: 'names map tiles that this server does not list, so its default is shown',
      });
    return found.length < limit;
  });
}

function problemsOfSettings({ id, settings }: Value, problemOfIcon: ReturnType<typeof iconProblems>): MapProblem[] {
  const { public_map: map } = settings as Body;
  if (map === undefined) return [];
  const at = { collection: 'projects', parentId: '', id: flat(id), member: 'settings' } as const;
  const fitting = fittingPublicMap(map);
  if (fitting === undefined) {
    const detail = `does not fit, so it is not published: ${misfit(map)}`;
    return [{ ...at, pointer: '/settings/public_map', refersTo: { kind: 'public_map', id: '' }, detail }];
  }
  return (fitting.categories ?? []).flatMap(({ icon = '' }, i): MapProblem[] => {
    const problem = problemOfIcon(icon);
    return problem === undefined ? [] : [{ ...at, pointer: `/settings/public_map/categories/${i}/icon`, ...problem }];
  });
}

const shape = shapeOf('public map', PublicMapSchema);

/** Where and why, of the first error. */
function misfit(map: unknown): string {
  const fieldErrors = new FieldErrorList();
  checkShape(shape, map, '', fieldErrors);
  const [{ pointer, detail } = { pointer: '', detail: 'is not valid' }] = fieldErrors.toArray();
  return `${pointer || 'it'} ${detail}`;
}

/** A suggestion compares a name with those of all icons, so that only the first few unknown names get one. */
const suggestionsMax = 10;

/** Returns a function that gives the problem of an icon; `undefined` for one that is known, or a picture. */
function iconProblems(): (icon: string) => Pick<MapProblem, 'refersTo' | 'detail'> | undefined {
  const known = new Map<string, Pick<MapProblem, 'refersTo' | 'detail'>>();
  return (icon) => {
    if (!isIconName(icon) || iconSet().has(icon)) return undefined;
    const name = flat(shownName(icon));
    const before = known.get(name);
    if (before !== undefined) return before;
    const suggestion = known.size < suggestionsMax ? didYouMean(name, [...iconSet().keys()]) : '';
    const problem = {
      refersTo: { kind: 'icon', id: name },
      detail: `is no icon of Maki or Temaki, so the map shows a pin${suggestion}`,
    } as const;
    known.set(name, problem);
    return problem;
  };
}
