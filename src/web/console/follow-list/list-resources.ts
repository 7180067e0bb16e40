/** The variables and actions that make objects follow a list: written from a plan in one step, and read back into one. */
import { isPlain } from '../../../lib/change/value-parts.ts';
import { settingsOf } from '../document/whole-project.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { collectionOf, type Members, type Resource } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { keysOf } from '../live/path-keys.ts';
import { keysOfColumn } from './list-columns.ts';
import {
  type ColourRule,
  columnsOf,
  contentOf,
  expressionOf,
  type LegendEntry,
  type ListPlan,
  legendOf,
  namesIn,
  ruleOf,
  withNames,
} from './list-plan.ts';
import { freeName, iteratorOf, pathTo, type ReadSource } from './new-variables.ts';

/** A list that objects follow, with what makes them. */
export interface FollowedList {
  readonly sourceId: string;
  /** Keys of the list in the response. */
  readonly list: readonly string[];
  readonly plan: ListPlan;
  /** The action that changes objects, the one that changes popups, and the variable with the colour. */
  readonly objects: Resource | undefined;
  readonly popups: Resource | undefined;
  readonly colour: Resource | undefined;
}

const isColumn = ({ type }: Resource): boolean => type === 'primitive-from-iterator';

/** The column that a variable reads. */
const columnName = ({ data_path }: Resource): string => (keysOf((data_path ?? {}) as Members) ?? []).join('.');

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
  if (action === undefined || match === undefined || !isColumn(match) || list === undefined) return undefined;
  const variables = store.members({ kind: 'variable' });
  const columns = variables.filter((each) => isColumn(each) && each['iterator_id'] === iterator?.id);
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
    ...{ sourceId: String(iterator?.['data_source_id']), list, objects, popups, colour },
    plan: {
      match: {
        column: columnName(match),
        by: (action['match_by'] ?? 'key') as ListPlan['match']['by'],
        property: String(action['match_property'] ?? ''),
        artboardId: String(action['match_artboard_id'] ?? ''),
        category: String(action['match_category'] ?? ''),
      },
      colour: readColour(style, colour, columns, columnOf),
      text: isPlain(label) && label['type'] === 'custom' ? withNames(String(label['value'] ?? ''), columnOf) : '',
      popup: popups && {
        title: columnOf(namesIn(String(popups['popup_title']))[0] ?? '') ?? '',
        columns: columnsOf(String(popups['popup_content']), columnOf),
      },
      otherwise: isPlain(otherColour) && otherColour['type'] === 'custom' ? String(otherColour['value'] ?? '') : '',
    },
  };
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
  if (variable?.['type'] !== 'interpolate-color' || factor === undefined) return { is: 'kept' };
  return {
    is: 'range',
    column: columnName(factor),
    from: Number(variable['color_interpolation_range_start']),
    to: Number(variable['color_interpolation_range_end']),
    colours: variable['color_interpolation_colors'] as string[],
  };
}

/** What a plan needs besides: the list, what it had made before, and objects that get the text of a row. */
export interface WriteOptions {
  readonly source: ReadSource;
  readonly list: readonly string[];
  readonly before: FollowedList | undefined;
  /** Members of objects by identifier. */
  readonly fixes: ReadonlyMap<string, Members>;
}

type Edit = ReturnType<EditorModel['document']['edits']['begin']>;

/** Writes a plan in one step. */
export async function writeList(plan: ListPlan, options: WriteOptions): Promise<void> {
  const { source, list, before, fixes } = options;
  const { document } = source.model;
  const edit = document.edits.begin();
  const columns = new ColumnVariables(source, list, edit);
  for (const [id, members] of fixes) edit.put(id, members);
  const matching = {
    match_variable_id: columns.id(plan.match.column),
    ...{ match_by: plan.match.by, match_property: plan.match.by === 'property' ? plan.match.property : '' },
    ...{ match_artboard_id: plan.match.artboardId, match_category: plan.match.category },
  };
  const style_color = writeColour(plan.colour, before, columns, edit);
  const name = columns.listName;
  const hasText = plan.text !== '';
  write(edit, before?.objects, style_color !== undefined || hasText || plan.otherwise !== '', {
    ...{ type: 'modify-objects', name, ...matching },
    style_color: style_color ?? { name: 'color', type: 'current-value' },
    style_label_text: hasText
      ? { name: 'label_text', type: 'custom', value: columns.template(plan.text) }
      : { name: 'label_text', type: 'current-value' },
    otherwise: plan.otherwise === '' ? {} : { style_color: { name: 'color', type: 'custom', value: plan.otherwise } },
  });
  const content = plan.popup?.columns;
  write(edit, before?.popups, plan.popup !== undefined, {
    ...{ type: 'modify-popup', name: lateTexts.followList.popupsOf(name), ...matching, create_popup: true },
    popup_title: plan.popup?.title ? `{${columns.name(plan.popup.title)}}` : '',
    ...(content === undefined ? {} : { popup_content: contentOf(content, (column) => columns.name(column)) }),
  });
  writeSettings(plan, before, source.model, edit);
  await document.edits.run(edit);
}

/** Creates, changes or removes an action. */
function write(edit: Edit, before: Resource | undefined, isWanted: boolean, members: Members): void {
  if (before === undefined && isWanted) edit.create(collectionOf.action, members);
  else if (before !== undefined && isWanted) edit.put(before.id, members);
  else if (before !== undefined) edit.remove(before.id);
}

