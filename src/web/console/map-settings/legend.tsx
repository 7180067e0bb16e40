/** Names of objects on the map, and a legend of the colours: settings of the project. */
import { useSignal } from '@preact/signals';
import type { ComponentProps } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hexOf, parseColour } from '../../../lib/draw/css-colour.ts';
import { settingsOf } from '../document/whole-project.ts';
import type { ProjectDocument } from '../editor/project-document.ts';
import { ColourInput, Palette } from '../forms/controls/colour-field.tsx';
import { Cell, RemoveButton, replaced, without } from '../forms/list-fields.tsx';
import type { Members } from '../kinds/resource-kinds.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';

interface LegendRow {
  readonly color: string;
  readonly name: string;
}

const labelModes = ['none', 'auto', 'all'] as const;
/** Colours of new entries after those of the project. */
const otherColours = ['#3b82f6', '#dc2626', '#16a34a', '#f59e0b', '#7c3aed', '#64748b'] as const;

/** The first colour that the legend does not have. */
function nextColour(legend: readonly LegendRow[], ofProject: readonly string[]): string {
  const hex = (colour: string): string => hexOf(parseColour(colour)?.rgb ?? [0, 0, 0]);
  const used = new Set(legend.map(({ color }) => hex(color)));
  return [...ofProject, ...otherColours].find((colour) => !used.has(hex(colour))) ?? otherColours[0];
}

export function NamesAndLegend({ document }: { readonly document: ProjectDocument }) {
  const { store, edits } = document;
  store.revision('project').value;
  const settings = settingsOf(store);
  const isDisabled = !edits.canWrite;
  const t = lateTexts.mapSettings;
  const change = (members: Members) => edits.change(store.id, { settings: { ...settings, ...members } });
  return (
    <>
      <h3>{t.onTheMap}</h3>
      <label for="map-labels">{t.labels}</label>
      <Select
        id="map-labels"
        disabled={isDisabled}
        value={String(settings['labels'] ?? 'none')}
        options={labelModes.map((mode) => [mode, t.labelModes[mode]])}
        onChoose={(labels) => change({ labels })}
      />
      <Legend
        document={document}
        legend={(Array.isArray(settings['legend']) ? settings['legend'] : []) as readonly LegendRow[]}
        onChange={(legend) => change({ legend })}
      />
    </>
  );
}

function Legend(props: {
  readonly document: ProjectDocument;
  readonly legend: readonly LegendRow[];
  readonly onChange: (legend: readonly LegendRow[]) => void;
}) {
  const { document, legend, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  /** The row whose colour the palette changes. */
  const active = useSignal(0);
  const isAdding = useRef(false);
  useLayoutEffect(() => {
    if (isAdding.current) list.current?.querySelector<HTMLInputElement>('li:last-child > input')?.focus();
    isAdding.current = false;
  }, [legend.length]);
  const t = lateTexts.mapSettings;
  const isDisabled = !document.canWrite;
  const at = Math.min(active.value, legend.length - 1);
  const colour = (row: number, color: string) => onChange(replaced(legend, row, { ...(legend[row] as LegendRow), color }));
  return (
    <>
      <h4 id="legend-title">{t.legend}</h4>
      <ul ref={list} class="legend-rows" aria-labelledby="legend-title">
        {legend.map((_, row) => (
          <LegendEntry
            key={row}
            {...{ legend, row, isDisabled, onChange }}
            onColour={(text) => colour(row, text)}
            onActive={() => {
              active.value = row;
            }}
          />
        ))}
      </ul>
      {!isDisabled && at >= 0 && (
        <LegendPalette
          label={t.legendPalette(at + 1)}
          colours={document.looks.colours.value}
          value={legend[at]?.color}
          onChoose={(color) => colour(at, color)}
        />
      )}
      {!isDisabled && (
        <p>
          <Button
            label={t.addToLegend}
            onClick={() => {
              isAdding.current = true;
              active.value = legend.length;
              onChange([...legend, { color: nextColour(legend, document.looks.colours.value), name: '' }]);
            }}
          />
        </p>
      )}
    </>
  );
}

function LegendEntry(props: {
  readonly legend: readonly LegendRow[];
  readonly row: number;
  readonly isDisabled: boolean;
  readonly onChange: (legend: readonly LegendRow[]) => void;
  readonly onColour: (colour: string) => void;
  /** The focus has come to the row. */
  readonly onActive: () => void;
}) {
  const { legend, row, isDisabled, onChange } = props;
  const t = lateTexts.mapSettings;
  return (
    <li onFocusIn={props.onActive}>
      <ColourInput
        label={t.legendColour(row + 1)}
        value={legend[row]?.color ?? ''}
        isDisabled={isDisabled}
        onCommit={props.onColour}
      />
      <Cell
        label={t.legendName(row + 1)}
        list={legend}
        textOf={(rows) => rows[row]?.name ?? ''}
        isDisabled={isDisabled}
        onCommit={(name, base) => onChange(replaced(base, row, { ...(base[row] as LegendRow), name }))}
      />
      {!isDisabled && <RemoveButton n={row + 1} onClick={() => onChange(without(legend, row))} />}
    </li>
  );
}

/** Colours of the project, for one row. */
function LegendPalette(props: ComponentProps<typeof Palette>) {
  if (props.colours.length === 0) return null;
  return (
    <div>
      <span class="hint">{props.label}</span>
      <Palette {...props} />
    </div>
  );
}
