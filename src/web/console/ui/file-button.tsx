/** A button that asks for files. */
import { Icon } from './icons.tsx';

interface Props {
  readonly label: string;
  readonly title?: string;
  /** Shows the icon only. */
  readonly isIcon?: boolean;
  readonly accept?: string;
  readonly onFiles: (files: FileList | null) => unknown;
}

export function FileButton({ label, title, isIcon = false, accept, onFiles }: Props) {
  return (
    <label class={`file-button button ${isIcon ? 'quiet' : ''}`} title={title ?? (isIcon ? label : undefined)}>
      <Icon name={isIcon ? 'addPicture' : 'upload'} /> {isIcon ? <span class="sr-only">{label}</span> : label}
      <input
        type="file"
        multiple
        accept={accept}
        onChange={(event) => {
          const input = event.currentTarget;
          void Promise.resolve(onFiles(input.files)).finally(() => {
            // So that the same file can be chosen again.
            input.value = '';
          });
        }}
      />
    </label>
  );
}
