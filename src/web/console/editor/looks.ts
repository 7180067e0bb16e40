/** Looks of objects: copied from one to others, that of new objects, and the colours and categories of the project. */

import { computed, type ReadonlySignal } from '@preact/signals';
import { membersOf } from '../../../lib/change/diff.ts';
import { sameJson } from '../../../lib/change/same-json.ts';
import { hexOf, parseColour } from '../../../lib/draw/css-colour.ts';
import { isText } from '../../../lib/draw/public-map.ts';
import { allObjects } from '../document/all-objects.ts';
import type { ProjectStore } from '../document/project-store.ts';
import { allCategories, colourMember, type MapCategory, withCategory } from '../kinds/map-categories.ts';
import { fieldsOf, type Members } from '../kinds/resource-kinds.ts';

/** Members that are the look of an object. */
const lookMembers: readonly string[] = fieldsOf('object').flatMap(({ name, section, isOptional }) =>
  name === 'color' || ((section === 'look' || section === 'hover') && name !== 'pin' && isOptional !== true) ? [name] : [],
);
const isLook: ReadonlySet<string> = new Set(lookMembers);

const colour = '#3b82f6';

/** The colour under the pointer that belongs to a fill: a third of the way to white. */
export function lighter(fill: string): string {
  const [red, green, blue] = (parseColour(fill)?.rgb ?? [0, 0, 0]).map((part) => part + (1 - part) / 3) as [
    number,
    number,
    number,
  ];
  return hexOf([red, green, blue]);
}

/** The opacity under the pointer that belongs to one of a fill. */
const denser = (opacity: number): number => Math.round(Math.min(1, opacity + 0.15) * 100) / 100;

/** What consoles of former versions gave every object. */
const oldHover: Members = { hover_color: '#ffffff', hover_stroke_color: '#ffffff', hover_stroke_width: 2 };
const hasFormerHover = (object: Members): boolean =>
  [0.75, 1].includes(Number(object['hover_opacity'])) && sameJson(membersOf(object, Object.keys(oldHover)), oldHover);

/** Kinds of objects with a look of their own: a line is seen by its stroke. */
export type LookKind = 'spot' | 'poly' | 'line';

export const lookKindOf = ({ type, closed }: Members): LookKind =>
  type !== 'poly' ? 'spot' : closed === false ? 'line' : 'poly';

const opacityOf = (kind: LookKind): number => (kind === 'spot' ? 1 : 0.6);
const lineWidth = 4;

/** The look of the first object: rooms next to each other stay apart, and are lighter under the pointer. */
const firstLook = (kind: LookKind, fill: string): Members => ({
  color: fill,
  opacity: opacityOf(kind),
  hover_color: lighter(fill),
  hover_opacity: denser(opacityOf(kind)),
  ...(kind === 'line'
    ? { stroke_color: fill, stroke_width: lineWidth, hover_stroke_color: lighter(fill), hover_stroke_width: lineWidth + 1 }
    : { stroke_color: '#ffffff', stroke_width: 1, hover_stroke_color: '#ffffff', hover_stroke_width: 2 }),
});

/** Colours in the palette at most. */
const coloursMax = 10;

export class Looks {
  readonly #store: ProjectStore;
  #copied: Members | undefined;
  /** The last edited look of each kind. */
  readonly #last = new Map<LookKind, Members>();

  constructor(store: ProjectStore) {
    this.#store = store;
  }

  /** Takes the look of an object. */
  copy(object: Members): void {
    this.#copied = membersOf(object, lookMembers);
  }

  /** The copied look; `undefined` before the first. */
  get copied(): Members | undefined {
    return this.#copied;
  }

  /** Notes that members of an object are changed: new objects look like it. */
  note(object: Members, changes: Members): void {
    if (!Object.keys(changes).some((name) => isLook.has(name))) return;
    const changed = { ...object, ...changes };
    // A text is a spot that nothing of its look makes visible.
    if (!isText(changed)) this.#last.set(lookKindOf(changed), membersOf(changed, lookMembers));
  }

  /** The look of a new object: that of the last edited one of this kind, or else with the colour of the last one. */
  of(kind: LookKind): Members {
    const [[otherKind, other] = []] = [...this.#last].reverse();
    const fill = other?.[otherKind === 'line' ? 'stroke_color' : 'color'];
    return this.#last.get(kind) ?? firstLook(kind, typeof fill === 'string' ? fill : colour);
  }

  /** The fills of the project's objects, the most frequent first. */
  readonly colours: ReadonlySignal<readonly string[]> = computed(() => {
    const counts = new Map<string, number>();
    for (const { color } of allObjects(this.#store)) counts.set(String(color), (counts.get(String(color)) ?? 0) + 1);
    const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([each]) => each);
    return sorted.filter((each) => parseColour(each) !== undefined).slice(0, coloursMax);
  });

  /** The categories of the project. */
  readonly categories: ReadonlySignal<readonly MapCategory[]> = computed(() => {
    this.#store.revision('project').value;
    return allCategories(this.#store.shown(this.#store.id)?.['settings'], allObjects(this.#store));
  });

  /** Members that change when an object gets a category. */
  withCategory(object: Members, name: string): Members {
    const usual = this.of(lookKindOf(object))[colourMember(object)];
    return withHover(object, withCategory(object, name, this.categories.value, String(usual)));
  }
}

/** The members that follow a new fill, or a new stroke of a line: colour and opacity under the pointer, if they belong to the former ones. */
export function withHover(object: Members, changes: Members): Members {
  const { color, opacity, stroke_color } = { ...object, ...changes };
  if (lookKindOf(object) === 'line' && object['hover_stroke_color'] === lighter(String(object['stroke_color'])))
    return 'stroke_color' in changes ? { ...changes, hover_stroke_color: lighter(String(stroke_color)) } : changes;
  const isFormer = hasFormerHover(object);
  const follows =
    'color' in changes && (isFormer || object['hover_color'] === lighter(String(object['color'])))
      ? { hover_color: lighter(String(color)) }
      : {};
  return 'opacity' in changes && object['hover_opacity'] === denser(Number(object['opacity']))
    ? { ...changes, ...follows, hover_opacity: denser(Number(opacity)) }
    : { ...changes, ...follows };
}
