/** Settings of a project after an import: its mapping, the legend, and the categories and fields of the public map. Pure. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { publicMapBounds } from '../../../lib/draw/public-map.ts';
import type { Body, Conversion, GivenMapping, KnownCategory, LegendEntry, Note } from '../conversion.ts';
import { quoted } from '../short-text.ts';
import { type LegendChoice, legendAfter } from './legend-choice.ts';

const membersOf = (value: unknown): Body => (isPlain(value) ? value : {});

/** The elements of a list in `settings.public_map` that have a name. */
function namedIn(settings: unknown, list: 'categories' | 'fields'): readonly Body[] {
  const elements = membersOf(membersOf(settings)['public_map'])[list];
  return (Array.isArray(elements) ? elements : []).filter((each) => typeof membersOf(each)['name'] === 'string');
}

/** The categories of a project, for its next conversion. */
export const knownCategories = (settings: unknown): readonly KnownCategory[] =>
  namedIn(settings, 'categories').map(({ name, color, icon }) => ({
    name: String(name),
    ...(typeof color === 'string' ? { color } : {}),
    ...(typeof icon === 'string' ? { icon } : {}),
  }));

/** The mapping of the last import into an artboard; an empty one if there was none. */
export function savedMapping(settings: unknown, artboardId: string): GivenMapping {
  const imports = membersOf(membersOf(settings)['imports']);
  return Object.hasOwn(imports, artboardId) ? (membersOf(imports[artboardId]) as GivenMapping) : {};
}

export interface SettingsAfter {
  readonly settings: Body;
  /** Categories and fields for which there is no room. */
  readonly notes: readonly Note[];
}

/** Adds what the project does not have: its categories, its fields and its other settings stay as they are. */
export function settingsAfter(
  settings: unknown,
  { mapping, legend, categories }: Pick<Conversion, 'mapping' | 'legend' | 'categories'>,
  artboardId: string,
  legendChoice: LegendChoice,
): SettingsAfter {
  const given = membersOf(settings);
  const stored = Array.isArray(given['legend']) ? (given['legend'] as readonly LegendEntry[]) : [];
  const isColoured = mapping.color === undefined;
  const newCategories = categories.map(({ name, color }): Body => (isColoured ? { name, color } : { name }));
  const newFields = (mapping.fields ?? []).map(({ column, label, kind, show }): Body => {
    return { name: column, ...(label === undefined || label === '' ? {} : { label }), kind, show };
  });
  const lists = { categories: added(given, 'categories', newCategories), fields: added(given, 'fields', newFields) };
  const changed = Object.entries(lists).flatMap(([name, { list, isChanged }]) => (isChanged ? [[name, list] as const] : []));
  return {
    settings: {
      ...given,
      imports: { ...membersOf(given['imports']), [artboardId]: mapping },
      ...(legend === undefined || legendChoice === 'leave' ? {} : { legend: legendAfter(stored, legend, legendChoice) }),
      ...(changed.length === 0 ? {} : { public_map: { ...membersOf(given['public_map']), ...Object.fromEntries(changed) } }),
    },
    notes: Object.values(lists).flatMap(({ note }) => note ?? []),
  };
}

/** A list with the elements whose names it does not have. */
function added(settings: Body, list: keyof typeof publicMapBounds, elements: readonly Body[]) {
  const stored = namedIn(settings, list);
  const names = new Set(stored.map(({ name }) => name));
  const others = elements.filter(({ name }) => !names.has(name));
  const taken = others.slice(0, Math.max(0, publicMapBounds[list] - stored.length));
  const left = others.slice(taken.length).map(({ name }) => String(name));
  const detail = `A map has at most ${publicMapBounds[list]} ${list} in its settings. Left out: ${quoted(left)}.`;
  const note: Note | undefined = left.length === 0 ? undefined : { code: 'settings', at: '', detail, leftOut: false };
  return { list: [...stored, ...taken], isChanged: taken.length > 0, note };
}
