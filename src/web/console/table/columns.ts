/** The columns of the table, and what is written into its cells. */
import type { DiffBuilder } from '../../../lib/change/diff-builder.ts';
import { isPlain } from '../../../lib/change/value-parts.ts';
import { changesOf, renamePopups } from '../commands/object-commands.ts';
import { allObjects } from '../document/all-objects.ts';
import { settingsOf } from '../document/whole-project.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { fieldsIn } from '../kinds/map-fields.ts';
import type { Members, Resource } from '../kinds/resource-kinds.ts';
import { type Properties, propertyOf, textOfProperty, withProperty } from '../kinds/typed-properties.ts';
import { lateTexts } from '../late-texts.ts';
import type { Column } from './rows.ts';

const propertiesOf = ({ properties }: Members): Properties => (isPlain(properties) ? properties : {}) as Properties;

/**
 * Name and category, the fields of the map, and then properties that no field makes public.
 *
 * @param added names of properties that no object has yet
 */
export function columnsOf(document: ProjectDocument, added: readonly string[]): readonly Column[] {
  const { store } = document;
  const t = lateTexts.table;
  const fields = new Map(fieldsIn(settingsOf(store)).map((field) => [field.name, field]));
  const names = new Set(fields.keys());
  for (const object of allObjects(store)) for (const name of Object.keys(propertiesOf(object))) names.add(name);
  for (const name of added) names.add(name);
  const member = (name: 'name' | 'category'): Column => ({
    key: name,
    label: t[name],
    isPrivate: false,
    textOf: (object) => String(object[name] ?? ''),
    changes: (object, text) => changesOf(document, object, name, text),
  });
  const property = (name: string): Column => ({
    key: `property ${name}`,
    label: fields.get(name)?.label || name,
    isPrivate: !fields.has(name),
    textOf: (object) => textOfProperty(propertiesOf(object), name),
    changes: (object, text) => {
      const before = propertiesOf(object);
      const value = propertyOf(text, Object.hasOwn(before, name) ? before[name] : undefined, fields.get(name)?.kind);
      return { properties: withProperty(before, name, value) };
    },
  });
  return [member('name'), member('category'), ...[...names].map(property)];
}

/** Writes a text into a cell, as a form does: one step of the history. */
export function changeCell(document: ProjectDocument, object: Resource, column: Column, text: string): void {
  const members = column.changes(object, text);
  document.edits.change(object.id, members, {}, (edit) => renamePopups(document, edit, object, members['name']));
}

/**
 * Writes pasted cells: one step of the history.
 *
 * @param objects of the rows from the first cell on, and `columns` of its columns
 * @returns how many cells had room, and were written
 */
export function pasteCells(
  document: ProjectDocument,
  cells: readonly (readonly string[])[],
  { objects, columns }: { readonly objects: readonly Resource[]; readonly columns: readonly Column[] },
): { readonly written: number; readonly edit: DiffBuilder } {
  const edit = document.edits.begin();
  let written = 0;
  for (const [row, texts] of cells.entries()) {
    const object = objects[row];
    if (object === undefined || !document.isEditable(object.id)) continue;
    let changed: Resource = object;
    for (const [at, text] of texts.entries()) {
      const column = columns[at];
      if (column === undefined) continue;
      written++;
      if (column.textOf(changed) !== text) changed = { ...changed, ...column.changes(changed, text) };
    }
    if (changed === object) continue;
    edit.put(object.id, changedMembers(object, changed));
    renamePopups(document, edit, object, changed['name']);
  }
  return { written, edit };
}

const changedMembers = (before: Resource, after: Resource): Members =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));
