/** The controls of one field: checkboxes of its values, or the ends of a range. */
import type { FieldKind } from '../../../../lib/draw/public-map.ts';
import type { MapField } from '../../drawing/map-document.ts';
import { shownValue } from '../details/field-format.ts';
import { make, setText } from '../dom.ts';
import { conditionIn, type FieldCondition, limitText } from '../filter/field-value.ts';
import { CheckList } from './check-list.ts';
import type { FieldFacet } from './facets.ts';
import type { PanelTexts } from './visitor-texts.ts';

/** Texts, links and the like are checkboxes only if there are few different ones. */
const textsMax = 30;

interface FieldControlsOptions {
  readonly field: MapField;
  onChange(condition: FieldCondition | undefined): void;
}

/** The content of the controls. */
export interface FieldControlsState {
  readonly facet: FieldFacet;
  readonly counts: ReadonlyMap<string, number>;
  readonly condition: FieldCondition | undefined;
  readonly texts: PanelTexts;
  readonly languages: readonly string[];
  compare(a: string, b: string): number;
  format(count: number): string;
}

export interface FieldControls {
  readonly element: HTMLElement;
  readonly field: MapField;
  readonly isRange: boolean;
  update(state: FieldControlsState): void;
}

/** True if a field has controls at all. */
export const hasControls = ({ kind, keys, limits }: FieldFacet): boolean =>
  keys === undefined ? limits !== undefined : keys.length > 0 && (isChosen(kind) || keys.length <= textsMax);

const isChosen = (kind: FieldKind): boolean => kind === 'choice' || kind === 'yes-no';

export const fieldControls = (options: FieldControlsOptions, { keys }: FieldFacet): FieldControls =>
  keys === undefined ? new RangeControls(options) : new ValueControls(options);

const group = (field: MapField, ...children: Node[]): HTMLElement =>
  make('fieldset', {}, make('legend', { textContent: field.label }), ...children);

interface Labelled {
  readonly key: string;
  readonly label: string;
}

class ValueControls implements FieldControls {
  readonly element: HTMLElement;
  readonly field: MapField;
  readonly isRange = false;
  readonly #checks: CheckList;
  #checked = new Set<string>();
  #sorted: readonly Labelled[] = [];
  #sortedFrom: readonly string[] | undefined;
  #languages: readonly string[] = [];

  constructor({ field, onChange }: FieldControlsOptions) {
    this.field = field;
    this.#checks = new CheckList({
      onToggle: (key, isChecked) => {
        const values = new Set(this.#checked);
        if (isChecked) values.add(key);
        else values.delete(key);
        onChange(values.size === 0 ? undefined : { kind: 'values', values });
      },
    });
    this.element = group(field, this.#checks.element);
  }

  update({ facet, counts, condition, texts, languages, compare, format }: FieldControlsState): void {
    this.#checked = new Set(condition?.kind === 'values' ? condition.values : []);
    const { kind } = this.field;
    const labelOf = (key: string): string => shownValue(kind, isBoolean(kind, key) ? key === 'true' : key, languages);
    // A value that an address or an earlier version of the map had can still be switched off.
    const more = [...this.#checked].filter((key) => !counts.has(key));
    const sorted = (keys: readonly string[]): Labelled[] =>
      keys.map((key) => ({ key, label: labelOf(key) })).sort((a, b) => compare(a.label, b.label));
    // Labels and their order take longer than counts, and stay while filters change.
    if (this.#sortedFrom !== facet.keys || this.#languages !== languages) this.#sorted = sorted(facet.keys ?? []);
    [this.#sortedFrom, this.#languages] = [facet.keys, languages];
    const items = [...sorted(more), ...this.#sorted].map((item) => ({
      ...item,
      count: counts.get(item.key) ?? 0,
      isChecked: this.#checked.has(item.key),
    }));
    this.#checks.show(kind === 'yes-no' ? items.sort((a, b) => order(b.key) - order(a.key)) : items, {
      name: this.field.label,
      texts,
      format,
    });
  }
}

/** The key of a boolean is that of a text: fields of other kinds may have either. */
const isBoolean = (kind: FieldKind, key: string): boolean => kind === 'yes-no' && (key === 'true' || key === 'false');
/** Yes comes before no, and both before other values. */
const order = (key: string): number => (key === 'true' ? 2 : key === 'false' ? 1 : 0);

class RangeControls implements FieldControls {
  readonly element: HTMLElement;
  readonly field: MapField;
  readonly isRange = true;
  readonly #least: HTMLInputElement;
  readonly #most: HTMLInputElement;
  readonly #leastName = make('span');
  readonly #mostName = make('span');

  constructor({ field, onChange }: FieldControlsOptions) {
    this.field = field;
    const change = (): void => onChange(conditionIn(field.kind, [[this.#least.value, this.#most.value].join('..')]));
    const input = (): HTMLInputElement =>
      make('input', {
        type: field.kind === 'date' ? 'date' : 'text',
        inputMode: 'decimal',
        autocomplete: 'off',
        oninput: change,
      });
    [this.#least, this.#most] = [input(), input()];
    const ends = make(
      'div',
      { className: 'range' },
      make('label', {}, this.#leastName, this.#least),
      make('label', {}, this.#mostName, this.#most),
    );
    this.element = group(field, ends);
  }

  update({ facet, condition, texts }: FieldControlsState): void {
    const { kind } = this.field;
    setText(this.#leastName, texts.least);
    setText(this.#mostName, texts.most);
    const { least, most } = condition?.kind === 'range' ? condition : { least: undefined, most: undefined };
    for (const [input, limit, bound] of [
      [this.#least, least, facet.limits?.[0]],
      [this.#most, most, facet.limits?.[1]],
    ] as const) {
      if (kind !== 'date' && bound !== undefined) input.placeholder = limitText(kind, bound);
      const typed = conditionIn(kind, [`${input.value}..`]);
      // A number that is being typed, such as "1." or "1.0", stays as it is.
      if ((typed?.kind === 'range' ? typed.least : undefined) !== limit)
        input.value = limit === undefined ? '' : limitText(kind, limit);
    }
  }
}
