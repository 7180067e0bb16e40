/** Buttons that arrange the selected objects: alignment, size, order, turning, looks. */
import { useSignal } from '@preact/signals';
import { arrange, fillHoles, joinObjects, moveToArtboard, sameSize, straighten } from '../commands/arrange-commands.ts';
import { copyLook, pasteLook, sendTo } from '../commands/object-commands.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { lateTexts } from '../late-texts.ts';
import { aligned, alignments, distributed, rotated, scaled } from '../shapes/arrange.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { Doubt } from '../ui/problem.tsx';

const t = lateTexts.arrange;

/** A number and a button that uses it. */
function NumberTool(props: {
  readonly id: string;
  readonly label: string;
  readonly first: string;
  readonly least: number;
  readonly most: number;
  readonly onUse: (value: number) => void;
}) {
  const text = useSignal(props.first);
  const value = Number(text.value);
  const isUsable = text.value.trim() !== '' && value >= props.least && value <= props.most;
  return (
    <form
      class="number-tool"
      onSubmit={(event) => {
        event.preventDefault();
        if (isUsable) props.onUse(value);
      }}
    >
      <label for={props.id}>{props.label}</label>
      <input
        id={props.id}
        type="number"
        step="any"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <Button label={t.apply} type="submit" aria-label={t.use(props.label)} disabled={!isUsable} />
      <Doubt text={isUsable ? '' : t.range(props.least, props.most)} />
    </form>
  );
}

export function ArrangePanel({ model }: { readonly model: EditorModel }) {
  model.document.store.revision(model.selection.objects).value;
  const objects = model.selection.selectedObjects.flatMap(({ id }) => model.document.store.shown(id) ?? []);
  const polygons = objects.filter(({ type }) => type === 'poly').length;
  const hasHoles = objects.some(({ type, holes }) => type === 'poly' && Array.isArray(holes) && holes.length > 0);
  return (
    <details>
      <summary>{t.title}</summary>
      <div class="fields arrange">
        <PlaceTools model={model} count={objects.length} />
        <NumberTool
          id="turn-by"
          label={t.turn}
          first="90"
          least={-360}
          most={360}
          onUse={(degrees) => void arrange(model, (shapes) => rotated(shapes, degrees))}
        />
        <NumberTool
          id="scale-to"
          label={t.scale}
          first="150"
          least={0.01}
          most={10_000}
          onUse={(percent) => void arrange(model, (shapes) => scaled(shapes, percent / 100))}
        />
        <MoveTo model={model} />
        <div class="row wrap">
          {polygons > 0 && <Button label={t.straighten} onClick={() => void straighten(model)} />}
          {polygons > 1 && <Button label={t.join} onClick={() => void joinObjects(model)} />}
          {hasHoles && <Button label={t.fillHoles} onClick={() => void fillHoles(model)} />}
          <Button label={t.copyLook} title="Ctrl Alt C" onClick={() => copyLook(model)} />
          <Button label={t.pasteLook} title="Ctrl Alt V" onClick={() => void pasteLook(model)} />
        </div>
      </div>
    </details>
  );
}

/** Alignment, distribution, size and order: those that some number of objects can have. */
function PlaceTools({ model, count }: { readonly model: EditorModel; readonly count: number }) {
  return (
    <>
      {count > 1 && (
        <fieldset class="row" aria-label={t.align}>
          {alignments.map((to) => (
            <IconButton
              key={to}
              icon={to}
              label={t.alignments[to]}
              onClick={() => void arrange(model, (shapes) => aligned(shapes, to))}
            />
          ))}
        </fieldset>
      )}
      <fieldset class="row" aria-label={t.sizeAndOrder}>
        {count > 2 && (
          <>
            <IconButton icon="spreadX" label={t.spreadX} onClick={() => void arrange(model, (all) => distributed(all, 'x'))} />
            <IconButton icon="spreadY" label={t.spreadY} onClick={() => void arrange(model, (all) => distributed(all, 'y'))} />
          </>
        )}
        {count > 1 && <IconButton icon="sameSize" label={t.sameSize} onClick={() => void sameSize(model)} />}
        <IconButton icon="front" label={t.front} onClick={() => void sendTo(model, 'front')} />
        <IconButton icon="behind" label={t.back} onClick={() => void sendTo(model, 'back')} />
      </fieldset>
    </>
  );
}

/** Moves the objects to another artboard, if there is one. */
function MoveTo({ model }: { readonly model: EditorModel }) {
  const others = model.document.artboards.value.filter(({ id }) => id !== model.selection.artboardId.value);
  if (others.length === 0) return null;
  return (
    <div class="field">
      <label for="move-to">{t.moveTo}</label>
      <select
        id="move-to"
        value=""
        onChange={(event) => {
          const { value } = event.currentTarget;
          event.currentTarget.value = '';
          void moveToArtboard(model, value);
        }}
      >
        <option value="" selected>
          {t.chooseArtboard}
        </option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {String(name || texts.unnamed)}
          </option>
        ))}
      </select>
    </div>
  );
}
