/** A member that may hold any JSON: a form for what the console knows of it, and its JSON beside it. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { texts } from '../../console-texts.ts';
import { IconButton } from '../../ui/icons.tsx';
import { isUnfinished } from '../../ui/use-draft.ts';
import type { ControlProps } from './control-props.ts';
import { JsonField } from './text-fields.tsx';

/**
 * @param isKnown whether the form shows all of the value that has an effect; otherwise only its JSON is offered
 * @param head stands in front of the switch
 */
export function OpenField(props: {
  readonly control: ControlProps;
  readonly isKnown: boolean;
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { control, isKnown } = props;
  // A text that is no JSON yet is still there when the form appears again.
  const wantsJson = useSignal(isUnfinished(control.target.id, control.field.name));
  const isJson = wantsJson.value || !isKnown;
  const jsonId = `${control.controlId}-json`;
  const t = texts.forms;
  return (
    <>
      <div class="open-head">
        {props.head}
        <IconButton
          icon="json"
          label={t.jsonOf(control.label)}
          aria-pressed={isJson}
          isDisabled={!isKnown}
          onClick={() => {
            wantsJson.value = !isJson;
          }}
        />
      </div>
      {isJson ? (
        <div class="open-body">
          {!isKnown && <p class="hint">{t.unknownJson}</p>}
          <label class="sr-only" for={jsonId}>
            {t.jsonOf(control.label)}
          </label>
          <JsonField {...control} controlId={jsonId} />
        </div>
      ) : (
        props.children
      )}
    </>
  );
}
