/** The dialog before an artboard with objects gets another picture: what becomes of the objects, with a preview. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  type Choice,
  choices,
  countOutside,
  firstPairs,
  haveSameRatio,
  movedObjects,
  movementOf,
  type Pairs,
  type Plan,
  replacePicture,
  type Side,
  withPoint,
} from '../commands/replacement.ts';
import { texts } from '../console-texts.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import type { PictureAddress } from '../files/picture-uploads.ts';
import { lateTexts } from '../late-texts.ts';
import { isMirroring } from '../shapes/affine.ts';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';
import { PlanPreview } from './plan-preview.tsx';
import { PointPicker } from './point-picker.tsx';

interface Props {
  readonly model: EditorModel;
  readonly artboardId: string;
  readonly picture: PictureAddress;
}

export function ReplacePanel({ model, artboardId, picture: next }: Props) {
  const { store } = model.document;
  const choice = useSignal<Choice>('scale');
  const artboard = store.shown(artboardId);
  const former: Plan = {
    url: artboard?.['type'] === 'image' ? String(artboard['image_url']) : '',
    width: Math.max(1, Number(artboard?.['width'])),
    height: Math.max(1, Number(artboard?.['height'])),
  };
  const pairs = useSignal<Pairs>(firstPairs(former, next));
  const objects = store.members({ kind: 'object', artboardId });
  const found = movementOf(choice.value, former, next, pairs.value);
  const movement = 'onOneLine' in found ? undefined : found;
  const moved = movement === undefined ? [] : movedObjects(objects, movement);
  const outside = countOutside(moved, next);
  const close = () => {
    model.workspace.replacing.value = undefined;
  };
  const replace = async () => {
    if (artboard === undefined || movement === undefined) return;
    close();
    await model.document.edits.run(replacePicture(model.document.edits.begin(), artboardId, next, objects, movement));
    // Refused: the notice says why.
    if (store.stored(artboardId)?.['image_url'] !== next.url) return;
    model.workspace.pane.value = 'map';
    model.document.edits.notices.say(lateTexts.replace.replaced);
  };
  const t = lateTexts.replace;
  return (
    <Panel title={t.title} onClose={close}>
      <p>
        {t.sizes(former, next)} {haveSameRatio(former, next) ? t.sameRatio : t.otherRatio(former, next)}
      </p>
      <Choices
        choice={choice.value}
        hasPicture={former.url !== ''}
        onChoose={(each) => {
          choice.value = each;
        }}
      />
      <Points
        former={former}
        next={next}
        pairs={pairs.value}
        isShown={choice.value === 'align'}
        onChange={(changed) => {
          pairs.value = changed;
        }}
      >
        <figure class="point-picker">
          <figcaption>{t.preview}</figcaption>
          <PlanPreview former={former} next={next} movement={movement} objects={moved} />
        </figure>
      </Points>
      <div role="status">
        {'onOneLine' in found && <p class="problem">{t.onOneLine(found.onOneLine)}</p>}
        {movement !== undefined && isMirroring(movement) && <p class="warning-text">{t.mirrored}</p>}
        {outside > 0 && <p class="warning-text">{t.outside(outside)}</p>}
      </div>
      <div class="row end">
        <Button label={texts.cancel} onClick={close} />
        <Button label={t.replace} class="primary" disabled={movement === undefined} onClick={() => void replace()} />
      </div>
    </Panel>
  );
}

function Choices(props: { readonly choice: Choice; readonly hasPicture: boolean; readonly onChoose: (choice: Choice) => void }) {
  const t = lateTexts.replace;
  return (
    <fieldset class="replace-choices">
      <legend>{t.choice}</legend>
      {choices
        .filter((each) => each !== 'align' || props.hasPicture)
        .map((each) => (
          <label key={each}>
            <input type="radio" name="replace-choice" checked={each === props.choice} onChange={() => props.onChoose(each)} />
            <span>
              {t.choices[each]} <span class="hint">{t.choiceHints[each]}</span>
            </span>
          </label>
        ))}
    </fieldset>
  );
}

const zooms = [1, 2, 4] as const;

/** Both plans with their points, if they are shown, and the preview next to them. */
function Points(props: {
  readonly former: Plan;
  readonly next: Plan;
  readonly pairs: Pairs;
  readonly isShown: boolean;
  readonly onChange: (pairs: Pairs) => void;
  readonly children: ComponentChildren;
}) {
  const { pairs, isShown } = props;
  const active = useSignal(0);
  const zoom = useSignal<number>(1);
  /** The point that was moved last, for users of a screen reader. */
  const said = useSignal('');
  const t = lateTexts.replace;
  const picker = (side: Side) => (
    <PointPicker
      side={side}
      plan={props[side]}
      points={pairs[side]}
      active={active.value}
      zoom={zoom.value}
      onMove={(at, to) => {
        const changed = withPoint(pairs, side, at, to, props[side]);
        const { x, y } = changed[side][at as 0 | 1 | 2];
        said.value = t.pointOf(at + 1, side, x, y);
        props.onChange(changed);
      }}
      onActive={(at) => {
        active.value = at;
      }}
      onPlaced={() => {
        // First on the former plan, then on the new one, then the next point.
        if (side === 'next') active.value = (active.value + 1) % 3;
      }}
    />
  );
  return (
    <div class="point-pickers">
      {isShown && (
        <div class="row">
          <p class="grow-text">{t.align(active.value + 1)}</p>
          <fieldset class="row" aria-label={t.zoomLabel}>
            {zooms.map((times) => (
              <Button
                label={t.zoom(times)}
                key={times}
                aria-pressed={zoom.value === times}
                onClick={() => {
                  zoom.value = times;
                }}
              />
            ))}
          </fieldset>
        </div>
      )}
      <div class="both-plans">
        {isShown && picker('former')}
        {isShown && picker('next')}
        {props.children}
      </div>
      <p class="sr-only" role="status">
        {said.value}
      </p>
    </div>
  );
}
