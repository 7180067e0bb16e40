/** Decisions about the whole file: its layer and encoding, where it goes, swapped axes, and what becomes of objects that it no longer has. */
import type { Conversion } from '../../convert/converter.ts';
import { lateTexts } from '../late-texts.ts';
import { Button } from '../ui/button.tsx';
import { Choice, ColumnChoice } from './import-controls.tsx';
import type { ImportModel } from './import-model.ts';

interface Props {
  readonly run: ImportModel;
  readonly conversion: Conversion;
}

/** Encodings of spreadsheets, in the order in which they are more frequent; the converter knows others. */
const encodings = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'macintosh',
  'koi8-r',
  'shift_jis',
  'gbk',
  'big5',
  'euc-kr',
] as const;

/** The layer of a file with several, and the encoding of a CSV, which does not say it. Both may make a refused file readable. */
export function FileChoices({ run }: { readonly run: ImportModel }) {
  const t = lateTexts.imports;
  const conversion = run.conversion.value;
  const failure = conversion === undefined ? run.failure.value : undefined;
  const { layer, encoding } = run.choices.value;
  const layers = failure?.layers?.names ?? conversion?.layers ?? [];
  // Only tables are refused with columns or layers, and only spreadsheets have layers.
  const isSpreadsheet = conversion?.format === 'xlsx' || failure?.layers !== undefined;
  const isText = conversion?.format === 'csv' || (!isSpreadsheet && (failure !== undefined || encoding !== undefined));
  return (
    <>
      {layers.length > 1 && (
        <ColumnChoice
          label={isSpreadsheet ? t.sheet : t.layer}
          columns={layers}
          value={layer ?? failure?.layers?.chosen ?? conversion?.layer}
          isRequired
          onChoose={(chosen) => run.readAs({ layer: chosen })}
        />
      )}
      {isText && (
        <Choice
          label={t.encoding}
          value={encoding ?? ''}
          choices={[['', t.encodings.recognized], ...encodings.map((name) => [name, t.encodings[name]] as const)]}
          onChoose={(chosen) => run.readAs({ encoding: chosen === '' ? undefined : chosen })}
        />
      )}
    </>
  );
}

/** The warning that the axes seem to be swapped, with its remedy. */
export function SwapChoice({ run, conversion }: Props) {
  const t = lateTexts.imports;
  const { swapAxes } = run.choices.value;
  if (conversion.report.warning !== 'swapped-axes' && !swapAxes) return null;
  return (
    <p class="import-warning" role="alert">
      {swapAxes ? '' : t.swapped}{' '}
      <Button
        label={swapAxes ? t.swapBack : t.swap}
        class={swapAxes ? 'link' : ''}
        onClick={() => run.choose({ swapAxes: !swapAxes })}
      />
    </p>
  );
}

export function PlacementChoice({ run, conversion }: Props) {
  const t = lateTexts.imports;
  const { placements } = run;
  const chosen = run.choices.value.placement ?? placements[0];
  return (
    <>
      {placements.length > 1 && (
        <fieldset>
          <legend>{t.place}</legend>
          {placements.map((placement) => (
            <label class="check" key={placement}>
              <input type="radio" name="import-place" checked={placement === chosen} onChange={() => run.choose({ placement })} />
              {t.placements[placement]}
            </label>
          ))}
        </fieldset>
      )}
      {conversion.hasLines && (
        <label class="import-field">
          {t.lineWidth}
          <input
            type="number"
            min={0}
            max={100}
            step="any"
            value={run.choices.value.lineWidth}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 0) run.choose({ lineWidth: valueAsNumber });
            }}
          />
        </label>
      )}
      {run.canTakeBackground && (
        <label class="check">
          <input
            type="checkbox"
            checked={run.takesBackground.value}
            onChange={({ currentTarget: { checked } }) => {
              run.takesBackground.value = checked;
            }}
          />
          {t.background}
        </label>
      )}
    </>
  );
}

export function MissingChoice({ run }: { readonly run: ImportModel }) {
  const t = lateTexts.imports;
  const missing = run.missingCount.value;
  if (missing === 0) return null;
  return (
    <fieldset>
      <legend>{t.missing(missing)}</legend>
      {(['keep', 'delete'] as const).map((choice) => (
        <label class="check" key={choice}>
          <input
            type="radio"
            name="import-missing"
            checked={run.missing.value === choice}
            onChange={() => {
              run.missing.value = choice;
            }}
          />
          {choice === 'keep' ? t.keep : t.remove}
        </label>
      ))}
    </fieldset>
  );
}
