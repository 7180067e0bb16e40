/** A picture in the library: thumbnail, name, size, uses, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ProjectFile } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { loadedAddress } from '../server/server-root.ts';
import { FileButton } from '../ui/file-button.tsx';
import { NameField } from '../ui/name-field.tsx';

interface Props {
  readonly file: ProjectFile;
  /** Members that use it. */
  readonly uses: number;
  readonly canWrite: boolean;
  readonly onUse: () => void;
  readonly onRename: (name: string) => void;
  readonly onReplace: (picture: File) => Promise<void>;
  readonly onRemove: () => void;
}

/** Where the ending of a name begins, which stays when the name is typed anew. */
const endingAt = (name: string): number => (name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length);

export function LibraryRow({ file, uses, canWrite, onUse, onRename, onReplace, onRemove }: Props) {
  const isNaming = useSignal(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const { name, bytes, width, height } = file;
  const t = texts.library;
  const endNaming = (renamed: string) => {
    isNaming.value = false;
    if (renamed !== '' && renamed !== name) onRename(renamed);
    // The button is back after the next render.
    requestAnimationFrame(() => renameButton.current?.focus());
  };
  return (
    <li class="library-row">
      <img src={loadedAddress(file.url)} alt="" loading="lazy" decoding="async" />
      <div class="grow">
        {isNaming.value ? (
          <NameField name={name} label={t.nameOf(name)} selected={endingAt(name)} onEnd={endNaming} />
        ) : (
          <h3>{name}</h3>
        )}
        <p class="hint">
          {t.size(width, height, bytes)} · {t.uses(uses)}
        </p>
        {canWrite && !isNaming.value && (
          <div class="row">
            <button type="button" aria-label={t.useOf(name)} onClick={onUse}>
              {t.use}
            </button>
            <button
              ref={renameButton}
              type="button"
              aria-label={t.renameOf(name)}
              onClick={() => {
                isNaming.value = true;
              }}
            >
              {t.rename}
            </button>
            <FileButton
              label={t.replace}
              title={t.replaceHint}
              accept="image/*"
              onFiles={(files) => (files?.[0] === undefined ? undefined : onReplace(files[0]))}
            />
            <button type="button" class="danger-text" aria-label={t.removeOf(name)} onClick={onRemove}>
              {t.remove}
            </button>
          </div>
        )}
      </div>
    </li>
  );
}
