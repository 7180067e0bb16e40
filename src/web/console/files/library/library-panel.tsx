/** The dialog of the project's pictures: use, rename, replace, delete, add, and move those that are part of the project. */
import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ProjectFile } from '../../../client/client.ts';
import { addBackgrounds } from '../../commands/picture-commands.ts';
import { texts } from '../../console-texts.ts';
import type { EditorModel } from '../../editor/editor-model.ts';
import type { ProjectDocument } from '../../editor/project-document.ts';
import type { LibraryUse } from '../../editor/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { titleOfFile } from '../title-of-file.ts';
import { UploadLines } from '../upload-lines.tsx';
import { FileLibrary } from './file-library.ts';
import type { FileUse } from './file-uses.ts';
import { LibraryRow } from './library-row.tsx';

/** Rows that are shown first, and with each press of the button below them. */
const rowsAtOnce = 100;

export interface LibraryProps {
  readonly model: EditorModel;
  readonly use: LibraryUse;
}

export function LibraryPanel({ model, use }: LibraryProps) {
  const { canWrite } = model.document;
  const { library, changes, uses } = useLibrary(model);
  const query = useSignal('');
  const shown = useSignal(rowsAtOnce);
  const leaving = useSignal<ProjectFile | undefined>(undefined);
  const search = useRef<HTMLInputElement>(null);
  const close = () => {
    model.workspace.library.value = undefined;
  };
  const wanted = query.value.trim().toLocaleLowerCase();
  const all = library.files.value;
  const found = all?.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)) ?? [];
  const choose = ({ name, url, width, height }: ProjectFile) => {
    close();
    if (use.onUse === undefined) void addBackgrounds(model, [{ url, width, height, name: titleOfFile({ name }) }]);
    else use.onUse({ url, width, height });
  };
  const onDecide = (yes: boolean) => {
    const file = leaving.value;
    leaving.value = undefined;
    if (!yes || file === undefined) return;
    search.current?.focus({ preventScroll: true });
    void library.remove(file);
  };
  const t = texts.library;
  return (
    <Panel title={t.title} onClose={close} {...(canWrite && { onFiles: (files) => void library.add(files) })}>
      <LibraryHead model={model} library={library} query={query} search={search} changes={changes} />
      {all === undefined && library.problem.value === '' && <p>{texts.loading}</p>}
      {all?.length === 0 && <p class="empty">{t.none}</p>}
      {all !== undefined && all.length > 0 && found.length === 0 && <p class="empty">{t.noMatch(query.value)}</p>}
      <ul class="library" aria-label={t.title}>
        {found.slice(0, shown.value).map((file) => (
          <LibraryRow
            key={file.id}
            file={file}
            uses={uses.get(file.url)?.length ?? 0}
            canWrite={canWrite}
            onUse={() => choose(file)}
            useLabel={use.onUse === undefined ? t.useAsBackground : t.use}
            onRename={(name) => library.rename(file, name)}
            onReplace={(picture) => library.replace(file, picture)}
            onRemove={() => {
              leaving.value = file;
            }}
          />
        ))}
      </ul>
      {found.length > shown.value && (
        <Button
          label={texts.more}
          onClick={() => {
            shown.value += rowsAtOnce;
          }}
        />
      )}
      {leaving.value !== undefined && (
        <Confirm
          title={t.removeTitle(leaving.value.name)}
          text={t.removeText(namesOf(model.document, uses.get(leaving.value.url) ?? []))}
          action={texts.remove}
          onDecide={onDecide}
        />
      )}
    </Panel>
  );
}

/** The library while the dialog is open, and where the project uses each file. */
function useLibrary(model: EditorModel) {
  const library = useMemo(
    () => new FileLibrary(model.document.edits, model.document.uploads, () => model.document.connection.session.client),
    [model],
  );
  const changes = useChanges(model, library);
  const uses = useComputed(() => {
    changes.value;
    library.files.value;
    return library.uses();
  });
  useEffect(() => () => library.close(), [library]);
  return { library, changes, uses: uses.value };
}

/** Search, upload, the pictures in the project itself, and what happens. */
function LibraryHead(props: {
  readonly model: EditorModel;
  readonly library: FileLibrary;
  readonly query: Signal<string>;
  readonly search: { readonly current: HTMLInputElement | null };
  readonly changes: Signal<number>;
}) {
  const { model, library, query, changes } = props;
  const { canWrite, uploads, edits } = model.document;
  const embedded = useComputed(() => {
    changes.value;
    return library.embedded().length;
  });
  const notice = edits.notices.current.value;
  const isBusy = uploads.list.value.length > 0;
  const t = texts.library;
  return (
    <>
      <div class="row library-head">
        <SearchField
          class="grow"
          field={props.search}
          label={t.search}
          value={query.value}
          onSearch={(text) => {
            query.value = text;
          }}
        />
        {canWrite && <FileButton label={t.add} accept="image/*" onFiles={(files) => library.add([...(files ?? [])])} />}
      </div>
      {canWrite && embedded.value > 0 && (
        <p class="row">
          <span class="grow hint">{t.embedded(embedded.value)}</span>
          <Button label={t.move} disabled={isBusy} onClick={() => void library.moveEmbedded()} />
        </p>
      )}
      <UploadLines uploads={uploads} />
      {notice !== undefined && notice.text !== '' && (
        <p class={notice.isProblem ? 'problem' : 'hint'} role={notice.isProblem ? 'alert' : 'status'}>
          {notice.text}
        </p>
      )}
      {library.problem.value !== '' && (
        <p class="problem lines" role="alert">
          {library.problem.value}
        </p>
      )}
    </>
  );
}

/** Counts the changes of the project; loads the files when the dialog opens, and when a user changes them. */
function useChanges(model: EditorModel, library: FileLibrary): Signal<number> {
  const changes = useSignal(0);
  useEffect(
    () =>
      model.document.store.onChange(() => {
        changes.value++;
      }),
    [model],
  );
  const fileChanges = model.document.connection.fileChanges.value;
  useEffect(() => void library.load(), [library, fileChanges]);
  return changes;
}

/** `Popup Fountain`, `Artboard Ground floor`: each resource once. */
function namesOf({ store }: ProjectDocument, uses: readonly FileUse[]): readonly string[] {
  const refs = new Map(uses.map(({ ref }) => [ref.id, ref]));
  return [...refs.values()].map(
    ({ kind, id }) => `${texts.kinds[kind].one} ${String(store.shown(id)?.['name'] || texts.unnamed)}`,
  );
}
