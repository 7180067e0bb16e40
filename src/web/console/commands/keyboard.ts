/** Keys of the editor. Single keys work only on the map; those with Ctrl work wherever no text is edited. */

import type { EditorModel } from '../editor/editor-model.ts';
import type { Point } from '../shapes/shape.ts';
import type { ToolEvent } from '../tools/tool.ts';
import { type ToolName, toolKeys, toolNames } from '../tools/tool-names.ts';
import { addPopup, copyLook, pasteLook, removeSelection, reorder, sendTo } from './object-commands.ts';

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(?:checkbox|color|file|button)$/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable);

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Keys anywhere in the editor. */
export function globalKey(model: EditorModel, event: KeyboardEvent): void {
  if (event.defaultPrevented) return;
  const travels = (event.ctrlKey || event.metaKey) && !event.altKey && /^[yz]$/i.test(event.key) && !isText(event.target);
  // By itself, the browser would take back what was typed last in any field of the page, also in one that is closing.
  if (travels) event.preventDefault();
  if (isDialogOpen()) return;
  if (event.key === 'F6') {
    goToArea(model, event.shiftKey ? -1 : 1);
    event.preventDefault();
    return;
  }
  // A field that has something to cancel, and the map, keep it for themselves.
  if (event.key === 'Escape') model.workspace.tool.value = 'select';
  if (!(event.ctrlKey || event.metaKey) || isText(event.target) || !model.document.canWrite) return;
  if (event.altKey) {
    lookKey(model, event);
    return;
  }
  if (!travels) return;
  void (event.key.toLowerCase() === 'y' || event.shiftKey ? model.redo() : model.undo());
}

/** The areas of the editor, in their order on the screen. */
const areas = [
  ['list', '.left'],
  ['map', '.middle'],
  ['form', '.right'],
] as const;

/** F6: the next area, or with Shift the previous one. The focus goes to its first control. */
function goToArea(model: EditorModel, by: 1 | -1): void {
  const from = areas.findIndex(([, area]) => document.activeElement?.closest(area) != null);
  const [pane, area] = areas[
    ((from === -1 ? (by === 1 ? -1 : 0) : from) + by + areas.length) % areas.length
  ] as (typeof areas)[number];
  model.workspace.pane.value = pane;
  // On a narrow screen, the area is visible a moment later.
  setTimeout(() => {
    if (pane === 'map') return model.workspace.toMap();
    const control = document.querySelector<HTMLElement>(`${area} :is(input, button, select, textarea):enabled`);
    control?.focus();
    if (control instanceof HTMLInputElement && isText(control)) control.select();
  });
}

/** Ctrl Alt C and V: the look. AltGraph is Ctrl Alt on some systems, and writes other letters. */
function lookKey(model: EditorModel, event: KeyboardEvent): void {
  if (event.getModifierState('AltGraph')) return;
  if (event.code === 'KeyC') copyLook(model);
  else if (event.code === 'KeyV') void pasteLook(model);
  else return;
  event.preventDefault();
}

/** Copies, cuts or pastes objects, unless a text is meant. */
export function clipboardEvent(model: EditorModel, event: ClipboardEvent): void {
  const { clipboardData } = event;
  if (event.defaultPrevented || clipboardData === null || isText(event.target)) return;
  if (isDialogOpen()) return;
  if (event.type === 'paste') {
    if (!model.document.canWrite || clipboardData.files.length > 0) return;
    void model.copies.paste(clipboardData.getData('text/plain'));
  } else {
    if (document.getSelection()?.isCollapsed === false) return;
    const text = model.copies.copy();
    if (text === undefined) return;
    clipboardData.setData('text/plain', text);
    if (event.type === 'cut' && model.document.canWrite) void removeSelection(model);
  }
  event.preventDefault();
}

const steps: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** What the map does itself. */
export interface MapKeys {
  /** Moves the selection by pixels of the artboard; saved when the keys rest. */
  nudge(by: Point): void;
  /** Moves the view, by a tenth of it. */
  pan(by: Point): void;
  zoomBy(levels: number): void;
  fit(): void;
  /** Shows the names of objects on the map, or hides them. */
  toggleNames(): void;
  /** Delivers a key to the tool in use. `false` if it means nothing to it. */
  send(event: ToolEvent): boolean;
}

