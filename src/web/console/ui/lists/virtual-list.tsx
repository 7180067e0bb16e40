/** A list, or a tree, that renders only the rows in view, however many there are. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren, TargetedDragEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { touchDrag } from './touch-drag.ts';

/** Height of a row in pixels, as in the style sheet. */
const rowPx = 32;
/** Rows above and below the view that are rendered, too. */
const margin = 8;

/** The place of a row in a tree. */
export interface TreePlace {
  /** From 1. */
  readonly level: number;
  /** Whether the rows below it are shown; `undefined` if it has none. */
  readonly isExpanded: boolean | undefined;
  /** Among the rows of the same parent, from 1. */
  readonly position: number;
  /** Number of rows of the same parent. */
  readonly size: number;
}

/** What a choice does with the rows that are chosen already: replaces them, adds or removes this one, or takes all up to it. */
export type Extent = 'only' | 'one more' | 'range';

/** Rows that are dragged, with a mouse, or by touch after a long press. */
export interface RowDrag {
  onStart(at: number): void;
  /** @param at the row before which they are dropped; the number of rows: at the end */
  onDrop(at: number): void;
}

/** Type of what is dragged: rows of a list. */
export const rowsType = 'application/x-mapwright-rows';

export const hasRows = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes(rowsType) === true;

interface Props {
  readonly label: string;
  /** Begins the identifiers of the rows: another one for each list on the screen. */
  readonly id?: string;
  readonly count: number;
  /** Index of the row that the keyboard is at; -1 for none. */
  readonly active: number;
  /** Without such a row: those to which the arrows lead, such as the neighbours of a row that was deleted; -1 for the first or the last. */
  readonly gap?: { readonly previous: number; readonly next: number };
  readonly isSelected: (at: number) => boolean;
  readonly row: (at: number) => ComponentChildren;
  readonly onChoose: (at: number, extent: Extent) => void;
  /** Arrow keys move to another row; without it, they choose it. */
  readonly onMove?: (at: number) => void;
  /** Makes it a tree. */
  readonly place?: (at: number) => TreePlace;
  readonly onKey?: (event: KeyboardEvent) => void;
  /** Makes rows draggable. */
  readonly drag?: RowDrag | undefined;
}

export function VirtualList(props: Props) {
  const { count, active, id = 'row', place } = props;
  const { box, view } = useView(active);
  const { dropAt, dropTarget } = useRowDrop(props.drag, count);
  const held = useTouch(box, props.drag, id, (row) => {
    dropAt.value = Math.min(count, row);
  });
  const { top, height } = view.value;
  const first = Math.max(0, Math.floor(top / rowPx) - margin);
  const last = Math.min(count, Math.ceil((top + height) / rowPx) + margin);
  const rows = [];
  for (let at = first; at < last; at++) rows.push(rowOf(props, { at, id: `${id}-${at}`, isHeld: at === held }));
  const onKeyDown = (event: KeyboardEvent) => {
    const to = event.altKey ? undefined : rowAfter(event.key, props, view.value.height);
    if (to === undefined) {
      props.onKey?.(event);
      return;
    }
    event.preventDefault();
    if (props.onMove === undefined) props.onChoose(to, event.shiftKey ? 'range' : 'only');
    else props.onMove(to);
  };
  return (
    <div
      ref={box}
      class="virtual-list"
      role="listbox"
      aria-label={props.label}
      aria-multiselectable="true"
      {...(place === undefined ? {} : { role: 'tree' as const, 'aria-multiselectable': 'false' as const })}
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      tabIndex={0}
      onScroll={(event) => {
        view.value = { ...view.peek(), top: event.currentTarget.scrollTop };
      }}
      onKeyDown={onKeyDown}
      {...dropTarget}
    >
      <div class="virtual-rows" style={{ blockSize: `${count * rowPx}px` }}>
        {rows}
        {dropAt.value >= 0 && <div class="drop-line" style={{ insetBlockStart: `${dropAt.value * rowPx - 1}px` }} />}
      </div>
    </div>
  );
}

/** The row to which a key moves; `undefined` if it moves nowhere. */
function rowAfter(key: string, { active, count, gap }: Props, height: number): number | undefined {
  const { previous, next } = gap ?? { previous: -1, next: -1 };
  const page = Math.max(1, Math.floor(height / rowPx) - 1);
  const to = {
    ArrowDown: active < 0 && next >= 0 ? next : active + 1,
    ArrowUp: active >= 0 ? active - 1 : previous >= 0 ? previous : count - 1,
    PageDown: active + page,
    PageUp: active - page,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, to));
}

