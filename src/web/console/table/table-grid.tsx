/** A table of fields that renders only the rows in view. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { CategoryNames } from '../forms/category-field.tsx';
import type { Resource } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Icon, IconButton } from '../ui/icons.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { changeCell, pasteCells } from './columns.ts';
import { pastedCells } from './pasted-cells.ts';
import type { Column, Sorting } from './rows.ts';

/** Identifier of the categories that the browser offers. */
const categoriesId = 'table-categories';
/** Height of a row in pixels, as in the style sheet. */
const rowPx = 36;
/** Rows above and below the view that are rendered, too. */
const margin = 6;

interface Props {
  readonly model: EditorModel;
  readonly columns: readonly Column[];
  /** Identifiers of objects. */
  readonly rows: readonly string[];
  readonly sorting: Sorting | undefined;
  readonly onSort: (key: string) => void;
  /** Shows an object on the map. */
  readonly onShow: (id: string) => void;
}

export function TableGrid(props: Props) {
  const { model, columns, rows, sorting, onSort } = props;
  const { store } = model.document;
  const { box, view, toRow } = useRows();
  const paste = usePaste(props);
  // Every cell follows its object.
  for (const artboardId of store.ids({ kind: 'artboard' })) store.revision({ kind: 'object', artboardId }).value;
  const first = Math.max(0, Math.floor(view.value.top / rowPx) - margin);
  const last = Math.min(rows.length, Math.ceil((view.value.top + view.value.height) / rowPx) + margin);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a cell has the focus, and the table handles its keys
    <div
      ref={box}
      class="table-box"
      onScroll={(event) => {
        view.value = { ...view.peek(), top: event.currentTarget.scrollTop };
      }}
      onKeyDown={(event) => toRow(event, rows.length)}
      onPaste={paste}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ key, label, isPrivate }) => (
              <th key={key} scope="col" aria-sort={ariaSort(sorting, key)}>
                <button type="button" class="quiet" onClick={() => onSort(key)}>
                  {label}
                  {isPrivate && <span class="hint">{lateTexts.table.isPrivate}</span>}
                  {sorting?.key === key && <Icon name={sorting.isDescending ? 'lower' : 'raise'} />}
                </button>
              </th>
            ))}
            <th scope="col">
              <span class="sr-only">{lateTexts.table.show}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} />
          {rows.slice(first, last).map((id, at) => (
            <Row key={id} {...props} id={id} at={first + at} />
          ))}
          <Gap rows={rows.length - last} />
        </tbody>
      </table>
      <CategoryNames id={categoriesId} categories={model.document.looks.categories.value} />
    </div>
  );
}

const ariaSort = (sorting: Sorting | undefined, key: string): 'ascending' | 'descending' | 'none' =>
  sorting?.key !== key ? 'none' : sorting.isDescending ? 'descending' : 'ascending';

/** The place of rows that are not in view. */
const Gap = ({ rows }: { readonly rows: number }) => (rows === 0 ? null : <tr style={{ blockSize: `${rows * rowPx}px` }} />);

function Row({ model, columns, id, at, onShow }: Props & { readonly id: string; readonly at: number }) {
  const object = model.document.store.shown(id);
  if (object === undefined) return null;
  const name = String(object['name'] || texts.unnamed);
  return (
    <tr aria-rowindex={at + 2}>
      {columns.map((column) => (
        <td key={column.key}>
          <Cell model={model} object={object} column={column} at={at} />
        </td>
      ))}
      <td>
        <IconButton icon="chevron" label={lateTexts.table.showOne(name)} onClick={() => onShow(id)} />
      </td>
    </tr>
  );
}

function Cell(props: {
  readonly model: EditorModel;
  readonly object: Resource;
  readonly column: Column;
  /** Its row. */
  readonly at: number;
}) {
  const { model, object, column, at } = props;
  const { document } = model;
  const draft = useDraft<string>({
    value: column.textOf(object),
    show: (text) => text,
    parse: (value) => ({ value }),
    commit: (text) => changeCell(document, document.store.shown(object.id) ?? object, column, text),
  });
  const error = document.edits.errors.value.get(object.id);
  return (
    <input
      type="text"
      list={column.key === 'category' ? categoriesId : undefined}
      data-row={at}
      data-column={column.key}
      aria-label={lateTexts.table.cell(column.label, String(object['name'] || texts.unnamed))}
      aria-invalid={error !== undefined}
      title={error === undefined ? undefined : Object.values(error).join(' ')}
      readOnly={!document.isEditable(object.id)}
      {...draft.input}
    />
  );
}

const cellOf = ({ target }: Event): HTMLInputElement | undefined =>
  target instanceof HTMLInputElement && target.dataset['row'] !== undefined ? target : undefined;

/** Cells of a spreadsheet fill the table to the right and down from the cell that has the focus. */
function usePaste({ model, columns, rows }: Props) {
  return (event: ClipboardEvent) => {
    const cell = cellOf(event);
    const cells = pastedCells(event.clipboardData?.getData('text/plain') ?? '');
    if (cell === undefined || cells === undefined || !model.document.canWrite) return;
    event.preventDefault();
    const { document } = model;
    const from = Number(cell.dataset['row']);
    const { written, edit } = pasteCells(document, cells, {
      objects: rows.slice(from, from + cells.length).flatMap((id) => document.store.shown(id) ?? []),
      columns: columns.slice(columns.findIndex(({ key }) => key === cell.dataset['column'])),
    });
    const left = cells.reduce((sum, row) => sum + row.length, 0) - written;
    void document.edits.run(edit);
    document.edits.notices.say(lateTexts.table.pasted(written, left));
  };
}

/** The part of the table in view, in pixels, and keys that lead to a cell in another row. */
function useRows() {
  const box = useRef<HTMLDivElement>(null);
  const view = useSignal({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      view.value = { top: element.scrollTop, height: element.clientHeight };
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const toRow = (event: KeyboardEvent, count: number) => {
    const cell = cellOf(event);
    const by = { ArrowDown: 1, Enter: event.shiftKey ? -1 : 1, ArrowUp: -1 }[event.key];
    const element = box.current;
    if (cell === undefined || by === undefined || element === null) return;
    event.preventDefault();
    const to = Number(cell.dataset['row']) + by;
    if (to < 0 || to >= count) return;
    const column = CSS.escape(cell.dataset['column'] ?? '');
    const next = element.querySelector<HTMLInputElement>(`[data-row="${to}"][data-column="${column}"]`);
    next?.focus();
    next?.select();
  };
  return { box, view, toRow };
}
