/** Writes the variables and actions that make objects follow a list, from a plan and in one step, and takes them back. */
import { sameJson } from '../../../lib/change/same-json.ts';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { settingsOf } from '../document/whole-project.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { isSet } from '../forms/style-field.tsx';
import { collectionOf, type Members, type Resource } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { keysOfColumn } from './list-columns.ts';
import {
  type ColourRule,
  contentOf,
  expressionOf,
  type LegendEntry,
  type ListPlan,
  legendOf,
  namesIn,
  withNames,
} from './list-plan.ts';
import { freeName, iteratorOf, nameOf, pathTo, type ReadSource } from './new-variables.ts';
import { columnName, columnVariables, type FollowedList, followedLists } from './read-lists.ts';

/** The list of a plan, what it had made before, and objects that get the text of a row. */
export interface WriteOptions {
  readonly source: ReadSource;
  readonly list: readonly string[];
  /** The columns of its rows. */
  readonly columns: readonly string[];
  readonly before: FollowedList | undefined;
  /** Members of objects by identifier. */
  readonly fixes: ReadonlyMap<string, Members>;
}

type Edit = ReturnType<EditorModel['document']['edits']['begin']>;

/** Writes a plan in one step. What the plan does not change stays as it is, whatever else it has. */
export async function writeList(plan: ListPlan, options: WriteOptions): Promise<void> {
  const { source, list, before, fixes } = options;
  const { document } = source.model;
  const edit = document.edits.begin();
  const columns = new ColumnVariables(source, list, before?.iterator, edit);
  for (const [id, members] of fixes) edit.put(id, members);
  const matching = {
    match_variable_id: columns.id(plan.match.column),
    ...{ match_by: plan.match.by, match_property: plan.match.by === 'property' ? plan.match.property : '' },
    ...{ match_artboard_id: plan.match.artboardId, match_category: plan.match.category },
  };
  writeObjects(plan, options, columns, matching, edit);
  writePopups(plan, before, columns, matching, edit);
  writeSettings(plan, before, source.model, edit);
  if (before !== undefined) removeColumns(source.model, before, columnsOfPlan(plan), edit);
  await document.edits.run(edit);
}

/** Removes the variables of columns that a list does not use any more, and nothing else uses. */
function removeColumns(model: EditorModel, before: FollowedList, named: ReadonlySet<string>, edit: Edit): void {
  const { objects, popups, colour, iterator, plan } = before;
  const mine = new Set([objects?.id, popups?.id, colour?.id]);
  const former = columnsOfPlan(plan);
  const { match_variable_id: _, style_color: __, style_label_text: ___, ...ofObjects } = objects ?? { id: '' };
  const { match_variable_id: ____, popup_title, popup_content, ...ofPopups } = popups ?? { id: '' };
  // Members that the plan does not say may name them: conditions, another style, a text of other origin.
  const others = JSON.stringify([
    ...[ofObjects, ofPopups, plan.popup?.title === '' ? popup_title : ''],
    plan.popup?.columns === undefined ? popup_content : '',
  ]);
  for (const variable of columnVariables(model, iterator.id)) {
    const name = columnName(variable);
    if (!former.has(name) || named.has(name) || isUsed(model, variable, mine)) continue;
    if (!namesVariable(others, variable)) edit.remove(variable.id);
  }
}

const isNew = (plan: ListPlan, before: FollowedList | undefined, part: keyof ListPlan): boolean =>
  !sameJson(plan[part], before?.plan[part]);

function writeObjects(
  plan: ListPlan,
  { source, before, columns: list }: WriteOptions,
  columns: ColumnVariables,
  matching: Members,
  edit: Edit,
): void {
  const known = before?.objects;
  const members: Record<string, unknown> = { ...matching };
  if (isNew(plan, before, 'colour')) members['style_color'] = writeColour(plan.colour, source.model, before, columns, edit);
  if (isNew(plan, before, 'text')) {
    const value = columns.template(plan.text, list);
    members['style_label_text'] = plan.text === '' ? kept('label_text') : { name: 'label_text', type: 'custom', value };
  }
  if (isNew(plan, before, 'otherwise')) {
    const { style_color: _, ...others } = (known?.['otherwise'] ?? {}) as Members;
    const style_color = { name: 'color', type: 'custom', value: plan.otherwise };
    members['otherwise'] = plan.otherwise === '' ? others : { ...others, style_color };
  }
  const whole: Members = { ...known, ...members };
  const sets = ([name, value]: [string, unknown]): boolean =>
    isPlain(value) && (name === 'otherwise' ? Object.keys(value).length > 0 : name.startsWith('style_') && isSet(value));
  write(edit, known, Object.entries(whole).some(sets), { type: 'modify-objects', name: columns.listName }, members);
}