function rowOf(
  { active, count, isSelected, place, drag, row, onChoose }: Props,
  { at, id, isHeld }: { readonly at: number; readonly id: string; readonly isHeld: boolean },
) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus and handles the keys
    <div
      key={at}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected(at)}
      aria-setsize={count}
      aria-posinset={at + 1}
      {...(place === undefined ? {} : treeItem(place(at)))}
      class={`list-row ${at === active ? 'active' : ''} ${isHeld ? 'held' : ''}`}
      draggable={drag !== undefined}
      onDragStart={(event) => {
        event.dataTransfer?.setData(rowsType, '');
        drag?.onStart(at);
      }}
      style={{ insetBlockStart: `${at * rowPx}px` }}
      onClick={(event) => onChoose(at, event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'one more' : 'only')}
    >
      {row(at)}
    </div>
  );
}

/** Where dragged rows would be dropped (-1 for nowhere), and what the list does with them. */
function useRowDrop(drag: RowDrag | undefined, count: number) {
  const dropAt = useSignal(-1);
  const takes = (event: DragEvent): boolean => {
    if (drag === undefined || !hasRows(event)) return false;
    event.preventDefault();
    return true;
  };
  const dropTarget = {
    onDragOver(event: TargetedDragEvent<HTMLElement>) {
      if (!takes(event)) return;
      const { currentTarget: list } = event;
      const row = Math.round((event.clientY - list.getBoundingClientRect().top + list.scrollTop) / rowPx);
      dropAt.value = Math.max(0, Math.min(count, row));
    },
    onDragLeave() {
      dropAt.value = -1;
    },
    onDrop(event: DragEvent) {
      if (!takes(event)) return;
      drag?.onDrop(dropAt.value);
      dropAt.value = -1;
    },
  };
  return { dropAt, dropTarget };
}

const treeItem = ({ level, isExpanded, position, size }: TreePlace) => ({
  role: 'treeitem' as const,
  'aria-level': level,
  'aria-expanded': isExpanded,
  'aria-posinset': position,
  'aria-setsize': size,
});

/** Moves rows by touch. The row that is held; -1 for none. @param onOver the row before which it would be dropped; -1 at the end */
function useTouch(
  box: { readonly current: HTMLDivElement | null },
  drag: RowDrag | undefined,
  id: string,
  onOver: (row: number) => void,
): number {
  const held = useSignal(-1);
  const latest = useRef({ drag, onOver });
  latest.current = { drag, onOver };
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let over: number | undefined;
    return touchDrag(element, {
      rowOf(target) {
        const row = target instanceof Element ? target.closest('.list-row') : null;
        return latest.current.drag === undefined || row === null ? undefined : Number(row.id.slice(id.length + 1));
      },
      onStart(at) {
        held.value = at;
        latest.current.drag?.onStart(at);
      },
      onMove(clientY) {
        const { top, bottom } = element.getBoundingClientRect();
        // At an edge, the list scrolls.
        element.scrollTop += clientY < top + rowPx ? -rowPx / 4 : clientY > bottom - rowPx ? rowPx / 4 : 0;
        over = Math.max(0, Math.round((clientY - top + element.scrollTop) / rowPx));
        latest.current.onOver(over);
      },
      onDrop() {
        if (over !== undefined) latest.current.drag?.onDrop(over);
      },
      onEnd() {
        over = undefined;
        held.value = -1;
        latest.current.onOver(-1);
      },
    });
  }, []);
  return held.value;
}

/** The part of the list that is in view, in pixels; scrolls to a row when it becomes the active one. */
function useView(active: number) {
  const box = useRef<HTMLDivElement>(null);
  const view = useSignal({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = () => {
      view.value = { top: element.scrollTop, height: element.clientHeight };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Only when another row becomes active: the user may scroll away from it.
  useEffect(() => {
    const element = box.current;
    if (element === null || active < 0) return;
    const top = active * rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowPx > element.scrollTop + element.clientHeight) element.scrollTop = top + rowPx - element.clientHeight;
  }, [active]);
  return { box, view };
}
