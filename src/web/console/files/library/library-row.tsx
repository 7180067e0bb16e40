/** A picture in the library: thumbnail, name, size, uses, and what can be done with it. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ProjectFile } from '../../../client/client.ts';
import { texts } from '../../console-texts.ts';
import { loadedAddress } from '../../server/server-root.ts';
import { Button } from '../../ui/button.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { NameField } from '../../ui/name-field.tsx';
import { Problem } from '../../ui/problem.tsx';

interface Props {
  readonly file: ProjectFile;
  /** Members that use it. */
  readonly uses: number;
  readonly canWrite: boolean;
  /** What "use" means here. */
  readonly useLabel: string;
  readonly onUse: () => void;
  /** Resolves with the reason if the name is refused; with '' if it is not. */
  readonly onRename: (name: string) => Promise<string>;
  readonly onReplace: (picture: File) => Promise<void>;
  readonly onRemove: () => void;
}

/** Where the ending of a name begins, which stays when the name is typed anew. */
const endingAt = (name: string): number => (name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length);

export function LibraryRow({ file, uses, canWrite, useLabel, onUse, onRename, onReplace, onRemove }: Props) {
  const isNaming = useSignal(false);
  const problem = useSignal('');
  const row = useRef<HTMLLIElement>(null);
  const { name, bytes, width, height } = file;
  const t = texts.library;
  const endNaming = async (newName: string) => {
    problem.value = newName === '' || newName === name ? '' : await onRename(newName);
    // A refused name stays, to be corrected.
    if (problem.value !== '') return;
    isNaming.value = false;
    // The menu is back after the next render.
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('.menu button')?.focus());
  };
  return (
    <li class="library-row" ref={row}>
      <img src={loadedAddress(file.url)} alt="" loading="lazy" decoding="async" />
      <div class="grow">
        {isNaming.value ? (
          <NameField name={name} label={t.nameOf(name)} selected={endingAt(name)} onEnd={(newName) => void endNaming(newName)} />
        ) : (
          <h3>{name}</h3>
        )}
        <Problem text={problem.value} />
        <p class="hint">
          {t.size(width, height, bytes)} · {t.uses(uses)}
        </p>
        {canWrite && !isNaming.value && (
          <div class="row">
            <Button label={useLabel} aria-label={t.useOf(name, useLabel)} onClick={onUse} />
            <span hidden>
              <FileButton
                label={t.replace}
                accept="image/*"
                onFiles={(files) => (files?.[0] === undefined ? undefined : onReplace(files[0]))}
              />
            </span>
            <Menu
              label={texts.moreFor(name)}
              items={[
                {
                  label: texts.rename,
                  onChoose: () => {
                    isNaming.value = true;
                  },
                },
                { label: t.replace, onChoose: () => row.current?.querySelector('input')?.click() },
                { label: texts.remove, isDanger: true, onChoose: onRemove },
              ]}
            />
          </div>
        )}
      </div>
    </li>
  );
}
