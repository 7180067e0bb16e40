/** What visitors see besides the objects: their names on the map, and a legend of the colours. Both are settings of the project. */
import type { EditorModel } from '../editor/editor-model.ts';
import { ColourInput } from '../forms/colour-field.tsx';
import { Cell, RemoveButton, replaced, without } from '../forms/list-fields.tsx';
import { lateTexts } from '../late-texts.ts';
import { isPlain } from '../project/resource-kinds.ts';

interface LegendRow {
  readonly color: string;
  readonly name: string;
}

const labelModes = ['none', 'auto', 'all'] as const;
const newColour = '#3b82f6';

/** @param onChange called after each change */
export function MapSettings({ model, onChange }: { readonly model: EditorModel; readonly onChange: () => void }) {
  const { store, edits } = model;
  store.revision('project').value;
  const given = store.shown(store.id)?.['settings'];
  const settings = isPlain(given) ? given : {};
  const legend = (Array.isArray(settings['legend']) ? settings['legend'] : []) as readonly LegendRow[];
  const isDisabled = !edits.canWrite;
  const t = lateTexts.publish;
  const change = (members: Readonly<Record<string, unknown>>) => {
    edits.change(store.id, { settings: { ...settings, ...members } });
    onChange();
  };
  return (
    <>
      <h3>{t.onTheMap}</h3>
      <label for="map-labels">{t.labels}</label>
      <select
        id="map-labels"
        disabled={isDisabled}
        value={String(settings['labels'] ?? 'none')}
        onChange={(event) => change({ labels: event.currentTarget.value })}
      >
        {labelModes.map((mode) => (
          <option key={mode} value={mode} selected={mode === (settings['labels'] ?? 'none')}>
            {t.labelModes[mode]}
          </option>
        ))}
      </select>
      <h4>{t.legend}</h4>
      {legend.map(({ color }, at) => (
        <div class="row-edit" key={at}>
          <ColourInput
            label={t.legendColour(at + 1)}
            value={color}
            isDisabled={isDisabled}
            onCommit={(text) => change({ legend: replaced(legend, at, { ...(legend[at] as LegendRow), color: text }) })}
          />
          <Cell
            label={t.legendName(at + 1)}
            list={legend}
            textOf={(list) => list[at]?.name ?? ''}
            isDisabled={isDisabled}
            onCommit={(name, base) => change({ legend: replaced(base, at, { ...(base[at] as LegendRow), name }) })}
          />
          {!isDisabled && <RemoveButton n={at + 1} onClick={() => change({ legend: without(legend, at) })} />}
        </div>
      ))}
      {!isDisabled && (
        <p>
          <button type="button" onClick={() => change({ legend: [...legend, { color: newColour, name: '' }] })}>
            {t.addToLegend}
          </button>
        </p>
      )}
    </>
  );
}
