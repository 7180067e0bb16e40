/** How objects follow a list: which rows are which objects, their colour, text and popup, and objects without a row. */
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { sameJson } from '../../../lib/change/same-json.ts';
import { otherColour } from '../../../lib/draw/public-map.ts';
import { settingsOf } from '../document/whole-project.ts';
import type { EditorModel } from '../editor/editor-model.ts';
import { ColourInput } from '../forms/controls/colour-field.tsx';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Panel } from '../ui/panel.tsx';
import { Select } from '../ui/select.tsx';
import { ColourSection } from './colour-section.tsx';
import { cellOf, columnsOfRows, guessMatch, type ListColumn, matchRows, type PlacedObject, textOf } from './list-columns.ts';
import { type ListPlan, namesIn, type PopupRule } from './list-plan.ts';
import { MatchSection } from './match-section.tsx';
import type { FollowedList } from './read-lists.ts';
import { Choice, Section, type SectionProps } from './section.tsx';
import { showsAnyNames, writeList } from './write-list.ts';

export interface FollowListProps {
  readonly model: EditorModel;
  readonly sourceId: string;
  /** Keys of the list in the response, and its rows. */
  readonly list: readonly string[];
  readonly rows: readonly Members[];
  readonly before: FollowedList | undefined;
  readonly onClose: () => void;
}

export function FollowListPanel({ model, sourceId, list, rows, before, onClose }: FollowListProps) {
  const { store } = model.document;
  const t = lateTexts.followList;
  const columns = useMemo(() => columnsOfRows(rows), [rows]);
  const objects = useMemo(() => placedObjects(model), []);
  const first = useMemo(() => before?.plan ?? firstPlan(rows, columns, objects), []);
  const plan = useSignal<ListPlan>(first);
  /** Objects that a row without one has been given. */
  const fixes = useSignal<ReadonlyMap<string, Members>>(new Map());
  const isSaving = useSignal(false);
  const isAsked = useSignal(false);
  const onChange = (members: Partial<ListPlan>): void => {
    plan.value = { ...plan.value, ...members };
  };
  const save = async () => {
    isSaving.value = true;
    await writeList(plan.value, {
      source: { model, sourceId },
      list,
      before,
      fixes: fixes.value,
      columns: columns.map(({ name: each }) => each),
    });
    onClose();
  };
  const close = (): void => {
    const isChanged = !sameJson(plan.value, first) || fixes.value.size > 0;
    if (isChanged) isAsked.value = true;
    else onClose();
  };
  const fixed = objects.map((each) => ({ ...each, object: { ...each.object, ...fixes.value.get(each.object.id) } }));
  const found = matchRows(rows, fixed, plan.value.match);
  const section: SectionProps = { plan: plan.value, columns, onChange };
  const name = list.at(-1) ?? String(store.shown(sourceId)?.['name'] ?? '');
  return (
    <Panel title={t.title(name)} onClose={close}>
      <form
        class="follow-list"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <MatchSection {...section} {...{ model, found, objects, fixes }} count={rows.length} />
        <ColourSection {...section} />
        <TextSection {...section} rows={rows} makesNamesVisible={!showsAnyNames(settingsOf(store))} />
        <PopupSection {...section} />
        <OtherwiseSection {...section} count={found.unnamed} />
        <p class="row">
          <Button label={before === undefined ? t.follow : t.save} type="submit" class="primary" disabled={isSaving.value} />
        </p>
      </form>
      {isAsked.value && (
        <Confirm
          title={t.dropTitle}
          text={t.dropped}
          action={t.drop}
          onDecide={(yes) => {
            isAsked.value = false;
            if (yes) onClose();
          }}
        />
      )}
    </Panel>
  );
}

/** All objects of the project. */
function placedObjects({ document: { store } }: EditorModel): PlacedObject[] {
  return store
    .members({ kind: 'artboard' })
    .flatMap(({ id: artboardId }) => store.members({ kind: 'object', artboardId }).map((object) => ({ object, artboardId })));
}

