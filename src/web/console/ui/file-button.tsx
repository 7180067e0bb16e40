/** A button that asks for files. */
import { Icon } from './icons.tsx';

export function FileButton(props: {
  readonly label: string;
  readonly title?: string;
  /** Shows the icon only. */
  readonly isIcon?: boolean;
  readonly accept?: string;
  readonly onFiles: (files: FileList | null) => unknown;
}) {
  return (
    <label
      class={`file-button button ${props.isIcon === true ? 'quiet' : ''}`}
      title={props.title ?? (props.isIcon === true ? props.label : undefined)}
    >
      <Icon name={props.isIcon === true ? 'addPicture' : 'upload'} />{' '}
      {props.isIcon === true ? <span class="sr-only">{props.label}</span> : props.label}
      <input
        type="file"
        multiple
        accept={props.accept}
        onChange={(event) => {
          const input = event.currentTarget;
          void Promise.resolve(props.onFiles(input.files)).finally(() => {
            // So that the same file can be chosen again.
            input.value = '';
          });
        }}
      />
    </label>
  );
}
