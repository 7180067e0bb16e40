/** Controls of one value, as they are in a field, and for a part of a larger value. */
import { texts } from '../../console-texts.ts';
import { BlendField } from './blend-field.tsx';
import { blendGroups } from './blend-groups.ts';
import { ColourField } from './colour-field.tsx';
import { type ControlProps, controlAttributes } from './control-props.ts';
import { choiceOf } from './field-texts.ts';
import { ReferenceField } from './reference-field.tsx';
import { NumberField, TextField } from './text-fields.tsx';

export function SimpleControl(props: ControlProps) {
  switch (props.field.kind) {
    case 'flag':
      return <FlagField {...props} />;
    case 'choice':
      return props.field.name === 'blend_mode' ? <BlendField {...props} /> : <ChoiceField {...props} />;
    case 'number':
      return <NumberField {...props} />;
    case 'colour':
      return <ColourField {...props} />;
    case 'reference':
      return <ReferenceField {...props} />;
    default:
      return <TextField {...props} />;
  }
}

function FlagField({ value, label, controlId, describedBy, isDisabled, isMixed, onCommit }: ControlProps) {
  return (
    <label class="check" for={controlId}>
      <input
        id={controlId}
        type="checkbox"
        checked={value === true}
        indeterminate={isMixed === true}
        disabled={isDisabled}
        aria-describedby={describedBy}
        onChange={(event) => onCommit(event.currentTarget.checked, value)}
      />
      {label}
    </label>
  );
}

function ChoiceField(props: ControlProps) {
  const { target, field, value, isDisabled, isMixed, onCommit } = props;
  const choices = Object.keys(field.choices ?? {});
  const options = (list: readonly string[]) =>
    list.map((choice) => (
      <option key={choice} value={choice} selected={choice === value}>
        {choiceOf(target.kind, field.name, choice)}
      </option>
    ));
  const shown = isMixed === true || choices.includes(String(value)) ? choices : [String(value), ...choices];
  return (
    <select
      {...controlAttributes(props)}
      disabled={isDisabled}
      value={isMixed === true ? '' : String(value)}
      onChange={(event) => onCommit(event.currentTarget.value, value)}
    >
      {isMixed === true && (
        <option value="" selected disabled>
          {texts.several.values}
        </option>
      )}
      {/blend_mode/.test(field.name)
        ? Object.entries(blendGroups).map(([group, list]) => (
            <optgroup key={group} label={texts.choiceGroups[group as keyof typeof blendGroups]}>
              {options(list)}
            </optgroup>
          ))
        : options(shown)}
    </select>
  );
}
