/** All objects of a project in a table: sorted, filtered, edited in their cells, and pasted from a spreadsheet. */
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import { allObjects } from '../document/all-objects.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { AddByName } from '../ui/add-by-name.tsx';
import { Panel } from '../ui/panel.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { UndoButtons } from '../ui/undo-buttons.tsx';
import { columnsOf } from './columns.ts';
import { rowsOf, type Sorting } from './rows.ts';
import { TableGrid } from './table-grid.tsx';

export function TablePanel({ model, onClose }: { readonly model: EditorModel; readonly onClose: () => void }) {
  const { document } = model;
  const query = useSignal('');
  const sorting = useSignal<Sorting | undefined>(undefined);
  const added = useSignal<readonly string[]>([]);
  const columns = useComputed(() => {
    document.store.revision('project').value;
    return columnsOf(document, added.value);
  }).value;
  const add = (name: string): boolean => {
    const isNew = columns.every(({ label }) => label !== name);
    if (isNew) added.value = [...added.value, name];
    return isNew;
  };
  // A text, which is the same after a change of members: then no row moves.
  const ids = useComputed(() => [...allObjects(document.store)].map(({ id }) => id).join(' ')).value;
  // An edited cell moves no row, and hides none: only another order, filter, or set of objects does.
  const rows = useMemo(
    () => rowsOf(allObjects(document.store), columns, { query: query.value, sorting: sorting.value }),
    [document, ids, columns.length, query.value, sorting.value],
  );
  const t = lateTexts.table;
  return (
    <Panel title={t.title} onClose={onClose}>
      <div class="table-panel">
        <div class="row">
          <SearchField
            class="grow"
            id="table-search"
            label={t.filter}
            value={query.value}
            onSearch={(text) => {
              query.value = text;
            }}
          />
          {document.canWrite && (
            <UndoButtons
              steps={model.document.edits.steps}
              hasKeys={false}
              onUndo={() => model.undo()}
              onRedo={() => model.redo()}
            />
          )}
        </div>
        {document.canWrite && <AddByName label={t.newColumn} action={t.addColumn} onAdd={add} />}
        <p class="hint">
          {query.value === ''
            ? texts.countOf('object', rows.length)
            : t.found(rows.length, ids === '' ? 0 : ids.split(' ').length)}
          . {document.canWrite ? t.hint : ''}
        </p>
        <TableGrid
          model={model}
          columns={columns}
          rows={rows}
          sorting={sorting.value}
          onSort={(key) => {
            const before = sorting.peek();
            sorting.value = { key, isDescending: before?.key === key && !before.isDescending };
          }}
          onShow={(id) => {
            onClose();
            model.selection.select([id], { reveal: true });
          }}
        />
      </div>
    </Panel>
  );
}
