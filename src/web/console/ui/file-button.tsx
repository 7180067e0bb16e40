/** A button that asks for files. */
import { Icon } from './icons.tsx';

export function FileButton(props: {
  readonly label: string;
  readonly title?: string;
  readonly accept?: string;
  readonly onFiles: (files: FileList | null) => unknown;
}) {
  return (
    <label class="file-button button" title={props.title}>
      <Icon name="upload" /> {props.label}
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
