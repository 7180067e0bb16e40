/** The address of a picture, or a picture in the project itself. */
import { useSignal } from '@preact/signals';
import { texts } from '../console-texts.ts';
import { pictureDataUrl } from '../map/picture.ts';
import { FileButton } from '../ui/file-button.tsx';
import type { ControlProps } from './control-props.ts';
import { TextField } from './text-fields.tsx';

export function PictureField(props: ControlProps) {
  const { field, value, target, isDisabled, model, onCommit } = props;
  const problem = useSignal('');
  const text = String(value ?? '');
  const isEmbedded = text.startsWith('data:');
  const choose = async (files: FileList | null) => {
    const file = files?.[0];
    if (file === undefined) return;
    problem.value = '';
    try {
      const { url, width, height } = await pictureDataUrl(file);
      if (target.kind === 'artboard') model.edits.change(target.id, { [field.name]: url, width, height });
      else onCommit(url, value);
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  return (
    <>
      {isEmbedded ? (
        <span class="embedded" id={props.controlId}>
          {texts.forms.embedded(Math.ceil(text.length / 1000))}
          {!isDisabled && (
            <button type="button" class="link" onClick={() => onCommit('', value)}>
              {texts.cards.remove}
            </button>
          )}
        </span>
      ) : (
        <TextField {...props} />
      )}
      {!isDisabled && <FileButton label={texts.forms.replace} accept="image/*" onFiles={choose} />}
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </>
  );
}
