/** The lists that objects follow, read back from the variables and actions that make them. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';
import { keysOf } from '../live/path-keys.ts';
import { type ColourRule, columnsOf, type ListPlan, ruleOf, withNames } from './list-plan.ts';

/** A list that objects follow, with what makes them. */
export interface FollowedList {
  readonly sourceId: string;
  /** Keys of the list in the response. */
  readonly list: readonly string[];
  readonly plan: ListPlan;
  readonly iterator: Resource;
  /** The action that changes objects, the one that changes popups, and the variable with the colour. */
  readonly objects: Resource | undefined;
  readonly popups: Resource | undefined;
  readonly colour: Resource | undefined;
}

/** True for a variable with the values of one column, in the order of the rows. */
function isColumn({ type, data_path }: Resource): boolean {
  const { filters } = (data_path ?? {}) as Members;
  return type === 'primitive-from-iterator' && !(Array.isArray(filters) && filters.length > 0);
}

/** The column that a variable reads. */
export const columnName = ({ data_path }: Resource): string => (keysOf((data_path ?? {}) as Members) ?? []).join('.');

/** The variables of columns of an iterator that can be used by their names, which no other variable has. */
export function columnVariables(model: EditorModel, iteratorId: string): Resource[] {
  const variables = model.document.store.members({ kind: 'variable' });
  const uses = new Map<unknown, number>();
  for (const { name } of variables) uses.set(name, (uses.get(name) ?? 0) + 1);
  const isNamed = ({ name }: Resource): boolean => !/[{}]|^$/.test(String(name)) && uses.get(name) === 1;
  return variables.filter((each) => isColumn(each) && each['iterator_id'] === iteratorId && isNamed(each));
}

/** The lists that objects follow, in the order of their actions. */
export function followedLists(model: EditorModel): FollowedList[] {
  const { store } = model.document;
  const actions = store.members({ kind: 'action' }).filter(({ match_variable_id }) => Boolean(match_variable_id));
  const found: FollowedList[] = [];
  const taken = new Set<string>();
  for (const action of actions) {
    if (taken.has(action.id)) continue;
    const partner = actions.find((other) => !taken.has(other.id) && isPartner(action, other));
    const read = readList(model, action['type'] === 'modify-popup' ? [partner, action] : [action, partner]);
    if (read === undefined) continue;
    for (const each of [action, partner]) if (each !== undefined) taken.add(each.id);
    found.push(read);
  }
  return found;
}

const matchMembers = ['match_variable_id', 'match_by', 'match_property', 'match_artboard_id', 'match_category'] as const;

/** One changes the objects, and the other one their popups. */
const isPartner = (one: Resource, other: Resource): boolean =>
  one['type'] !== other['type'] && matchMembers.every((name) => (one[name] ?? '') === (other[name] ?? ''));

function readList(model: EditorModel, [objects, popups]: readonly (Resource | undefined)[]): FollowedList | undefined {
  const { store } = model.document;
  const action = objects ?? popups;
  const match = action && store.shown(String(action['match_variable_id']));
  const iterator = match && store.shown(String(match['iterator_id']));
  const list = iterator && keysOf((iterator['data_path'] ?? {}) as Members);
  if (action === undefined || match === undefined || !isColumn(match) || iterator === undefined || list === undefined)
    return undefined;
  const columns = columnVariables(model, iterator.id);
  const columnOf = (name: string): string | undefined => {
    const found = columns.find((each) => each['name'] === name);
    return found && columnName(found);
  };
  const style = objects?.['style_color'];
  const colour = isPlain(style) && style['type'] === 'variable' ? store.shown(String(style['variable_id'])) : undefined;
  const label = objects?.['style_label_text'];
  const otherwise = objects?.['otherwise'];
  const otherColour = isPlain(otherwise) ? otherwise['style_color'] : undefined;
  return {
    ...{ sourceId: String(iterator['data_source_id']), list, iterator, objects, popups, colour },
    plan: {
      match: {
        column: columnName(match),
        by: (action['match_by'] ?? 'key') as ListPlan['match']['by'],
        property: String(action['match_property'] ?? ''),
        artboardId: String(action['match_artboard_id'] ?? ''),
        category: String(action['match_category'] ?? ''),
      },
      colour: readColour(style, colour, columns, columnOf),
      text: readText(label, columns, columnOf),
      popup: popups && {
        title: columnOf(/^\{([^{}]+)\}$/.exec(String(popups['popup_title']))?.[1] ?? '') ?? '',
        columns: columnsOf(String(popups['popup_content']), columnOf),
      },
      otherwise: isPlain(otherColour) && otherColour['type'] === 'custom' ? String(otherColour['value'] ?? '') : '',
    },
  };
}

function readText(style: unknown, columns: readonly Resource[], columnOf: (name: string) => string | undefined): string {
  if (!isPlain(style)) return '';
  if (style['type'] === 'custom') return withNames(String(style['value'] ?? ''), columnOf);
  const column = columns.find(({ id }) => style['type'] === 'variable' && id === style['variable_id']);
  return column === undefined ? '' : `{${columnName(column)}}`;
}

function readColour(
  style: unknown,
  variable: Resource | undefined,
  columns: readonly Resource[],
  columnOf: (name: string) => string | undefined,
): ColourRule {
  if (!isPlain(style) || style['type'] === undefined || style['type'] === 'current-value') return { is: 'none' };
  if (variable?.['type'] === 'expression') return ruleOf(String(variable['expression']), columnOf) ?? { is: 'kept' };
  const factor = columns.find(({ id }) => id === variable?.['color_interpolation_factor_variable_id']);
  const isSmooth = variable?.['color_interpolation_smooth'] !== false;
  if (variable?.['type'] !== 'interpolate-color' || factor === undefined || !isSmooth) return { is: 'kept' };
  return {
    is: 'range',
    column: columnName(factor),
    from: Number(variable['color_interpolation_range_start']),
    to: Number(variable['color_interpolation_range_end']),
    colours: variable['color_interpolation_colors'] as string[],
  };
}
