/** One member of a resource: label, control, explanation, error. */
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { texts } from '../console-texts.ts';
import type { FieldKind } from '../kinds/form-field.ts';
import { Button } from '../ui/button.tsx';
import { CategoryField } from './category-field.tsx';
import { ConditionsField } from './conditions-field.tsx';
import type { ControlProps } from './controls/control-props.ts';
import { ReferencesField } from './controls/reference-field.tsx';
import { SimpleControl } from './controls/simple-control.tsx';
import { JsonField } from './controls/text-fields.tsx';
import { IconField } from './icon-field.tsx';
import { LinkField } from './link-field.tsx';
import { ColoursField, CornersField, RowsField } from './list-fields.tsx';
import { PathField } from './path-field.tsx';
import { PictureField } from './picture-field.tsx';
import { PropertiesField } from './properties-field.tsx';
import { StyleField } from './style-field.tsx';
import { TemplateField } from './template-field.tsx';
import { TilesField } from './tiles-field.tsx';

interface Props
  extends Pick<ControlProps, 'model' | 'target' | 'field' | 'value' | 'isMixed' | 'onCommit'>,
    Partial<Pick<ControlProps, 'isDisabled'>> {
  readonly isUnsaved: boolean;
  /** Why the server refused its value; '' if it did not. */
  readonly error?: string;
  /** What the newest evaluation says about it. */
  readonly liveProblem?: string;
  readonly onDiscard?: () => void;
}

/** The editors of members that have a special one, by the name that the schema gives it or its type has. */
const editors: Readonly<Partial<Record<FieldKind, FunctionComponent<ControlProps>>>> = {
  colours: ColoursField,
  references: ReferencesField,
  corners: CornersField,
  rows: RowsField,
  path: PathField,
  expression: TemplateField,
  template: TemplateField,
  json: JsonField,
  picture: PictureField,
  link: LinkField,
  conditions: ConditionsField,
  style: StyleField,
  category: CategoryField,
  'map-icon': IconField,
  properties: PropertiesField,
  tiles: TilesField,
};

/** Editors that are not one control: their label is the name of a group. */
const groups: ReadonlySet<FieldKind> = new Set(['rows', 'corners', 'colours', 'references', 'conditions', 'path', 'properties']);

export function Field({ error = '', liveProblem = '', isUnsaved, onDiscard, ...props }: Props) {
  const { field, model, isDisabled = !model.document.canWrite } = props;
  const isFocused = model.workspace.focusField.value === field.name;
  const box = useRef<HTMLDivElement>(null);
  const { label, hint = '' } = field;
  const controlId = `field-${field.name}`;
  const [hintId, errorId, liveId] = [`${controlId}-hint`, `${controlId}-error`, `${controlId}-live`];
  useLayoutEffect(() => {
    if (!isFocused) return;
    const section = box.current?.closest('details');
    for (let each = section; each != null; each = each.parentElement?.closest('details')) each.open = true;
    const inside = [...(box.current?.querySelectorAll<HTMLElement>('input, textarea, select, button') ?? [])];
    const inSection = inside.filter((each) => each.closest('details') === section);
    const control = inside.find(({ id }) => id === controlId) ?? inSection[0] ?? inside[0];
    control?.focus();
    if (control instanceof HTMLInputElement && control.type === 'text') control.select();
    model.workspace.focusField.value = '';
  }, [isFocused]);
  const control: ControlProps = {
    ...props,
    isDisabled,
    label,
    controlId,
    describedBy:
      [...(hint === '' ? [] : [hintId]), ...(error === '' ? [] : [errorId]), ...(liveProblem === '' ? [] : [liveId])].join(' ') ||
      undefined,
    isInvalid: error !== '',
  };
  const isGroup = groups.has(field.kind);
  const Editor = editors[field.kind] ?? SimpleControl;
  const name = (
    <>
      {label}
      {isUnsaved && error === '' && <span class="unsaved" title={texts.editor.unsaved} />}
    </>
  );
  return (
    <div
      ref={box}
      class={`field ${field.kind} ${error === '' ? '' : 'invalid'}`}
      {...(isGroup ? { role: 'group', 'aria-labelledby': `${controlId}-label` } : {})}
    >
      {field.kind !== 'flag' &&
        (isGroup ? (
          <span class="label" id={`${controlId}-label`}>
            {name}
          </span>
        ) : (
          <label for={controlId}>{name}</label>
        ))}
      <Editor {...control} />
      {hint !== '' && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      {liveProblem !== '' && (
        <p class="warning-text" id={liveId}>
          {liveProblem}
        </p>
      )}
      {error !== '' && (
        <p class="problem" id={errorId} role="alert">
          {error} <Button label={texts.saving.discard} class="link" onClick={onDiscard} />
        </p>
      )}
    </div>
  );
}