const kept = (name: string): Members => ({ name, type: 'current-value' });

function writePopups(
  plan: ListPlan,
  before: FollowedList | undefined,
  columns: ColumnVariables,
  matching: Members,
  edit: Edit,
): void {
  const { popup } = plan;
  const members: Record<string, unknown> = { ...matching };
  const known = before?.plan.popup;
  if (popup !== undefined && popup.title !== known?.title)
    members['popup_title'] = popup.title === '' ? '' : `{${columns.name(popup.title)}}`;
  if (popup?.columns !== undefined && !sameJson(popup.columns, known?.columns))
    members['popup_content'] = contentOf(popup.columns, (column) => columns.name(column));
  const first = { type: 'modify-popup', name: lateTexts.followList.popupsOf(columns.listName), create_popup: true };
  write(edit, before?.popups, popup !== undefined, first, members);
}

/** Creates, changes or removes an action. @param first members of a new one */
function write(edit: Edit, before: Resource | undefined, isWanted: boolean, first: Members, members: Members): void {
  if (before === undefined && isWanted) edit.create(collectionOf.action, { ...first, ...members });
  else if (before !== undefined && isWanted) edit.put(before.id, members);
  else if (before !== undefined) edit.remove(before.id);
}

/** The style of the colour. A variable that something else uses, too, stays as it is. */
function writeColour(
  rule: ColourRule,
  model: EditorModel,
  before: FollowedList | undefined,
  columns: ColumnVariables,
  edit: Edit,
): Members {
  const mine = new Set([before?.objects?.id, before?.popups?.id]);
  const isOwn = before?.colour !== undefined && before.plan.colour.is !== 'kept' && !isUsed(model, before.colour, mine);
  const known = isOwn ? before.colour : undefined;
  if (rule.is === 'none' || rule.is === 'kept') {
    if (known !== undefined) edit.remove(known.id);
    return kept('color');
  }
  const members: Members =
    rule.is === 'range'
      ? {
          ...{ type: 'interpolate-color', color_interpolation_factor_variable_id: columns.id(rule.column) },
          ...{ color_interpolation_range_start: rule.from, color_interpolation_range_end: rule.to },
          ...{ color_interpolation_colors: [...rule.colours], color_interpolation_smooth: true },
        }
      : { type: 'expression', expression: expressionOf(rule, columns.name(rule.column)) };
  if (known !== undefined) edit.put(known.id, members);
  const name = (): string => columns.free(lateTexts.followList.colourOf(columns.listName));
  const id = known?.id ?? edit.create(collectionOf.variable, { ...members, name: name() });
  return { name: 'color', type: 'variable', variable_id: id };
}

/** True if a variable or an action besides some names a variable, by its identifier or in a text. */
function isUsed({ document: { store } }: EditorModel, variable: Resource, besides: ReadonlySet<unknown>): boolean {
  const others = [...store.members({ kind: 'variable' }), ...store.members({ kind: 'action' })];
  return others.some((each) => each.id !== variable.id && !besides.has(each.id) && namesVariable(JSON.stringify(each), variable));
}

const namesVariable = (json: string, { id, name }: Resource): boolean =>
  json.includes(`"${id}"`) || json.includes(`{${JSON.stringify(name).slice(1, -1)}}`);

/** The legend explains the colours, and names are shown if they are what data say. */
function writeSettings(plan: ListPlan | undefined, before: FollowedList | undefined, model: EditorModel, edit: Edit): void {
  const { store } = model.document;
  const settings = settingsOf(store);
  const [old, added] = [before?.plan, plan].map(entriesOf) as [LegendEntry[], LegendEntry[]];
  const changesLegend = !sameJson(old, added);
  const showsNames = plan !== undefined && plan.text !== '' && !showsAnyNames(settings);
  if (!changesLegend && !showsNames) return;
  const legend = changesLegend ? { legend: changedLegend(settings, old, added, before, model) } : {};
  edit.put(store.id, { settings: { ...settings, ...legend, ...(showsNames && { labels: 'auto' }) } });
}

