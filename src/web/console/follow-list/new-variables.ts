/** Variables of places in a response: of a value, of the value of one record or of each, and of a list. */
import { sameJson } from '../../../lib/change/same-json.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { collectionOf, type Members, type Resource } from '../kinds/resource-kinds.ts';
import { keysOf, withKeys } from '../live/path-keys.ts';
import { identityOf, type RecordPlace } from '../live/record-choice.ts';

/** A data source whose response is read. */
export interface ReadSource {
  readonly model: EditorModel;
  readonly sourceId: string;
}

const emptyPath = { nodes: [], node_id: '', filters: [], collapsed_nodes: [] };
export const pathTo = (keys: readonly string[]): Members => withKeys(emptyPath, keys);

/** A value, or a list, at its place. */
export function addAt(source: ReadSource, keys: readonly string[], type: 'primitive' | 'iterator'): void {
  const { model, sourceId } = source;
  const name = freeName(source, nameOf(source, keys));
  void model.add('variable', { name, type, data_source_id: sourceId, data_path: pathTo(keys) });
}

/** The value of one record, which a filter finds in any order; by its position if nothing identifies it. */
export function addOfRow(source: ReadSource, place: RecordPlace): void {
  const { list, row, column } = place;
  const identity = identityOf(place);
  if (identity === undefined) {
    addAt(source, [...list, String(row), ...column], 'primitive');
    return;
  }
  const { key, value } = identity;
  const name = freeName(source, cleaned(`${column.join(' ')} ${value}`));
  const data_path = { ...pathTo([...list, ...column]), filters: [{ key, operator: 'equals', value }] };
  void source.model.add('variable', { name, type: 'primitive', data_source_id: source.sourceId, data_path });
}

/** The iterator of a list, if there is one. */
export function iteratorOf({ model, sourceId }: ReadSource, list: readonly string[]): Resource | undefined {
  return model.document.store.members({ kind: 'variable' }).find(({ type, data_source_id, data_path }) => {
    const path = (data_path ?? {}) as Members;
    const { filters = [] } = path;
    const isWhole = Array.isArray(filters) && filters.length === 0;
    return type === 'iterator' && data_source_id === sourceId && isWhole && sameJson(keysOf(path), list);
  });
}

/** The value of each record, in one step with the iterator of the list if there is none. */
export async function addOfRows(source: ReadSource, { list, column }: RecordPlace): Promise<void> {
  const { model, sourceId } = source;
  const { edits } = model.document;
  const edit = edits.begin();
  const variables = collectionOf.variable;
  const known = iteratorOf(source, list)?.id;
  const listName = freeName(source, nameOf(source, list));
  const iterator = { name: listName, type: 'iterator', data_source_id: sourceId, data_path: pathTo(list) };
  const iterator_id = known ?? edit.create(variables, iterator);
  const name = freeName(source, cleaned(column.join(' ')), known === undefined ? [listName] : []);
  const id = edit.create(variables, { name, type: 'primitive-from-iterator', iterator_id, data_path: pathTo(column) });
  const created = await edits.run(edit);
  if (created.some((each) => each.id === id)) model.selection.select([id], { field: 'name' });
}

/** Braces end a name in a text. */
const cleaned = (text: string): string => text.replaceAll(/[{}]/g, '').trim();

/** The name of a new variable: `taken`, `rooms 3`. */
export function nameOf({ model, sourceId }: ReadSource, keys: readonly string[]): string {
  const from = keys.findLastIndex((key) => !/^\d+$/.test(key));
  return cleaned(keys.slice(Math.max(0, from)).join(' ')) || String(model.document.store.shown(sourceId)?.['name'] ?? '');
}

/** A name that no variable has: two variables of one name cannot be used by it. @param others of variables that are not stored yet */
export function freeName({ model }: ReadSource, wanted: string, others: readonly string[] = []): string {
  const taken = new Set<unknown>([...others, ...model.document.store.members({ kind: 'variable' }).map(({ name }) => name)]);
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted} ${n}`;
  return name;
}
