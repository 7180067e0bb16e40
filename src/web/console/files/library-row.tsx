/** A picture in the library: thumbnail, name, size, uses, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ProjectFile } from '../../client/client.ts';
import { texts } from '../console-texts.ts';
import { loadedAddress } from '../server/server-root.ts';
import { FileButton } from '../ui/file-button.tsx';

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
        {isNaming.value ? <NameField name={name} onEnd={endNaming} /> : <h3>{name}</h3>}
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
            <button type="button" class="danger" aria-label={t.removeOf(name)} onClick={onRemove}>
              {t.remove}
            </button>
          </div>
        )}
      </div>
    </li>
  );
}

/** Enter and the button save; Esc ends without a change. */
function NameField({ name, onEnd }: { readonly name: string; readonly onEnd: (name: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.focus();
    // The ending stays.
    const dot = name.lastIndexOf('.');
    input.current?.setSelectionRange(0, dot > 0 ? dot : name.length);
  }, []);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        onEnd(input.current?.value.trim() ?? '');
      }}
    >
      <input
        ref={input}
        class="grow"
        type="text"
        aria-label={texts.library.nameOf(name)}
        maxLength={200}
        defaultValue={name}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Not the dialog.
          event.preventDefault();
          event.stopPropagation();
          onEnd('');
        }}
      />
      <button type="submit" class="primary">
        {texts.library.save}
      </button>
    </form>
  );
}
