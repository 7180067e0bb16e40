/** References to other resources of the project: a list to choose from, searched where it is long. */
import { useSignal } from '@preact/signals';
import { texts } from '../../console-texts.ts';
import type { FormField } from '../../kinds/form-field.ts';
import { kindOf, type Resource } from '../../kinds/resource-kinds.ts';
import { Icon } from '../../ui/icons.tsx';
import { Doubt } from '../../ui/problem.tsx';
import { Select } from '../../ui/select.tsx';
import { type ControlProps, controlAttributes, type FormDocument, mixedText } from './control-props.ts';
import { targetDoubt } from './doubts.ts';
import { TargetBox } from './targets/target-box.tsx';
import { type TargetName, targetNames } from './targets/target-names.ts';

/** Up to this number of targets, a list of the browser shows them. */
const listedMax = 100;

/** The resources that a member may refer to; objects of all artboards. */
function targetsOf({ store, artboards }: FormDocument, { target }: FormField): Resource[] {
  if (target === undefined) return [];
  if (target === 'objects') {
    return artboards.value.flatMap(({ id }) => {
      store.revision({ kind: 'object', artboardId: id }).value;
      return store.members({ kind: 'object', artboardId: id });
    });
  }
  store.revision({ kind: kindOf[target] }).value;
  return store.members({ kind: kindOf[target] });
}

const nameOf = (resource: Resource): string => String(resource['name'] || resource['title'] || texts.unnamed);

/** What the list calls the targets of a member. */
const namesIn = (document: FormDocument, targets: readonly Resource[]): readonly TargetName[] =>
  targetNames(targets, (id) => {
    const artboardId = document.store.refOf(id)?.artboardId;
    const artboard = artboardId === undefined ? undefined : document.store.shown(artboardId);
    return artboard === undefined ? '' : nameOf(artboard);
  });

/** The name of a target, or that it is missing. */
function shownName(document: FormDocument, id: string, names: readonly TargetName[]): string {
  if (id === '') return texts.forms.none;
  const listed = names.find((each) => each.id === id);
  if (listed !== undefined) return listed.name;
  const found = document.store.shown(id);
  return found === undefined ? texts.forms.missing(id) : nameOf(found);
}

export function ReferenceField(props: ControlProps) {
  const { model, target, field, value, isInvalid, isDisabled, isMixed, onCommit } = props;
  const targets = namesIn(model.document, targetsOf(model.document, field));
  const id = String(value ?? '');
  if (targets.length > listedMax)
    return (
      <Search
        {...props}
        targets={[{ id: '', name: texts.forms.none, colour: '' }, ...targets]}
        shown={mixedText(props) ?? shownName(model.document, id, targets)}
        onChoose={(chosen) => onCommit(chosen, value)}
      />
    );
  const isMissing = id !== '' && !targets.some((each) => each.id === id);
  return (
    <>
      <Select
        {...controlAttributes(props)}
        aria-invalid={isInvalid || isMissing}
        disabled={isDisabled}
        value={id}
        placeholder={mixedText(props)}
        options={[
          ['', texts.forms.none],
          ...(isMissing ? [[id, texts.forms.missing(id)] as const] : []),
          ...targets.map((each) => [each.id, each.name] as const),
        ]}
        onChoose={(chosen) => onCommit(chosen, value)}
      />
      <Doubt text={isMixed === true ? '' : targetDoubt(target.kind, field.name, id)} />
    </>
  );
}

export function ReferencesField(props: ControlProps) {
  const { model, field, value, isDisabled, onCommit } = props;
  const ids = (Array.isArray(value) ? value : []) as readonly string[];
  const chosen = new Set(ids);
  const names = namesIn(model.document, targetsOf(model.document, field));
  return (
    <div class="rows">
      {ids.map((id) => (
        <div class="row-edit" key={id}>
          <span>{shownName(model.document, id, names)}</span>
          {!isDisabled && (
            <button
              type="button"
              class="quiet"
              aria-label={`${texts.remove} ${shownName(model.document, id, names)}`}
              onClick={() =>
                onCommit(
                  ids.filter((each) => each !== id),
                  value,
                )
              }
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      {!isDisabled && (
        <Search
          {...props}
          targets={names.filter(({ id }) => !chosen.has(id))}
          shown=""
          isInGroup
          onChoose={(id) => onCommit([...ids, id], value)}
        />
      )}
    </div>
  );
}

function Search(
  props: Pick<ControlProps, 'label' | 'controlId' | 'describedBy' | 'isDisabled'> & {
    readonly targets: readonly TargetName[];
    readonly shown: string;
    /** True if its label belongs to a group of controls. */
    readonly isInGroup?: boolean;
    readonly onChoose: (id: string) => void;
  },
) {
  const query = useSignal<string | undefined>(undefined);
  return (
    <TargetBox
      input={{
        id: props.controlId,
        'aria-label': props.isInGroup === true ? props.label : undefined,
        'aria-describedby': props.describedBy,
        placeholder: texts.forms.searchTarget,
        readOnly: props.isDisabled,
        value: query.value ?? props.shown,
      }}
      label={props.label}
      targets={props.targets}
      query={query.value}
      first={0}
      onQuery={(text) => {
        query.value = text;
      }}
      onChoose={props.onChoose}
    />
  );
}
