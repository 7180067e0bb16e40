/** The map tiles of an artboard: the default of the server, or others that it lists. */
import { texts } from '../console-texts.ts';
import { type ControlProps, controlAttributes } from './controls/control-props.ts';

export function TilesField(props: ControlProps) {
  const { model, value, isDisabled, onCommit } = props;
  const names = model.document.tiles.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const chosen = String(value ?? '');
  const isKnown = chosen === '' || names.includes(chosen);
  return (
    <select
      {...controlAttributes(props)}
      disabled={isDisabled}
      value={chosen}
      onChange={(event) => onCommit(event.currentTarget.value, value)}
    >
      <option value="">{texts.forms.usualTiles}</option>
      {!isKnown && <option value={chosen}>{texts.forms.unknownTiles(chosen)}</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
