/** The icon of an object: one of the sets, or a picture by its address. */
import { texts } from '../console-texts.ts';
import { IconSign } from '../icons/icon-sign.tsx';
import type { ControlProps } from './controls/control-props.ts';
import { TextField } from './controls/text-fields.tsx';

export function IconField(props: ControlProps) {
  const { model, value, isDisabled, onCommit } = props;
  return (
    <div class="icon-field">
      <IconSign address={String(value ?? '')} />
      <TextField {...props} />
      {!isDisabled && (
        <button
          type="button"
          onClick={() => {
            model.workspace.icons.value = (name) => onCommit(name, value);
          }}
        >
          {texts.forms.chooseIcon}
        </button>
      )}
    </div>
  );
}