/** True if the map writes names of objects. */
export const showsAnyNames = (settings: Members): boolean => (settings['labels'] ?? 'none') !== 'none';

/** The entries of the legend for a plan. Where they explain values, the colour of objects without a row is one of them. */
function entriesOf(plan: ListPlan | undefined): LegendEntry[] {
  if (plan === undefined) return [];
  const entries = legendOf(plan.colour, lateTexts.followList.until);
  const { otherwise } = plan;
  const isExplained = entries.length === 0 || otherwise === '';
  return isExplained ? entries : [...entries, { color: otherwise, name: lateTexts.followList.noData }];
}

/** The legend with the entries of a list where the former ones were. What another list has, too, stays. */
function changedLegend(
  { legend }: Members,
  old: readonly LegendEntry[],
  added: readonly LegendEntry[],
  before: FollowedList | undefined,
  model: EditorModel,
): LegendEntry[] {
  const gone = new Set(old.map(entryKey));
  const ofOthers = followedLists(model).filter((each) => each.objects?.id !== before?.objects?.id);
  for (const { plan } of ofOthers) for (const entry of entriesOf(plan)) gone.delete(entryKey(entry));
  for (const entry of added) gone.add(entryKey(entry));
  const known = Array.isArray(legend) ? (legend as LegendEntry[]) : [];
  const first = known.findIndex((entry) => gone.has(entryKey(entry)));
  const kept = known.filter((entry) => !gone.has(entryKey(entry)));
  return first < 0 ? [...kept, ...added] : kept.toSpliced(first, 0, ...added);
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

  constructor(source: ReadSource, list: readonly string[], known: Resource | undefined, edit: Edit) {
    this.#source = source;
    this.#edit = edit;
    const iterator = known ?? iteratorOf(source, list);
    this.listName = String(iterator?.['name'] ?? this.free(nameOf(source, list)));
    this.#iteratorId =
      iterator?.id ??
      edit.create(collectionOf.variable, {
        ...{ name: this.listName, type: 'iterator', data_source_id: source.sourceId, data_path: pathTo(list) },
      });
    for (const each of columnVariables(source.model, this.#iteratorId))
      if (!this.#columns.has(columnName(each))) this.#columns.set(columnName(each), { id: each.id, name: String(each['name']) });
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

  /** A text with columns in braces, as one with variables. Other names stay. */
  template(text: string, known: readonly string[]): string {
    return withNames(text, (column) => (known.includes(column) ? this.name(column) : undefined));
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

/** The columns that a plan names. */
function columnsOfPlan({ match, colour, text, popup }: ListPlan): ReadonlySet<string> {
  const columns = new Set([match.column, popup?.title, ...(popup?.columns ?? [])].filter((name) => name !== undefined));
  if (colour.is !== 'none' && colour.is !== 'kept') columns.add(colour.column);
  for (const name of namesIn(text)) columns.add(name);
  return columns;
}

/** Removes what makes objects follow a list, its entries of the legend, and the variables that nothing else uses. */
export async function unfollowList(model: EditorModel, followed: FollowedList): Promise<void> {
  const { store, edits } = model.document;
  const { objects, popups, colour, iterator, plan } = followed;
  const edit = edits.begin();
  const removed = new Set<unknown>();
  const remove = (resource: Resource): void => {
    removed.add(resource.id);
    edit.remove(resource.id);
  };
  for (const action of [objects, popups]) if (action !== undefined) remove(action);
  const named = columnsOfPlan(plan);
  const columns = store
    .members({ kind: 'variable' })
    .filter((each) => each['iterator_id'] === iterator.id && named.has(columnName(each)));
  const unused = [...(plan.colour.is === 'kept' || colour === undefined ? [] : [colour]), ...columns, iterator];
  for (const variable of unused) if (!isUsed(model, variable, removed)) remove(variable);
  writeSettings(undefined, followed, model, edit);
  await edits.run(edit);
}
