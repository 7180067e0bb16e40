/** One style of an action: the present value stays, a value, or a variable. */

import { isPlain } from '../../../lib/change/value-parts.ts';
import { texts } from '../console-texts.ts';
import type { FormField } from '../kinds/form-field.ts';
import { fieldsOf, type Members } from '../kinds/resource-kinds.ts';
import { Select } from '../ui/select.tsx';
import type { ControlProps } from './controls/control-props.ts';
import { OpenField } from './controls/open-field.tsx';
import { ReferenceField } from './controls/reference-field.tsx';
import { SimpleControl } from './controls/simple-control.tsx';

const modes = ['current-value', 'custom', 'variable'] as const;
type Mode = (typeof modes)[number];

/** `style_stroke_color` changes the member `stroke_color` of objects. */
const objectFieldOf = (name: string): FormField =>
  fieldsOf('object').find((field) => `style_${field.name}` === name) ?? { name, kind: 'text', label: '', fallback: '' };

/** The mode of a style; `undefined` if the form does not know it. */
function modeOf(style: unknown): Mode | undefined {
  if (!isPlain(style)) return undefined;
  const { type = 'current-value' } = style;
  return modes.find((mode) => mode === type);
}

/** Whether a style changes something. */
export const isSet = (style: unknown): boolean => modeOf(style) !== 'current-value';

/** What the control of the property can show. */
function isShowable({ kind }: FormField, value: unknown): boolean {
  if (value === undefined) return true;
  if (kind === 'number') return typeof value === 'number' || (typeof value === 'string' && Number.isFinite(Number(value)));
  if (kind === 'flag') return typeof value === 'boolean';
  return typeof value === 'string';
}

export function StyleField(props: ControlProps) {
  const { field, value, onCommit } = props;
  const property = objectFieldOf(field.name);
  const mode = modeOf(value);
  const t = texts.actions;
  const style: Members = isPlain(value) ? value : {};
  const choose = (next: Mode) => {
    // Members that the form does not know stay.
    const { value: _, variable_id: __, ...rest } = style;
    const changed: Members = { name: property.name, ...rest, type: next };
    if (next === 'current-value') onCommit(changed, value);
    else if (next === 'variable') onCommit({ ...changed, variable_id: '' }, value);
    else onCommit({ ...changed, value: presentValue(props, property) }, value);
  };
  return (
    <OpenField
      control={props}
      isKnown={mode !== undefined && (mode !== 'custom' || isShowable(property, style['value']))}
      head={
        <Select<Mode | ''>
          id={props.controlId}
          disabled={props.isDisabled}
          value={mode ?? ''}
          options={[
            ...(mode === undefined ? [['', t.otherMode] as const] : []),
            ...modes.map((each) => [each, t.modes[each]] as const),
          ]}
          onChoose={(next) => next !== '' && choose(next)}
        />
      }
    >
      {(mode === 'custom' || mode === 'variable') && <StyleValue {...props} mode={mode} style={style} property={property} />}
    </OpenField>
  );
}

/** The value, or the variable, that the property gets. */
function StyleValue(
  props: ControlProps & {
    readonly mode: 'custom' | 'variable';
    readonly style: Members;
    readonly property: FormField;
  },
) {
  const { model, target, field, label, controlId, isDisabled, mode, style, property, onCommit } = props;
  const valueLabel = texts.actions.valueOf(label);
  const valueId = `${controlId}-value`;
  const common = { model, target, label: valueLabel, controlId: valueId, describedBy: undefined, isDisabled, isInvalid: false };
  return (
    <div class="open-body">
      {!(mode === 'custom' && property.kind === 'flag') && (
        <label class="sr-only" for={valueId}>
          {valueLabel}
        </label>
      )}
      {mode === 'custom' ? (
        <SimpleControl
          {...common}
          field={{ ...property, name: `${field.name}.value` }}
          value={style['value'] ?? property.fallback}
          onCommit={(next, base) => onCommit({ ...style, value: next }, { ...style, value: base })}
        />
      ) : (
        <ReferenceField
          {...common}
          field={variableField}
          value={style['variable_id'] ?? ''}
          onCommit={(next, base) => onCommit({ ...style, variable_id: next }, { ...style, variable_id: base })}
        />
      )}
    </div>
  );
}

/** A reference to a variable, wherever it is stored. */
export const variableField: FormField = {
  name: 'variable_id',
  kind: 'reference',
  label: '',
  fallback: '',
  target: 'variables',
};

/** What the object of an action that changes one has now: the value that a user starts from. */
function presentValue({ model, target }: ControlProps, { name, fallback }: FormField): unknown {
  const action = model.document.store.shown(target.id);
  const object = action?.['type'] === 'modify-object' ? model.document.store.shown(String(action['object_id'])) : undefined;
  return object?.[name] ?? fallback;
}
