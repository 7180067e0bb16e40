/** The conditions of an action as rows: a variable, an operator, a value or another variable, and whether it holds now. */
import { operatorOf, operators } from '../../../live/evaluate/values/comparison.ts';
import { texts } from '../console-texts.ts';
import type { Members } from '../kinds/resource-kinds.ts';
import type { Truth } from '../kinds/truth.ts';
import { type Condition, PresentValues, readConditions, takesValue, truthOf } from '../live/condition-truth.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import type { ControlProps } from './controls/control-props.ts';
import { OpenField } from './controls/open-field.tsx';
import { ReferenceField } from './controls/reference-field.tsx';
import { Cell, RemoveButton, replaced, without } from './list-fields.tsx';
import { variableField } from './style-field.tsx';

/** A typed text as it is stored: a number in JSON's form as a number. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const typedValue = (text: string): string | number => (jsonNumber.test(text) ? Number(text) : text);

export function ConditionsField(props: ControlProps) {
  const { value, isDisabled, onCommit, model, target } = props;
  const conditions = readConditions(value);
  const list = Array.isArray(value) ? (value as readonly Members[]) : [];
  const t = texts.actions;
  const { store, live } = model.document;
  const values = new PresentValues(store, live.evaluation.value);
  const action = store.shown(target.id);
  return (
    <OpenField control={props} isKnown={conditions !== undefined}>
      <div class="rows">
        {(conditions ?? []).map((condition, at) => (
          <ConditionRow
            key={at}
            control={props}
            list={list}
            at={at}
            condition={condition}
            truth={truthOf(values, action, [condition])}
          />
        ))}
        {list.length === 0 && <p class="hint">{t.always}</p>}
        {list.length > 1 && <p class="truth">{t.runs(truthOf(values, action, conditions ?? []))}</p>}
        {!isDisabled && (
          <Button
            icon="plus"
            label={t.addCondition}
            onClick={() => onCommit([...list, { variable_id: '', operator: operators[0], value: '' }], value)}
          />
        )}
      </div>
    </OpenField>
  );
}

interface RowProps {
  readonly control: ControlProps;
  readonly list: readonly Members[];
  readonly at: number;
  readonly condition: Condition;
}

function ConditionRow(props: RowProps & { readonly truth: Truth }) {
  const { control, list, at, condition, truth } = props;
  const { isDisabled, onCommit } = control;
  const n = at + 1;
  const id = `${control.controlId}-${n}-variable`;
  const t = texts.actions;
  const operator = operatorOf(condition.operator);
  const change = (members: Members) => onCommit(replaced(list, at, { ...list[at], ...members }), list);
  return (
    <fieldset class="condition">
      <legend class="sr-only">{t.condition(n)}</legend>
      <div class="row-edit">
        <label class="sr-only" for={id}>
          {t.conditionVariable(n)}
        </label>
        <VariableSelect control={control} id={id} list={list} at={at} member="variable_id" />
        {!isDisabled && <RemoveButton n={n} onClick={() => onCommit(without(list, at), list)} />}
      </div>
      <div class="row-edit wraps">
        <OperatorChoice
          label={t.conditionOperator(n)}
          stored={condition.operator}
          isDisabled={isDisabled}
          isInvalid={operator === undefined}
          onChoose={(chosen) => change({ operator: chosen })}
        />
        {takesValue(operator) && <Comparison {...props} />}
      </div>
      <p class={`truth ${truth.is}`}>{t.truth(truth)}</p>
    </fieldset>
  );
}

/** The operator of a condition or of a filter; one that the console does not know stays in the list. */
export function OperatorChoice(props: {
  readonly label: string;
  readonly stored: string;
  readonly isDisabled: boolean;
  readonly isInvalid?: boolean;
  readonly onChoose: (operator: string) => void;
}) {
  const { stored } = props;
  const known = operatorOf(stored);
  const names: Readonly<Record<string, string>> = texts.actions.operators;
  return (
    <Select<string>
      aria-label={props.label}
      disabled={props.isDisabled}
      aria-invalid={props.isInvalid}
      value={known ?? stored}
      options={[
        ...(known === undefined ? [[stored, stored] as const] : []),
        ...operators.map((each) => [each, names[each] ?? each] as const),
      ]}
      onChoose={props.onChoose}
    />
  );
}

/** The value, or the variable, with which the variable of the condition is compared. */
function Comparison({ control, list, at, condition }: RowProps) {
  const { isDisabled, onCommit } = control;
  const isVariable = condition.valueVariableId !== undefined;
  const n = at + 1;
  const id = `${control.controlId}-${n}-other`;
  const t = texts.actions;
  const switchTo = (source: string) => {
    const { value: _, value_variable_id: __, ...rest } = list[at] ?? {};
    onCommit(replaced(list, at, { ...rest, ...(source === 'variable' ? { value_variable_id: '' } : { value: '' }) }), list);
  };
  return (
    <>
      <Select
        aria-label={t.comparedWith(n)}
        disabled={isDisabled}
        value={isVariable ? 'variable' : 'custom'}
        options={(['custom', 'variable'] as const).map((each) => [each, t.modes[each]])}
        onChoose={switchTo}
      />
      {isVariable ? (
        <>
          <label class="sr-only" for={id}>
            {t.conditionOther(n)}
          </label>
          <VariableSelect control={control} id={id} list={list} at={at} member="value_variable_id" />
        </>
      ) : (
        <Cell
          label={t.conditionValue(n)}
          list={list}
          textOf={(each) => String(each[at]?.['value'] ?? '')}
          isDisabled={isDisabled}
          onCommit={(text, base) => onCommit(replaced(base, at, { ...base[at], value: typedValue(text) }), base)}
        />
      )}
    </>
  );
}

/** A member of a row that names a variable. */
function VariableSelect(props: Omit<RowProps, 'condition'> & { readonly id: string; readonly member: string }) {
  const { control, list, at, member } = props;
  return (
    <ReferenceField
      {...control}
      field={variableField}
      value={list[at]?.[member] ?? ''}
      controlId={props.id}
      describedBy={undefined}
      isInvalid={false}
      onCommit={(next) => control.onCommit(replaced(list, at, { ...list[at], [member]: next }), list)}
    />
  );
}