/** Rows are matched by what fits best. */
function firstPlan(rows: readonly Members[], columns: readonly ListColumn[], objects: readonly PlacedObject[]): ListPlan {
  const match = guessMatch(rows, columns, objects);
  return { match, colour: { is: 'none' }, text: '', popup: undefined, otherwise: '' };
}

function TextSection(props: SectionProps & { readonly rows: readonly Members[]; readonly makesNamesVisible: boolean }) {
  const { plan, columns, onChange, rows } = props;
  const t = lateTexts.followList;
  const [row] = rows;
  const shown = filledIn(plan.text, row);
  const input = useRef<HTMLInputElement>(null);
  const unknown = namesIn(plan.text).filter((name) => !columns.some((each) => each.name === name));
  return (
    <Section title={t.text}>
      <input
        ref={input}
        type="text"
        aria-label={t.text}
        aria-describedby="follow-text-hint"
        value={plan.text}
        onInput={(event) => onChange({ text: event.currentTarget.value })}
      />
      <p class="row wrap">
        {columns.map(({ name }) => (
          <Button
            key={name}
            icon="plus"
            label={name}
            title={t.addColumn(name)}
            onClick={() => {
              onChange({ text: `${plan.text}{${name}}` });
              input.current?.focus();
            }}
          />
        ))}
      </p>
      {unknown.length > 0 && <p class="warning-text">{t.noColumns(unknown)}</p>}
      <p class="hint" id="follow-text-hint">
        {plan.text === '' ? t.noText : t.textOfFirst(shown)} {plan.text !== '' && props.makesNamesVisible && t.showsNames}
      </p>
    </Section>
  );
}

/** A text with the values of a row. */
const filledIn = (text: string, row: Members | undefined): string =>
  text.replace(/\{([^{}]+)\}/g, (_, column: string) => textOf(cellOf(row, column)) ?? '');

function PopupSection({ plan, columns, onChange }: SectionProps) {
  const t = lateTexts.followList;
  const { popup } = plan;
  const change = (members: Partial<PopupRule>): void => {
    const changed = { title: '', columns: [], ...popup, ...members };
    const isEmpty = changed.title === '' && changed.columns?.length === 0;
    onChange({ popup: isEmpty ? undefined : changed });
  };
  const chosen = popup === undefined ? [] : popup.columns;
  return (
    <Section title={t.popup}>
      <Choice
        word={t.popupTitle}
        value={popup?.title ?? ''}
        options={[['', t.none], ...columns.map(({ name }) => [name, name] as const)]}
        onChoose={(title) => change({ title })}
      />
      {chosen === undefined ? (
        <p class="hint">{t.popupKept}</p>
      ) : (
        <fieldset class="row wrap plain">
          <legend class="sr-only">{t.popupColumns}</legend>
          {columns.map(({ name }) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  change({ columns: checked ? [...chosen, name] : chosen.filter((each) => each !== name) })
                }
              />{' '}
              {name}
            </label>
          ))}
        </fieldset>
      )}
      <p class="hint">{t.popupHint}</p>
    </Section>
  );
}

function OtherwiseSection({ plan, onChange, count }: SectionProps & { readonly count: number }) {
  const t = lateTexts.followList;
  return (
    <Section title={t.otherwise}>
      <p class="row">
        <Select
          aria-label={t.otherwise}
          value={plan.otherwise === '' ? 'stay' : 'colour'}
          options={[
            ['stay', t.otherwiseStay],
            ['colour', t.otherwiseColour],
          ]}
          onChoose={(choice) => onChange({ otherwise: choice === 'stay' ? '' : otherColour })}
        />
        {plan.otherwise !== '' && (
          <ColourInput
            label={t.otherwise}
            value={plan.otherwise}
            isDisabled={false}
            onCommit={(otherwise) => onChange({ otherwise })}
          />
        )}
      </p>
      {plan.otherwise !== '' && <p class="hint">{t.otherwiseCount(count)}</p>}
    </Section>
  );
}