/** The style of the colour; `undefined` for none. */
function writeColour(
  rule: ColourRule,
  before: FollowedList | undefined,
  columns: ColumnVariables,
  edit: Edit,
): Members | undefined {
  const known = before?.colour;
  if (rule.is === 'kept') return before?.objects?.['style_color'] as Members | undefined;
  if (rule.is === 'none') {
    if (known !== undefined) edit.remove(known.id);
    return undefined;
  }
  const members: Members =
    rule.is === 'range'
      ? {
          ...{ type: 'interpolate-color', color_interpolation_factor_variable_id: columns.id(rule.column) },
          ...{ color_interpolation_range_start: rule.from, color_interpolation_range_end: rule.to },
          ...{ color_interpolation_colors: [...rule.colours], color_interpolation_smooth: true },
        }
      : { type: 'expression', expression: expressionOf(rule, columns.name(rule.column)) };
  const id =
    known?.id ??
    edit.create(collectionOf.variable, { ...members, name: columns.free(lateTexts.followList.colourOf(columns.listName)) });
  if (known !== undefined) edit.put(known.id, members);
  return { name: 'color', type: 'variable', variable_id: id };
}

/** The legend explains the colours, and names are shown if they are what data say. */
function writeSettings(plan: ListPlan, before: FollowedList | undefined, model: EditorModel, edit: Edit): void {
  const { store } = model.document;
  const settings = settingsOf(store);
  const legend = Array.isArray(settings['legend']) ? (settings['legend'] as LegendEntry[]) : [];
  const until = lateTexts.followList.until;
  const old = new Set(before === undefined ? [] : legendOf(before.plan.colour, until).map(entryKey));
  const others = legend.filter((entry) => !old.has(entryKey(entry)));
  const known = new Set(others.map(entryKey));
  const added = legendOf(plan.colour, until).filter((entry) => !known.has(entryKey(entry)));
  const showsNames = plan.text !== '' && (settings['labels'] ?? 'none') === 'none';
  if (old.size + added.length === 0 && !showsNames) return;
  const members = {
    ...(old.size + added.length === 0 ? {} : { legend: [...others, ...added] }),
    ...(showsNames ? { labels: 'auto' } : {}),
  };
  edit.put(store.id, { settings: { ...settings, ...members } });
}

const entryKey = ({ color, name }: LegendEntry): string => JSON.stringify([color, name]);

/** The variables of a list: the iterator, and one for each column. Those that are missing are created. */
class ColumnVariables {
  readonly #source: ReadSource;
  readonly #edit: Edit;
  readonly #iteratorId: string;
  readonly #taken: string[] = [];
  readonly #columns = new Map<string, { readonly id: string; readonly name: string }>();
  readonly listName: string;

  constructor(source: ReadSource, list: readonly string[], edit: Edit) {
    this.#source = source;
    this.#edit = edit;
    const { store } = source.model.document;
    const iterator = iteratorOf(source, list);
    this.listName = String(iterator?.['name'] ?? this.free(list.at(-1) ?? String(store.shown(source.sourceId)?.['name'])));
    this.#iteratorId =
      iterator?.id ??
      edit.create(collectionOf.variable, {
        ...{ name: this.listName, type: 'iterator', data_source_id: source.sourceId, data_path: pathTo(list) },
      });
    for (const each of store.members({ kind: 'variable' })) {
      if (!isColumn(each) || each['iterator_id'] !== this.#iteratorId || this.#columns.has(columnName(each))) continue;
      this.#columns.set(columnName(each), { id: each.id, name: String(each['name']) });
    }
  }

  /** A name that no variable has, nor one that this step creates. */
  free(wanted: string): string {
    const name = freeName(this.#source, wanted, this.#taken);
    this.#taken.push(name);
    return name;
  }

  id(column: string): string {
    return this.#of(column).id;
  }

  name(column: string): string {
    return this.#of(column).name;
  }

  /** A text with columns in braces, as one with variables. */
  template(text: string): string {
    return withNames(text, (column) => this.name(column));
  }

  #of(column: string): { readonly id: string; readonly name: string } {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const keys = keysOfColumn(column);
    const name = this.free(keys.join(' '));
    const members = { name, type: 'primitive-from-iterator', iterator_id: this.#iteratorId, data_path: pathTo(keys) };
    const made = { id: this.#edit.create(collectionOf.variable, members), name };
    this.#columns.set(column, made);
    return made;
  }
}

/** Removes what makes objects follow a list, and the variables that nothing else uses. */
export async function unfollowList(model: EditorModel, { objects, popups, colour, plan }: FollowedList): Promise<void> {
  const { store, edits } = model.document;
  const edit = edits.begin();
  const removed = new Set<string>();
  const remove = (resource: Resource | undefined): void => {
    if (resource === undefined || removed.has(resource.id)) return;
    removed.add(resource.id);
    edit.remove(resource.id);
  };
  const matchId = String((objects ?? popups)?.['match_variable_id']);
  const iteratorId = String(store.shown(matchId)?.['iterator_id']);
  remove(objects);
  remove(popups);
  if (plan.colour.is !== 'kept') remove(colour);
  const isUsed = ({ id, name }: Resource): boolean => {
    const others = [...store.members({ kind: 'variable' }), ...store.members({ kind: 'action' })];
    const texts = others.filter((each) => each.id !== id && !removed.has(each.id)).map((each) => JSON.stringify(each));
    return texts.some((each) => each.includes(`"${id}"`) || each.includes(`{${name}}`));
  };
  for (const each of store.members({ kind: 'variable' })) if (each['iterator_id'] === iteratorId && !isUsed(each)) remove(each);
  const iterator = store.shown(iteratorId);
  if (iterator !== undefined && !isUsed(iterator)) remove(iterator);
  await edits.run(edit);
}
