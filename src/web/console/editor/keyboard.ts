/** Keys of the editor. Single keys work only on the map; those with Ctrl work wherever no text is edited. */
import type { Point } from '../shapes/shape.ts';
import type { ToolEvent } from '../tools/tool.ts';
import { toolKeys, toolNames } from '../tools/tool-names.ts';
import type { EditorModel } from './editor-model.ts';
import { copyLook, pasteLook, sendTo } from './object-commands.ts';

const isText = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !/^(?:checkbox|color|file|button)$/.test(target.type)) ||
  (target instanceof HTMLElement && target.isContentEditable);

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Keys anywhere in the editor. */
export function globalKey(model: EditorModel, event: KeyboardEvent): void {
  if (event.defaultPrevented || isDialogOpen()) return;
  if (event.key === 'F6') {
    goToArea(model, event.shiftKey ? -1 : 1);
    event.preventDefault();
    return;
  }
  if (!(event.ctrlKey || event.metaKey) || isText(event.target) || !model.canWrite) return;
  if (event.altKey) {
    lookKey(model, event);
    return;
  }
  const key = event.key.toLowerCase();
  if (key === 'z') void (event.shiftKey ? model.redo() : model.undo());
  else if (key === 'y') void model.redo();
  else return;
  event.preventDefault();
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
  model.pane.value = pane;
  // On a narrow screen, the area is visible a moment later.
  setTimeout(() => {
    if (pane === 'map') return model.toMap();
    const control = document.querySelector<HTMLElement>(`${area} :is(input, button, select, textarea):enabled`);
    control?.focus();
    if (control instanceof HTMLInputElement && isText(control)) control.select();
  });
}

/** Keys that lead to a field of the selected objects. */
const fieldKeys: Readonly<Record<string, string>> = { f: 'color', l: 'click_action' };

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
    if (!model.canWrite || clipboardData.files.length > 0) return;
    void model.copies.paste(clipboardData.getData('text/plain'));
  } else {
    if (document.getSelection()?.isCollapsed === false) return;
    const text = model.copies.copy();
    if (text === undefined) return;
    clipboardData.setData('text/plain', text);
    if (event.type === 'cut' && model.canWrite) void model.removeSelection();
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
      model.selectAll();
      return true;
    case 'd':
      if (model.canWrite) void model.copies.duplicate();
      return true;
    default:
      return false;
  }
}

function plainKey(model: EditorModel, map: MapKeys, event: KeyboardEvent): boolean {
  const { canWrite } = model;
  const step = steps[event.key];
  if (step !== undefined) {
    const by = event.shiftKey ? { x: step.x * 10, y: step.y * 10 } : step;
    if (map.send({ is: 'step', by: event.shiftKey ? step : { x: step.x * 10, y: step.y * 10 } })) return true;
    if (canWrite && model.selectedObjects.some(({ id }) => !model.liveView.isLocked(id))) map.nudge(by);
    else map.pan(step);
    return true;
  }
  if (/^\d$/.test(event.key) && canWrite && (model.tool.value !== 'select' || model.toolState.value === 'corner')) {
    model.typedPlace.value = event.key;
    return true;
  }
  const field = fieldKeys[event.key.toLowerCase()];
  if (field !== undefined) {
    if (model.selectedObjects.length > 0) model.toField(field);
    return true;
  }
  const tool = toolNames.find((name) => toolKeys[name] === event.key.toLowerCase());
  if (tool !== undefined) {
    if (canWrite || tool === 'select') model.tool.value = tool;
    return true;
  }
  switch (event.key) {
    case 'Enter':
      if (!map.send({ is: 'enter' })) model.toField(model.selection.value.length > 1 ? 'names' : 'name');
      return true;
    case 'a':
    case 'A': {
      const [ref, ...others] = model.selectedObjects;
      if (canWrite && ref !== undefined && others.length === 0) void model.addPopup(ref.id);
      return true;
    }
    case 'PageUp':
    case 'PageDown':
      model.nextArtboard(event.key === 'PageUp' ? -1 : 1);
      return true;
    case 'Escape':
      if (!map.send({ is: 'cancel' })) {
        if (model.tool.value === 'select') model.select([]);
        else model.tool.value = 'select';
      }
      return true;
    case 'Delete':
    case 'Backspace':
      if (canWrite && !map.send({ is: 'back' })) void model.removeSelection();
      return true;
    case '[':
    case ']':
      if (canWrite) void model.reorder(event.key === ']' ? 'front' : 'back');
      return true;
    case '.':
    case ',':
      return map.send({ is: 'corner', by: event.key === '.' ? 1 : -1 });
    case 'Insert':
      return map.send({ is: 'insert' });
    case '{':
    case '}':
      if (canWrite) void sendTo(model, event.key === '}' ? 'front' : 'back');
      return true;
    case '0':
      map.fit();
      return true;
    case '+':
    case '=':
      map.zoomBy(1);
      return true;
    case '-':
    case '\u2212':
      map.zoomBy(-1);
      return true;
    case '/':
      model.pane.value = 'list';
      setTimeout(() => document.querySelector<HTMLElement>('#list-search')?.focus());
      return true;
    case '?':
      model.isHelpOpen.value = true;
      return true;
    case 'Home':
      model.select([]);
      return model.selectNext(1);
    case 'End':
      model.select([]);
      return model.selectNext(-1);
    case 'Tab':
      // Without a selection, and at the end of the list, Tab leaves the map.
      return model.selection.value.length === 1 && model.selectNext(event.shiftKey ? -1 : 1);
    default:
      return false;
  }
}
