/** Buttons that arrange the selected objects: alignment, size, order, turning, looks. */
import { useSignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import { aligned, alignments, distributed, equallyLarge, rotated, scaled } from '../shapes/arrange.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { arrange, joinObjects, moveToArtboard, straighten } from './arrange-commands.ts';
import type { EditorModel } from './editor-model.ts';
import { copyLook, pasteLook, sendTo } from './object-commands.ts';

const t = texts.arrange;

function Tool({ icon, label, onClick }: { readonly icon: IconName; readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" class="quiet" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}

/** A number and a button that uses it. */
function NumberTool(props: {
  readonly id: string;
  readonly label: string;
  readonly first: string;
  readonly isUsable: (value: number) => boolean;
  readonly onUse: (value: number) => void;
}) {
  const text = useSignal(props.first);
  const value = Number(text.value);
  const isUsable = text.value.trim() !== '' && Number.isFinite(value) && props.isUsable(value);
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
      <button type="submit" aria-label={t.use(props.label)} disabled={!isUsable}>
        {t.apply}
      </button>
    </form>
  );
}

export function ArrangePanel({ model }: { readonly model: EditorModel }) {
  const objects = model.selectedObjects.flatMap(({ id }) => model.store.shown(id) ?? []);
  const artboards = model.artboards.value.filter(({ id }) => id !== model.artboardId.value);
  const polygons = objects.filter(({ type }) => type === 'poly').length;
  return (
    <details>
      <summary>{t.title}</summary>
      <div class="fields arrange">
        {objects.length > 1 && (
          <fieldset class="row" aria-label={t.align}>
            {alignments.map((to) => (
              <Tool
                key={to}
                icon={to}
                label={t.alignments[to]}
                onClick={() => void arrange(model, (shapes) => aligned(shapes, to))}
              />
            ))}
          </fieldset>
        )}
        <fieldset class="row" aria-label={t.sizeAndOrder}>
          {objects.length > 2 && (
            <>
              <Tool icon="spreadX" label={t.spreadX} onClick={() => void arrange(model, (all) => distributed(all, 'x'))} />
              <Tool icon="spreadY" label={t.spreadY} onClick={() => void arrange(model, (all) => distributed(all, 'y'))} />
            </>
          )}
          {objects.length > 1 && <Tool icon="sameSize" label={t.sameSize} onClick={() => void arrange(model, equallyLarge)} />}
          <Tool icon="front" label={t.front} onClick={() => void sendTo(model, 'front')} />
          <Tool icon="behind" label={t.back} onClick={() => void sendTo(model, 'back')} />
        </fieldset>
        <NumberTool
          id="turn-by"
          label={t.turn}
          first="90"
          isUsable={(degrees) => Math.abs(degrees) <= 360}
          onUse={(degrees) => void arrange(model, (shapes) => rotated(shapes, degrees))}
        />
        <NumberTool
          id="scale-to"
          label={t.scale}
          first="150"
          isUsable={(percent) => percent > 0 && percent <= 10_000}
          onUse={(percent) => void arrange(model, (shapes) => scaled(shapes, percent / 100))}
        />
        {artboards.length > 0 && (
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
              {artboards.map(({ id, name }) => (
                <option key={id} value={id}>
                  {String(name || texts.unnamed)}
                </option>
              ))}
            </select>
          </div>
        )}
        <div class="row wrap">
          {polygons > 0 && (
            <button type="button" onClick={() => void straighten(model)}>
              {t.straighten}
            </button>
          )}
          {polygons > 1 && (
            <button type="button" onClick={() => void joinObjects(model)}>
              {t.join}
            </button>
          )}
          <button type="button" title="Ctrl Alt C" onClick={() => copyLook(model)}>
            {t.copyLook}
          </button>
          <button type="button" title="Ctrl Alt V" onClick={() => void pasteLook(model)}>
            {t.pasteLook}
          </button>
        </div>
      </div>
    </details>
  );
}
