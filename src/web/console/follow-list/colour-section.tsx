/** The colour of objects by a column: between two numbers, in steps, or one for each value. */
import { categoryColours, otherColour } from '../../../lib/draw/public-map.ts';
import { ColourInput } from '../forms/controls/colour-field.tsx';
import { replaced, without } from '../forms/list-fields.tsx';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icons.tsx';
import { PaletteGradient } from '../ui/palette-gradient.tsx';
import { Select } from '../ui/select.tsx';
import type { ListColumn } from './list-columns.ts';
import type { ColourRule, Step } from './list-plan.ts';
import { Section, type SectionProps } from './section.tsx';

/** From few to many. */
const scaleColours = ['#22c55e', '#eab308', '#dc2626'] as const;

type Shown = Exclude<ColourRule['is'], 'none' | 'kept'>;

/** A rule for a column to begin with. */
function newRule(is: Shown, { name, least, most, isWhole, values }: ListColumn): ColourRule {
  const from = Math.min(0, least);
  if (is === 'range') return { is, column: name, from, to: most > from ? most : from + 1, colours: [...scaleColours] };
  if (is === 'steps') {
    const third = (most - from) / scaleColours.length;
    const rounded = (value: number): number => (isWhole ? Math.ceil(value) : Number(value.toPrecision(2)));
    const all = scaleColours.map((colour, at): Step => ({ from: rounded(from + at * third), colour }));
    const steps = all.filter((step, at) => step.from !== all[at - 1]?.from);
    return { is, column: name, steps };
  }
  const colours = values.map((value, at) => ({ value, colour: categoryColours[at % categoryColours.length] ?? otherColour }));
  return { is, column: name, values: colours, other: otherColour };
}

export function ColourSection({ plan, columns, onChange }: SectionProps) {
  const t = lateTexts.followList;
  const { colour } = plan;
  const column = colour.is === 'none' || colour.is === 'kept' ? '' : colour.column;
  const begin = (is: Shown, name: string): void => {
    const found = columns.find((each) => each.name === name);
    if (found !== undefined) onChange({ colour: newRule(is, found) });
  };
  const chooseColumn = (name: string): void => {
    const isNumber = columns.find((each) => each.name === name)?.isNumber === true;
    if (name === '') onChange({ colour: { is: 'none' } });
    else if (name !== ' ') begin(isNumber ? 'range' : 'values', name);
  };
  const isNumber = columns.find(({ name }) => name === column)?.isNumber !== false;
  return (
    <Section title={t.colour}>
      <p class="row wrap">
        <Select
          aria-label={t.colourBy}
          value={colour.is === 'kept' ? ' ' : column}
          options={[
            ['', t.noColour],
            ...(colour.is === 'kept' ? ([[' ', t.colourKept]] as const) : []),
            ...columns.map(({ name }) => [name, t.by(name)] as const),
          ]}
          onChoose={chooseColumn}
        />
        {column !== '' && (
          <Select
            aria-label={t.scale}
            value={colour.is}
            options={(isNumber ? (['range', 'steps', 'values'] as const) : (['values'] as const)).map((is) => [is, t.scales[is]])}
            onChoose={(is) => begin(is as Shown, column)}
          />
        )}
      </p>
      {colour.is === 'range' && <Range rule={colour} onChange={(changed) => onChange({ colour: changed })} />}
      {colour.is === 'steps' && <Steps rule={colour} onChange={(changed) => onChange({ colour: changed })} />}
      {colour.is === 'values' && <Values rule={colour} onChange={(changed) => onChange({ colour: changed })} />}
      {(colour.is === 'steps' || colour.is === 'values') && <p class="hint">{t.becomesLegend}</p>}
    </Section>
  );
}

type Of<Is extends ColourRule['is']> = Extract<ColourRule, { readonly is: Is }>;
interface RuleProps<Is extends ColourRule['is']> {
  readonly rule: Of<Is>;
  readonly onChange: (rule: Of<Is>) => void;
}

function NumberInput(props: { readonly label: string; readonly value: number; readonly onChange: (value: number) => void }) {
  return (
    <input
      type="number"
      step="any"
      required
      aria-label={props.label}
      value={props.value}
      onChange={({ currentTarget: { valueAsNumber } }) => {
        if (Number.isFinite(valueAsNumber)) props.onChange(valueAsNumber);
      }}
    />
  );
}

function Range({ rule, onChange }: RuleProps<'range'>) {
  const t = lateTexts.followList;
  return (
    <>
      <p class="row wrap">
        <NumberInput label={t.from} value={rule.from} onChange={(from) => onChange({ ...rule, from })} />
        {rule.colours.map((colour, at) => (
          <ColourInput
            key={at}
            label={t.colourNumber(at + 1)}
            value={colour}
            isDisabled={false}
            onCommit={(next) => onChange({ ...rule, colours: replaced(rule.colours, at, next) })}
          />
        ))}
        <NumberInput label={t.to} value={rule.to} onChange={(to) => onChange({ ...rule, to })} />
      </p>
      <PaletteGradient colours={rule.colours} isSmooth from={rule.from} to={rule.to} />
    </>
  );
}

function Steps({ rule, onChange }: RuleProps<'steps'>) {
  const t = lateTexts.followList;
  const { steps } = rule;
  const change = (at: number, members: Partial<Step>): void =>
    onChange({ ...rule, steps: replaced(steps, at, { ...(steps[at] as Step), ...members }) });
  const last = steps.at(-1);
  return (
    <>
      <ul class="follow-colours">
        {steps.map(({ from, colour }, at) => (
          <li key={at} class="row">
            {at === 0 ? (
              <span class="hint">{t.below}</span>
            ) : (
              <NumberInput label={t.stepFrom(at + 1)} value={from} onChange={(value) => change(at, { from: value })} />
            )}
            <ColourInput
              label={t.colourNumber(at + 1)}
              value={colour}
              isDisabled={false}
              onCommit={(next) => change(at, { colour: next })}
            />
            {at > 0 && steps.length > 2 && (
              <IconButton
                icon="close"
                label={t.removeStep(from)}
                onClick={() => onChange({ ...rule, steps: without(steps, at) })}
              />
            )}
          </li>
        ))}
      </ul>
      <Button
        icon="plus"
        label={t.addStep}
        onClick={() => onChange({ ...rule, steps: [...steps, { from: (last?.from ?? 0) + 1, colour: nextColour(steps) }] })}
      />
    </>
  );
}

/** A colour that no step has. */
const nextColour = (steps: readonly Step[]): string =>
  categoryColours.find((colour) => steps.every((step) => step.colour !== colour)) ?? otherColour;

function Values({ rule, onChange }: RuleProps<'values'>) {
  const t = lateTexts.followList;
  const { values } = rule;
  return (
    <ul class="follow-colours">
      {values.map(({ value, colour }, at) => (
        <li key={value} class="row">
          <span class="grow">{value}</span>
          <ColourInput
            label={t.colourOfValue(value)}
            value={colour}
            isDisabled={false}
            onCommit={(next) => onChange({ ...rule, values: replaced(values, at, { value, colour: next }) })}
          />
          <IconButton
            icon="close"
            isDisabled={values.length === 1}
            label={t.removeValue(value)}
            onClick={() => onChange({ ...rule, values: without(values, at) })}
          />
        </li>
      ))}
      <li class="row">
        <span class="grow hint">{t.others}</span>
        <ColourInput
          label={t.colourOfOthers}
          value={rule.other}
          isDisabled={false}
          onCommit={(other) => onChange({ ...rule, other })}
        />
      </li>
    </ul>
  );
}
