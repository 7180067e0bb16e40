/** The map of the editor with its tools. It is loaded by itself: the libraries for maps are most of the console's script. */

import { effect, useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TileSource } from '../../viewer/drawing/ground/tile-source.ts';
import { mapKey } from '../commands/keyboard.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { LiveBar } from '../live/panels/live-bar.tsx';
import { type ToolName, toolKeys, toolNames } from '../tools/tool-names.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { Credit } from './credit.tsx';
import { MapCanvas } from './map-canvas.ts';
import { PlaceField } from './place-field.tsx';
import { refuseMiddlePaste } from './pointer-events.ts';
import { shownNames, toggleNames } from './shown-names.ts';
import { TextField } from './text-field.tsx';

export function MapView({ model }: { readonly model: EditorModel }) {
  const { box, canvas, shownTiles, problem } = useCanvas(model);
  const artboardName = useComputed(() => {
    const artboard = model.document.artboards.value.find(({ id }) => id === model.selection.artboardId.value);
    return String(artboard?.['name'] || texts.unnamed);
  });
  const tool = model.workspace.tool.value;
  const textPlace = model.workspace.textPlace.value;
  const t = texts.editor;
  return (
    <>
      <div
        ref={box}
        class="map"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keyboard
        tabIndex={0}
        aria-label={t.mapLabel(artboardName.value)}
        onKeyDown={(event) => {
          if (canvas.current === undefined) return;
          if (event.key === ' ') {
            canvas.current.holdSpace(true);
            event.preventDefault();
          } else mapKey(model, canvas.current, event);
        }}
        onKeyUp={(event) => {
          if (event.key === ' ') canvas.current?.holdSpace(false);
        }}
        // The middle button moves the map, and neither scrolls the page nor pastes.
        onMouseDown={(event) => {
          if (event.button !== 1) return;
          event.preventDefault();
          refuseMiddlePaste();
        }}
        onPointerDown={(event) => event.currentTarget.focus({ preventScroll: true })}
        // A tap that shows the form must not click the control that is then below the finger.
        onTouchEnd={(event) => event.target instanceof HTMLCanvasElement && event.preventDefault()}
      />
      <Said model={model} />
      {model.document.canWrite && <Tools model={model} />}
      <LiveBar model={model} />
      <ViewButtons model={model} use={(act) => canvas.current !== undefined && act(canvas.current)} />
      <ToolHint model={model} />
      {model.workspace.typedPlace.value !== undefined && (
        <PlaceField model={model} onPlace={(places) => canvas.current?.place(places)} />
      )}
      {textPlace !== undefined && canvas.current !== undefined && (
        <TextField key={`${textPlace.x} ${textPlace.y}`} model={model} canvas={canvas.current} at={textPlace} />
      )}
      {tool === 'select' && problem.value !== undefined && (
        <p class="map-hint">{problem.value === 'image' ? t.pictureProblem : t.tilesProblem}</p>
      )}
      <HiddenCategories model={model} />
      {shownTiles.value !== undefined && (
        <p class="credit">
          <Credit source={shownTiles.value} />
        </p>
      )}
    </>
  );
}

/** Names the categories that this tab does not show, with the way back. */
function HiddenCategories({ model }: { readonly model: EditorModel }) {
  const { hiddenCategories } = model.workspace;
  const names = [...hiddenCategories.value];
  const t = texts.editor;
  if (names.length === 0) return null;
  return (
    <p class="hidden-categories">
      {t.hiddenHere(names)}{' '}
      <Button
        label={t.showHidden}
        class="link"
        onClick={() => {
          hiddenCategories.value = new Set();
        }}
      />
    </p>
  );
}

/** The canvas of the map in its box, as long as this is shown, and what it says of its background. */
function useCanvas(model: EditorModel) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<MapCanvas | undefined>(undefined);
  const shownTiles = useSignal<TileSource | undefined>(undefined);
  const problem = useSignal<'image' | 'tiles' | undefined>(undefined);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const { tiles } = model.document.connection.session;
    const made = new MapCanvas(element, model, {
      tiles,
      onTiles: (shown) => {
        shownTiles.value = shown;
        problem.value = undefined;
      },
      onProblem: (found) => {
        problem.value = found;
      },
    });
    canvas.current = made;
    const endHiding = effect(() => {
      const hidden = model.workspace.hiddenCategories.value;
      made.drawing.setFilter(hidden.size === 0 ? undefined : ({ category }) => !hidden.has(category));
    });
    return () => {
      endHiding();
      made.dispose();
    };
  }, [model]);
  // Keys work at once after another screen, whose control had the focus.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [model]);
  return { box, canvas, shownTiles, problem };
}