/** Keys while the map has the focus. */
export function mapKey(model: EditorModel, map: MapKeys, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return;
  const hasControl = event.ctrlKey || event.metaKey;
  const handled = hasControl ? controlKey(model, event) : plainKey(model, map, event);
  if (handled) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function controlKey(model: EditorModel, event: KeyboardEvent): boolean {
  switch (event.key.toLowerCase()) {
    case 'a':
      model.selection.selectAll();
      return true;
    case 'd':
      if (model.document.canWrite) void model.copies.duplicate();
      return true;
    default:
      return false;
  }
}

/** What a key alone does on the map. `false`: it means nothing here, and the browser gets it. */
type KeyCommand = (model: EditorModel, map: MapKeys, event: KeyboardEvent) => unknown;

const typePlace: KeyCommand = ({ workspace: { typedPlace } }, _map, { key }) => {
  // The field may not have the focus yet when the next digit is typed.
  typedPlace.value = (typedPlace.value ?? '') + key;
};

const step: KeyCommand = (model, map, { key, shiftKey }) => {
  const one = steps[key] as Point;
  const ten = { x: one.x * 10, y: one.y * 10 };
  // A corner moves as the selection does; a cursor for drawing goes farther without Shift.
  const isCorner = model.workspace.toolState.value === 'corner';
  if (map.send({ is: 'step', by: shiftKey !== isCorner ? one : ten })) return;
  if (model.selection.selectedObjects.some(({ id }) => model.document.isEditable(id))) map.nudge(shiftKey ? ten : one);
  else map.pan(one);
};

const toField =
  (field: string): KeyCommand =>
  (model) => {
    if (model.selection.selectedObjects.length > 0) model.workspace.toField(field);
  };

const takeTool =
  (tool: ToolName): KeyCommand =>
  (model) => {
    if (model.document.canWrite || tool === 'select') model.workspace.tool.value = tool;
  };

const goOn: KeyCommand = (model, map) => {
  if (!map.send({ is: 'enter' })) model.workspace.toField(model.selection.ids.value.length > 1 ? 'names' : 'name');
};

const newPopup: KeyCommand = (model) => {
  const [ref, ...others] = model.selection.selectedObjects;
  if (model.document.canWrite && ref !== undefined && others.length === 0) void addPopup(model, ref.id);
};

const cancel: KeyCommand = (model, map) => {
  if (map.send({ is: 'cancel' })) return;
  if (model.workspace.tool.value === 'select') model.selection.select([]);
  else model.workspace.tool.value = 'select';
};

const remove: KeyCommand = (model, map) => {
  if (model.document.canWrite && !map.send({ is: 'back' })) void removeSelection(model);
};

const move =
  (towards: 'front' | 'back'): KeyCommand =>
  (model) => {
    if (model.document.canWrite) void reorder(model, towards);
  };

const send =
  (towards: 'front' | 'back'): KeyCommand =>
  (model) => {
    if (model.document.canWrite) void sendTo(model, towards);
  };

const search: KeyCommand = (model) => {
  model.workspace.pane.value = 'list';
  setTimeout(() => document.querySelector<HTMLElement>('#list-search')?.focus());
};

const selectFrom =
  (end: 1 | -1): KeyCommand =>
  (model) => {
    model.selection.select([]);
    return model.selection.selectNext(end);
  };

/** Whether one object is selected, or was until it was deleted. */
const canGoOn = ({ selection: { ids: selection, gap } }: EditorModel): boolean =>
  selection.value.length === 1 || (selection.value.length === 0 && Object.keys(gap).length > 0);

const ownCommands = {
  f: toField('color'),
  k: toField('click_action'),
  a: newPopup,
  Enter: goOn,
  Escape: cancel,
  Delete: remove,
  Backspace: remove,
  Insert: (_model, map) => map.send({ is: 'insert' }),
  '.': (_model, map) => map.send({ is: 'corner', by: 1 }),
  ',': (_model, map) => map.send({ is: 'corner', by: -1 }),
  ']': move('front'),
  '[': move('back'),
  '}': send('front'),
  '{': send('back'),
  PageUp: (model) => model.selection.nextArtboard(-1),
  PageDown: (model) => model.selection.nextArtboard(1),
  Home: selectFrom(1),
  End: selectFrom(-1),
  // Without a selection, and at the end of the list, Tab leaves the map.
  Tab: (model, _map, { shiftKey }) => canGoOn(model) && model.selection.selectNext(shiftKey ? -1 : 1),
  n: (_model, map) => map.toggleNames(),
  '0': (_model, map) => map.fit(),
  '+': (_model, map) => map.zoomBy(1),
  '=': (_model, map) => map.zoomBy(1),
  '-': (_model, map) => map.zoomBy(-1),
  '\u2212': (_model, map) => map.zoomBy(-1),
  '/': search,
  '?': (model) => {
    model.workspace.isHelpOpen.value = true;
  },
} satisfies Readonly<Record<string, KeyCommand>>;

type TakenKey = keyof typeof ownCommands & (typeof toolKeys)[ToolName];

const toolCommands: [TakenKey] extends [never] ? Readonly<Record<string, KeyCommand>> : 'a key of a tool is taken' =
  Object.fromEntries(toolNames.map((tool) => [toolKeys[tool], takeTool(tool)]));

/** By key; letters in lower case. */
const keyCommands: Readonly<Record<string, KeyCommand>> = {
  ...Object.fromEntries(Object.keys(steps).map((key) => [key, step])),
  ...toolCommands,
  ...ownCommands,
};

function plainKey(model: EditorModel, map: MapKeys, event: KeyboardEvent): boolean {
  const { key } = event;
  const isPlace =
    /^[-\d]$/.test(key) &&
    model.document.canWrite &&
    (model.workspace.tool.value !== 'select' || model.workspace.toolState.value === 'corner');
  const command = isPlace ? typePlace : keyCommands[key.length === 1 ? key.toLowerCase() : key];
  return command !== undefined && command(model, map, event) !== false;
}