/** For users of a screen reader: which objects are selected, and what the tool says. */
function Said({ model }: { readonly model: EditorModel }) {
  const selected = useComputed(() => {
    const ids = model.selection.ids.value.filter((id) => model.document.liveView.shown(id)?.['radius'] !== undefined);
    const names = ids.map((id) => String(model.document.liveView.shown(id)?.['name'] || texts.unnamed));
    return names.length > 1 ? texts.editor.severalSelected(names.length) : (names[0] ?? '');
  });
  return (
    <>
      <p class="sr-only" role="status">
        {selected.value}
      </p>
      <p class="sr-only" role="status">
        {model.workspace.said.value}
      </p>
    </>
  );
}

/** Buttons for what keys do in a state of a tool. */
const buttonsOf: Readonly<Record<string, readonly (keyof typeof texts.tools.buttons)[]>> = {
  drawing: ['done', 'cancel'],
  corner: ['insert', 'back', 'done'],
};

/** Tools that draw corner by corner. */
const cornerTools: ReadonlySet<ToolName> = new Set(['line', 'poly', 'hole']);

/** States in which something snaps. */
const snapping: ReadonlySet<string> = new Set(['drawing', 'pressing', 'moving', 'reshaping']);

/** What to do with the tool in use, with the means that the device has. */
function ToolHint({ model }: { readonly model: EditorModel }) {
  const t = texts.tools;
  const state = model.workspace.toolState.value;
  const tool = model.workspace.tool.value;
  const device = matchMedia('(pointer: coarse)').matches ? 'touch' : 'mouse';
  const isSelecting = tool === 'select' && state !== 'corner';
  // A press that selects snaps nothing.
  const snaps =
    device === 'mouse' && snapping.has(state) && tool !== 'spot' && tool !== 'text' && !(isSelecting && state === 'pressing');
  const isDrawing = state === 'drawing' && cornerTools.has(tool);
  const main = state === 'corner' ? t.cornerHint : isDrawing ? t.drawingHint : t.each[tool];
  const hints = [isSelecting ? '' : main[device], snaps ? t.withoutSnapping : ''];
  const text = hints.filter((hint) => hint !== '').join(' ');
  if (text === '') return null;
  return (
    <div class="map-hint">
      <p>{text}</p>
      {buttonsOf[state]?.map((is) => (
        <Button
          label={t.buttons[is]}
          key={is}
          onClick={() => {
            model.workspace.map?.send({ is });
            model.workspace.map?.focus();
          }}
        />
      ))}
    </div>
  );
}

function Tools({ model }: { readonly model: EditorModel }) {
  const tool = model.workspace.tool.value;
  const { several, tools } = texts;
  const titleOf = (name: ToolName): string => tools.titleAndKey(tools.each[name].title, toolKeys[name]);
  return (
    <div class="tools" role="toolbar" aria-label={texts.editor.tools}>
      {toolNames.map((name) => (
        <IconButton
          key={name}
          class=""
          icon={name}
          label={titleOf(name)}
          aria-pressed={tool === name}
          onClick={() => {
            model.selection.isAdding.value = false;
            model.workspace.tool.value = name;
            model.workspace.map?.focus();
          }}
        />
      ))}
      {tool === 'select' && (
        <IconButton
          class=""
          icon="several"
          label={several.adding}
          aria-pressed={model.selection.isAdding.value}
          onClick={() => {
            model.selection.isAdding.value = !model.selection.isAdding.value;
          }}
        />
      )}
    </div>
  );
}

function ViewButtons(props: { readonly model: EditorModel; readonly use: (act: (canvas: MapCanvas) => void) => void }) {
  const { model, use } = props;
  const t = texts.editor;
  return (
    <div class="tools zoom" role="toolbar" aria-label={t.map}>
      <IconButton
        class=""
        icon="names"
        label={t.names}
        aria-pressed={shownNames(model) !== 'none'}
        onClick={() => toggleNames(model)}
      />
      <IconButton class="" icon="plus" label={t.zoomIn} onClick={() => use((map) => map.zoomBy(1))} />
      <IconButton class="" icon="minus" label={t.zoomOut} onClick={() => use((map) => map.zoomBy(-1))} />
      <IconButton class="" icon="fit" label={t.fit} onClick={() => use((map) => map.fit())} />
    </div>
  );
}
